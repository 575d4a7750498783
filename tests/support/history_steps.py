"""One history: what happened so far, each step carried out, looked at and judged."""

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from history_bundles import HistoryBundle, Name
from history_judge import judge
from history_machine import HistoryMachine
from history_model import OTHERS, Model, Standing
from history_run import DONE, FAILED, REFUSED, Run, Script
from history_scripts import Cut, run_script
from history_truth import AUTO, SWAPPINESS, Truth
from pretend_root import Ran

_FILES: Final[Mapping[Script, tuple[str, ...]]] = {
    "apply": ("apply.sh",),
    "rollback": ("rollback.sh",),
    "verify": ("verify.sh",),
    "confirm": ("apply.sh", "--confirm"),
}
_NO_RESTART: Final = "--no-restart"
_WITH_A_TIME: Final = ("--confirm-within", "1", "--watcher")


class BrokenRuleError(AssertionError):
    """Something was not as it must be; says after which history."""


class History:
    """Steps on one machine, from a state that is the same each time."""

    def __init__(self, machine: HistoryMachine, bundles: Mapping[Name, HistoryBundle]) -> None:
        machine.reset()
        self.machine = machine
        self.model = Model(bundles)
        self.told: list[str] = []
        self.is_over = False
        self.word_to_stop = False
        self.postmaster_at_kill: int | None = None
        self.has_run_since_kill = False
        self.now = machine.truth()

    def standing(self, name: Name) -> Standing:
        """How a bundle stands."""
        return self.model.standings[name]

    def use(self, bundles: Mapping[Name, HistoryBundle]) -> None:
        """Other bundles, before any has run."""
        self.model = Model(bundles)

    @property
    def someone_waits(self) -> bool:
        """Whether a bundle is waiting for confirmation."""
        return any(standing.waits_for_confirmation for standing in self.model.standings.values())

    @property
    def can_start(self) -> bool:
        """Whether the server would come up with its files."""
        return self.now.configured is not None and not self._is_trapped()

    @property
    def is_broken(self) -> bool:
        """Whether something keeps the scripts from their work until it is put right."""
        return self.model.locked_out or not self.can_start

    def put_right(self) -> None:
        """Others repair what they broke."""
        self.others("put right what they broke", self._put_right)

    def others(self, words: str, change: Callable[[], object]) -> None:
        """Someone else does something."""
        self.told.append(f"others: {words}")
        change()
        then = self._look()
        self.model.attribute(then, self.now, OTHERS)

    def run(self, script: Script, name: Name, *arguments: str, cut: Cut | None = None) -> Ran:
        """A script of a bundle runs."""
        standing = self.standing(name)
        file, *fixed = _FILES[script]
        words = " ".join((script, name, *arguments, f"({cut.signal} at {cut.at})" if cut else ""))
        self._begin(script, standing)
        ran = run_script(self.machine.root, standing.bundle.directory / file, *fixed, *arguments, cut=cut)
        self._finish(words, script, standing, ran, arguments, cut_off=cut is not None)
        return ran

    def apply(self, name: Name, *arguments: str, within: bool = False, cut: Cut | None = None) -> None:
        """Puts a bundle in force."""
        ran = self.run("apply", name, *arguments, *(_WITH_A_TIME if within else ()), cut=cut)
        if ran.status == 0 and within:
            self.standing(name).waits_for_confirmation = True
            self.standing(name).reverts_without_restart = _NO_RESTART in arguments
            self.standing(name).revert_is_spent = False

    def expire(self) -> None:
        """The time is up for what was not confirmed."""
        waiting = [
            standing
            for standing in self.model.standings.values()
            if standing.waits_for_confirmation and not standing.revert_is_spent
        ]
        for standing in waiting[:1]:
            self._begin("rollback", standing)
            if not self.machine.let_time_pass():
                self._break("the time is up", ["nobody waits to take back what was not confirmed"], "")
            said = self.machine.watchers_words()
            ran = Ran(status=_status_by_words(said), out=said, err="")
            arguments = (_NO_RESTART,) if standing.reverts_without_restart else ()
            standing.revert_is_spent = True
            self._finish("the time is up", "rollback", standing, ran, arguments)

    def _begin(self, script: Script, standing: Standing) -> None:
        self.word_to_stop = (
            self.model.killed_once
            and not self.has_run_since_kill
            and any(map(_says_to_stop, self.machine.root.state.glob("*/journal")))
        )
        if script == "apply" and not standing.in_between:
            standing.former = {name: set() for name in standing.bundle.settings}
            standing.before = self.now
            standing.others_set_something = standing.has_written = False
            standing.left_file = self.now.files.get(AUTO)
        standing.others_set_something |= standing.left_file != self.now.files.get(AUTO)
        if script == "apply" and not standing.has_written:
            files = self.now.configured
            for name, former in standing.former.items():
                former.update([files[name]] if files else [], [self.now.running[name]] if self.now.up else [])

    def _finish(
        self,
        words: str,
        script: Script,
        standing: Standing,
        ran: Ran,
        arguments: Sequence[str],
        *,
        cut_off: bool = False,
    ) -> None:
        then = self._look()
        self.told.append(f"{words}: {ran.status}")
        run = Run(
            script=script,
            then=then,
            now=self.now,
            ran=ran,
            no_restart=_NO_RESTART in arguments,
            cut_off=cut_off,
            after_word_to_stop=self.word_to_stop,
        )
        broken = judge(self.model, standing, run)
        self.model.attribute(then, self.now, standing.bundle.name)
        self._move_on(standing, run)
        standing.left_file = self.now.files.get(AUTO)
        broken += self._leftovers(run)
        if broken:
            self._break(words, broken, ran.said)

    def _look(self) -> Truth:
        """At what is so now; returns what was so before."""
        then, self.now = self.now, self.machine.truth()
        self.has_run_since_kill |= self.now.up and self.now.postmaster != self.postmaster_at_kill
        return then

    def _move_on(self, standing: Standing, run: Run) -> None:
        status = run.ran.status
        if run.killed:
            self._was_killed(standing, run)
            return
        match run.script, status:
            case "apply", 0:
                self._goes_on_top(standing)
                standing.stage = "applied"
            case "apply", 5:
                standing.stage = "begun" if "NOT restored" in run.ran.said else "restored"
            case "rollback", 0 | 3 | 4 | 5:
                self._was_rolled_back(standing, status)
            case "confirm", 0:
                standing.waits_for_confirmation = False
            case _:
                pass

    def _was_killed(self, standing: Standing, run: Run) -> None:
        self.model.killed_once = True
        self.postmaster_at_kill, self.has_run_since_kill = run.now.postmaster, False
        if run.script == "apply" or (run.script == "rollback" and standing.in_between):
            standing.waits_for_confirmation &= run.script == "rollback" and bool(self.machine.watchers())
            if not standing.in_between:
                self._goes_on_top(standing)
            standing.stage = "begun"

    def _was_rolled_back(self, standing: Standing, status: int) -> None:
        if status != FAILED:
            standing.waits_for_confirmation = False
        if standing.in_between:
            left = self.model.differences(standing, self.now)
            standing.stage = "restored" if status in {0, 3} and not left else "begun"

    def _goes_on_top(self, standing: Standing) -> None:
        self.model.applications += 1
        standing.applied_as = self.model.applications

    def _leftovers(self, run: Run) -> list[str]:
        ended = (run.script == "rollback" and run.ran.status in {0, 3}) or (
            run.script == "confirm" and run.ran.status == 0
        )
        waits = any(standing.waits_for_confirmation for standing in self.model.standings.values())
        if not ended or waits or self.model.killed_once:
            return []
        leftovers = [
            f"process {watcher} still waits to take something back" for watcher in self.machine.watchers()
        ]
        if (self.machine.root.state / "pending").exists():
            leftovers.append("a bundle still is waiting for confirmation")
        return leftovers

    def _break(self, words: str, broken: list[str], said: str) -> None:
        self.is_over = True
        history = "\n".join(f"  {number}. {text}" for number, text in enumerate(self.told, 1))
        rules = "\n".join(f"  - {text}" for text in broken)
        raise BrokenRuleError(f"after {words}:\n{rules}\nhistory:\n{history}\nthe last run said:\n{said}")

    # The end: whatever happened, one rollback of each bundle later everything is as before.

    def settle(self) -> None:
        """Others put right what they broke; everything that was applied is taken back, last first."""
        machine = self.machine
        if self.is_over:
            return
        if self.is_broken:
            self.put_right()
        for _ in range(2):
            for standing in sorted(self.model.standings.values(), key=lambda entry: -entry.applied_as):
                if standing.in_between:
                    self.run("rollback", standing.bundle.name)
        if self.model.applications and not any(
            standing.in_between for standing in self.model.standings.values()
        ):
            self._nothing_remains()
        for process in machine.watchers():
            os.kill(process, signal.SIGKILL)

    def _is_trapped(self) -> bool:
        files = self.now.configured
        return files is not None and bool(files["shared_preload_libraries"])

    def _put_right(self) -> None:
        self.machine.put_right()
        self.model.locked_out = False

    def _nothing_remains(self) -> None:
        ours = [path for path in self.now.files if "tunewiz" in path]
        if ours:
            self._break("everything was already reverted", [f"{our} was left" for our in ours], "")
        if SWAPPINESS not in self.model.writers:
            return
        kernel = (self.now.text(SWAPPINESS) or "").strip()
        if self.model.writers[SWAPPINESS] != OTHERS and kernel != "60":
            self._break("everything was already reverted", [f"swappiness is {kernel}"], "")


def _status_by_words(said: str) -> int:
    if "NOT restored" in said:
        return FAILED
    if "except for what others have changed" in said or "Refused" in said:
        return REFUSED
    if "as it was before" in said or "\nRestored" in said:
        return DONE
    raise BrokenRuleError(f"the watcher did not say what it did: {said}")


def _says_to_stop(journal: Path) -> bool:
    """Whether the last that it says of the server is that it is stopped."""
    said = [line for line in journal.read_text(errors="replace").splitlines() if line.startswith("server ")]
    return said[-1:] == ["server stopping"]
