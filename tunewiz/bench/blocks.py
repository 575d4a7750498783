"""The blocks of a switchback: which value is in force in each, what the server did in it, planned looks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tunewiz.bench.errors import OutOfTimeError, RunError
from tunewiz.bench.owner import Watch, pause
from tunewiz.bench.progress import ProgressFile
from tunewiz.bench.run import BenchRun, Partial, RunDirectory, read_partial, write_record
from tunewiz.bench.server import Server
from tunewiz.bench.switching import NOTHING, WHOLE, Switch
from tunewiz.collect.postgres.samples import pause_of, window_of
from tunewiz.collect.postgres.watching import WatchSettings, looks_at
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.server import Window
from tunewiz.core.facts.statements import StatementsSeen
from tunewiz.core.proof.analysis import ClaimRule, margin_for, metrics_of_pairs
from tunewiz.core.proof.blocks import (
    TIME,
    Block,
    BlockSeen,
    NotSeen,
    drawn,
    has_too_many_left_out,
    pair_of_blocks,
)
from tunewiz.core.proof.index_numbers import Spent
from tunewiz.core.proof.looks import PlannedLook, planned_looks
from tunewiz.core.proof.proof import Look, MetricResult, Omission, Pair, PairOrder
from tunewiz.core.proof.ratios import LEAST_PAIRS
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.words.proof import verdict_in_words


@dataclass(slots=True)
class SwitchbackRun:
    """A switchback in progress; what was measured is saved to disk after every pair."""

    run: BenchRun
    server: Server
    switch: Switch
    place: RunDirectory
    progress: ProgressFile
    watch: Watch
    partial: Partial = field(init=False)
    looks: list[Look] = field(default_factory=list[Look])
    values: dict[str, str] = field(default_factory=dict[str, str])
    """The settings in each state, as seen in its first block."""

    def __post_init__(self) -> None:
        self.partial = read_partial(self.place)

    @property
    def done(self) -> int:
        """Pairs that have passed, those that are left out too."""
        return len(self.partial.pairs) + len(self.partial.left_out)

    def measure(self) -> None:
        """Measure until a planned look decides, or the time is used up; raises RunError."""
        try:
            self._measure()
        except OutOfTimeError:
            if self.done < LEAST_PAIRS:
                raise
            self.progress.tell(f"the time is used up: {self.done} of {self.run.pairs} pairs are complete")
            self._decides(planned_looks(self.done)[-1])

    def _measure(self) -> None:
        for look in planned_looks(self.run.pairs):
            while self.done < look.pairs:
                self._pair(self.done)
            if self._decides(look):
                return

    def result(self, risk: float) -> MetricResult | None:
        """The primary metric so far; None with fewer than two pairs."""
        return metrics_of_pairs(self.partial.pairs, rule_of(risk)).get(TIME)

    @property
    def is_doubted(self) -> bool:
        """Whether nothing may be concluded, since too many pairs are left out."""
        return has_too_many_left_out(len(self.partial.pairs), len(self.partial.left_out))

    def _decides(self, look: PlannedLook) -> bool:
        outcome = None if self.is_doubted else self.result(look.risk)
        verdict = "undecided" if outcome is None else outcome.verdict
        self.looks.append(Look(pairs=look.pairs, level=1 - look.risk, verdict=verdict))
        text = verdict if outcome is None else verdict_in_words(outcome.verdict, outcome.within)
        self.progress.tell(f"planned look after {look.pairs} pairs: {text}")
        return verdict != "undecided"

    def _pair(self, number: int) -> None:
        order: PairOrder = drawn(self.run.seed, number)
        sides = (("before", NOTHING), ("after", WHOLE))
        observation = dict[str, BlockSeen]()
        for place, (side, state) in enumerate(sides if order == "before first" else reversed(sides)):
            value = "the current values" if state == NOTHING else "the planned values"
            self.progress.tell(f"pair {number + 1} of {self.run.pairs}, block {place + 1} of 2, with {value}")
            observation[side] = self._block(state)
        self._keep(pair_of_blocks(order, observation["before"], observation["after"]), number)

    def _keep(self, entry: Pair | NotSeen, number: int) -> None:
        if isinstance(entry, NotSeen):
            self.progress.figure(f"left out: {entry.why}")
            left = Omission(what=f"pair {number + 1}", why=entry.why)
            self.partial = replace(self.partial, left_out=(*self.partial.left_out, left))
        else:
            before, after = entry.before.figures[TIME], entry.after.figures[TIME]
            self.progress.figure(f"time of the same queries: {after / before:.2f} times")
            self.partial = replace(self.partial, pairs=(*self.partial.pairs, entry))
        write_record(self.place.partial, self.partial)

    def _block(self, state: str) -> BlockSeen:
        self.watch()
        self.switch.reload_to(state)
        pause(self.run.lengths.warm_up, self.watch)
        self._check(state)
        observation = self._seen()
        self._check(state)
        return observation

    def _check(self, state: str) -> None:
        """That nobody else changes the settings meanwhile; raises RunError."""
        names = ", ".join(f"'{change.id.removeprefix('pg.')}'" for change in self.run.changes)
        text = f"SELECT name, reset_val FROM pg_settings WHERE name IN ({names}) ORDER BY name"  # noqa: S608 - names of the catalogue
        line = self.server.ask(text, watch=self.watch)
        expected = self.values.setdefault(state, line)
        if line != expected:
            was, now = (" ".join(name.split()).replace("|", "=") for name in (expected, line))
            raise RunError(f"someone else changed a setting that is compared: found {now}, expected {was}")
        if self.values.get(NOTHING) == self.values.get(WHOLE):
            raise RunError(
                f"both values are the same in force ({line.replace('|', '=')}): something overrides them"
            )

    def _seen(self) -> BlockSeen:
        seconds = self.run.lengths.full_speed
        task = WatchSettings(seconds=seconds, pause=pause_of(seconds), statements=True)
        directory = self.run.server.data_directory
        try:
            samples = list(looks_at(LiveSystem(), directory, task, self._is_over))
        except ServerError as error:
            self.watch()
            return NotSeen(why=f"the server could not be watched: {error.message}")
        self.watch()
        return block_of(window_of(samples))

    def _is_over(self) -> bool:
        try:
            self.watch()
        except RunError:
            return True
        return False


def rule_of(risk: float) -> ClaimRule:
    """How claims are made at a look: there are no A/A pairs that could widen the margin."""
    return ClaimRule(primary=TIME, risk=risk, margin=margin_for(None))


def block_of(value: object) -> BlockSeen:
    """A watched window as a block."""
    match value:
        case Known(value=Window(statements=Known(value=StatementsSeen() as statements)) as window):
            return _block(window, statements)
        case Known(value=Window(statements=unknown)):
            return NotSeen(why=f"what each statement did is unknown: {getattr(unknown, 'why', '')}")
        case _:
            return NotSeen(why=f"it could not be watched: {getattr(value, 'why', '')}")


def _block(window: Window, statements: StatementsSeen) -> Block:
    return Block(
        spent={
            (statement.queryid, statement.database, statement.role): Spent(
                calls=statement.calls, ms=statement.run_ms, rows=statement.rows
            )
            for statement in statements.statements
            if statement.calls > 0
        },
        ms=statements.run_ms,
        evicted=statements.evicted,
        transactions=known_or(window.commits, 0) + known_or(window.rollbacks, 0),
        wal_bytes=known_or(window.wal_bytes, 0),
        started=known_or(window.server_started, ""),
    )
