"""The experiment: A/A pairs, a question, then pairs or cycles until a planned look decides."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from tunewiz.bench.budget import measured_pace, planned_anew, time_to_measure
from tunewiz.bench.errors import OutOfTimeError, RefusedError, StoppedError
from tunewiz.bench.measuring import SHARE_OF_PEAK, Bench
from tunewiz.bench.owner import pause
from tunewiz.bench.progress import ProgressFile
from tunewiz.bench.run import Partial, RunDirectory, read_partial, so_far, write_record
from tunewiz.bench.switching import NOTHING, WHOLE, Switch, revert_minutes
from tunewiz.bench.variants import cycle_order, variant_name
from tunewiz.core.proof.analysis import ClaimRule, can_show
from tunewiz.core.proof.bench_seen import SoFar
from tunewiz.core.proof.looks import PlannedLook, planned_looks
from tunewiz.core.proof.metrics import METRICS, MetricName
from tunewiz.core.proof.proof import Arm, Cycle, Look, Pair
from tunewiz.core.proof.ratios import LEAST_PAIRS
from tunewiz.core.proof.remaining import look_at, rule_of, runs_each
from tunewiz.core.proof.staircase import steps_of
from tunewiz.core.values.rounding import shortly
from tunewiz.core.words.bench import left_in_words, look_in_words
from tunewiz.core.words.proof import can_show_in_words, seconds_in_words
from tunewiz.core.words.schedule import schedule_lines

USUAL_CYCLES = 4
"""Of an ablation without a budget: with four the bias was below 0.4 % (tests/core/proof)."""
SEEDS_AN_ARM = 10
"""Seeds that an arm may use up."""


@dataclass(slots=True)
class Experiment:
    """A run in progress; its measurements are saved to disk after every pair."""

    bench: Bench
    switch: Switch
    place: RunDirectory
    progress: ProgressFile
    primary: MetricName
    partial: Partial = field(init=False)
    looks: list[Look] = field(default_factory=list[Look])

    def __post_init__(self) -> None:
        self.partial = read_partial(self.place)

    def measure(self) -> None:
        """Measure everything; raises RunError, and RefusedError where a person or the budget forbids it."""
        try:
            self._measure()
        except OutOfTimeError:
            self._end_with_what_is_complete()

    def _measure(self) -> None:
        self._tell_schedule()
        self.progress.tell("creating the data that every run starts from")
        self.bench.prepare()
        self._plan_anew()
        self._calibrate()
        run = self.bench.run
        while len(self.partial.same_pairs) < run.same_pairs:
            number = len(self.partial.same_pairs)
            pair = self._pair(NOTHING, f"A/A pair {number + 1} of {run.same_pairs}", -1 - number)
            self._keep(replace(self.partial, same_pairs=(*self.partial.same_pairs, pair)))
        if not self.partial.agreed:
            self._keep(replace(self.partial, agreed=self._agreed()))
        if run.groups:
            self._cycles()
        else:
            self._pairs()

    @property
    def runs_each(self) -> int:
        """Arms of a pair, or of a cycle."""
        return runs_each(len(self.bench.run.groups))

    @property
    def so_far(self) -> SoFar:
        """The results so far."""
        return so_far(self.bench.run, self.partial)

    def rule(self, risk: float) -> ClaimRule:
        """How claims are made at a look."""
        return rule_of(self.so_far, risk)

    def _tell_schedule(self) -> None:
        if (schedule := self.bench.run.schedule) is not None:
            for line in schedule_lines(schedule):
                self.progress.tell(line)

    def _plan_anew(self) -> None:
        """Fit the rest into the time that is left, by this server's own pace; raises RefusedError."""
        run = self.bench.run
        if run.schedule is None or self.partial.same_pairs:
            return
        self.progress.tell("measuring how long a restart and a copy of the data take")
        pace = measured_pace(self.bench, self.switch, run.schedule.pace)
        run = planned_anew(run, run.schedule, pace)
        self.bench = replace(self.bench, run=run)
        self.switch.minutes = revert_minutes(run.lengths)
        write_record(self.place.run, run)
        self._tell_schedule()

    def _calibrate(self) -> None:
        """The rate of all runs at a fixed rate: a share of what the unchanged server reaches."""
        if self.partial.rate or not self.bench.run.lengths.fixed_rate:
            return
        self.progress.tell("measuring this server's peak throughput")
        self.switch.to(NOTHING)
        self._keep(replace(self.partial, rate=SHARE_OF_PEAK * self.bench.peak(self._seed(0, 1))))

    def _agreed(self) -> int:
        """How many pairs (or cycles) will be measured, once that is agreed on."""
        run, seconds = self.bench.run, self.runs_each * self.partial.arm_seconds
        if run.schedule is not None:
            # The A/A pairs do not tell how slow a run with the changes is.
            seconds = max(seconds, run.schedule.each_seconds)
        pairs = self._within_budget(run.pairs, seconds)
        shown = can_show(self.partial.same_pairs, self.primary, pairs)
        unit = "cycles" if run.groups else "pairs"
        if run.is_fixed and pairs < run.pairs:
            self.progress.tell(
                f"{pairs} of the {run.pairs} {unit} that were asked for fit into the time left"
            )
        text = can_show_in_words(shown, pairs, pairs * seconds)
        if run.groups:
            text = f"{pairs} {unit} of {self.runs_each} runs, in {seconds_in_words(pairs * seconds)}. {text}"
        self._consent(text)
        return pairs

    def _consent(self, text: str) -> None:
        """Continue if a person agrees, or did so in advance; otherwise raises RefusedError."""
        if not self.bench.run.ask:
            self.progress.tell(text)
            return
        self.progress.ask(text)
        if not self._answered():
            raise RefusedError("not continued after the A/A pairs", "The run was removed.")

    def _within_budget(self, most: int, seconds: float) -> int:
        run = self.bench.run
        if not run.until:
            return most
        fit = min(most, int(time_to_measure(run) / max(seconds, 1)))
        if fit < LEAST_PAIRS:
            raise RefusedError(
                f"the remaining time is enough for {max(0, fit)} pairs, expected {LEAST_PAIRS} or more",
                f"{'A cycle' if run.groups else 'A pair'} takes {seconds_in_words(seconds)} here: allow more "
                "time, or shorter runs (--run).",
            )
        return fit

    def _answered(self) -> bool:
        while not self.place.answer.exists():
            pause(1, self.bench.watch)
        return self.place.answer.read_text(encoding="utf-8").strip() == "yes"

    def _pairs(self) -> None:
        for look in planned_looks(self.partial.agreed):
            while len(self.partial.pairs) < look.pairs:
                number = len(self.partial.pairs)
                pair = self._pair(WHOLE, f"pair {number + 1} of {self.partial.agreed}", number)
                self._keep(replace(self.partial, pairs=(*self.partial.pairs, pair)))
                self.progress.figure(f"left: {left_in_words(self.so_far)}")
            if self._decides(look):
                return

    def _end_with_what_is_complete(self) -> None:
        """The end of the time is the last look, at whatever is complete.

        It comes by the clock, whatever was measured: it claims no more than a planned look.

        Raises:
            OutOfTimeError: Too few pairs are complete; the run can be continued.
            RefusedError: Nothing was measured.
        """
        if not self.partial.same_pairs:
            raise RefusedError(
                "the time budget is used up before an A/A pair is complete",
                "Allow more time, or smaller data (--scale). The run was removed.",
            )
        is_ablated = bool(self.bench.run.groups)
        unit, complete = ("cycles", self.partial.cycles) if is_ablated else ("pairs", self.partial.pairs)
        count, most = len(complete), self.partial.agreed or self.bench.run.pairs
        if count < LEAST_PAIRS:
            raise OutOfTimeError(
                f"the time budget is used up: {count} of {most} {unit} are complete, "
                f"expected {LEAST_PAIRS} or more"
            )
        self.progress.tell(f"the time budget is used up: {count} of {most} {unit} are complete")
        self._keep(replace(self.partial, agreed=count, steps=()))
        if not is_ablated:
            self._decides(planned_looks(count)[-1])

    def _decides(self, look: PlannedLook) -> bool:
        """Whether the primary metric is decided at a planned look, which is recorded."""
        reached_look = look_at(self.so_far, look)
        verdict = "undecided" if reached_look is None else reached_look.result.verdict
        self.looks.append(Look(pairs=look.pairs, level=1 - look.risk, verdict=verdict))
        self.progress.tell(
            f"planned look after {look.pairs} pairs: {verdict}"
            if reached_look is None
            else look_in_words(reached_look)
        )
        return verdict != "undecided"

    def _pair(self, after: str, what: str, number: int) -> Pair:
        first = self._draw("pair", number).random() < 1 / 2
        sides = (("before", NOTHING), ("after", after))
        arms = dict[str, Arm]()
        for place, (side, state) in enumerate(sides if first else reversed(sides)):
            self.progress.tell(f"{what}, run {place + 1} of 2")
            # Both sides get the same random numbers.
            arms[side] = self._arm(state, number + len(sides) * 1_000)
        return Pair(
            order="before first" if first else "after first", before=arms["before"], after=arms["after"]
        )

    def _cycles(self) -> None:
        groups = {group_of_changes.name: group_of_changes.ids for group_of_changes in self.bench.run.groups}
        while len(self.partial.cycles) < self.partial.agreed:
            self._cycle(groups, len(self.partial.cycles))
            self.progress.figure(f"left: {left_in_words(self.so_far)}")

    def _cycle(self, groups: Mapping[str, tuple[str, ...]], number: int) -> None:
        order = cycle_order(self.bench.run, number)
        steps = steps_of(order)
        for place in range(len(self.partial.steps), len(steps)):
            what = f"cycle {number + 1} of {self.partial.agreed}, run {place + 1} of {len(steps)}"
            self.progress.tell(what)
            state = variant_name(steps[place], tuple(groups))
            arm = self._arm(state, number)
            self._keep(replace(self.partial, steps=(*self.partial.steps, arm)))
        cycle = Cycle(order=order, runs=self.partial.steps)
        self._keep(replace(self.partial, cycles=(*self.partial.cycles, cycle), steps=()))

    def _arm(self, state: str, number: int) -> Arm:
        began = time.monotonic()
        self.switch.to(state)
        arm = self.bench.arm(self.partial.rate, self._seed(number, 0))
        took = time.monotonic() - began
        self._keep(replace(self.partial, arm_seconds=max(took, self.partial.arm_seconds)))
        title, unit = METRICS[self.primary].title, METRICS[self.primary].unit
        self.progress.figure(f"{title}: {shortly(arm.figures.get(self.primary, 0.0), 4)} {unit}")
        return arm

    def _draw(self, what: str, number: int) -> Random:
        """For a pair or a cycle; the same again when a run is continued."""
        return Random(f"{self.bench.run.seed} {what} {number}")  # noqa: S311 - nothing secret

    def _seed(self, number: int, place: int) -> int:
        return self._draw("seed", number).randrange(10**8) + place * SEEDS_AN_ARM

    def _keep(self, partial: Partial) -> None:
        self.partial = partial
        write_record(self.place.partial, partial)


Stop = Callable[[], bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Watcher:
    """Stops a program when someone asked for it, or the time is up."""

    is_asked: Stop
    until: float
    """In seconds since 1970; 0 without a budget."""

    def __call__(self) -> None:
        """Raises StoppedError and OutOfTimeError."""
        if self.is_asked():
            raise StoppedError("someone asked to stop")
        if self.until and time.time() > self.until:
            raise OutOfTimeError("the time budget is used up")
