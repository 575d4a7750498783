"""Every history of scripts, persons and reboots up to a length, with its last script killed anywhere."""

import hashlib
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Literal, get_args

from faulty_programs import strike, without_shims
from history_model import claims_all_is_as_before
from pretend_root import DATA, DROP_IN, FILES, SYSCTL_FILE, TMPFILES_FILE, Entry, PretendRoot, Ran, entry
from small_plans import THP

Event = Literal[
    "apply", "rollback", "verify", "reboot", "kernel value", "line in the drop-in", "ALTER SYSTEM"
]
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
SCRIPTS: Final[Mapping[Event, str]] = {"apply": "apply.sh", "rollback": "rollback.sh", "verify": "verify.sh"}
CUT: Final[tuple[Event, ...]] = ("apply", "rollback")
BOUNDARY: Final = "sync"
"""It stands before and after everything that is written: the journal, what is kept, files, kernel values."""
AUTO: Final = f"{DATA}/postgresql.auto.conf"
DIRTY: Final = "/proc/sys/vm/dirty_bytes"
RATIO: Final = "/proc/sys/vm/dirty_ratio"
THEIRS: Final = "1073741824\n"
BY_HAND: Final = "# by hand\n"
STATUSES: Final[Mapping[Event, set[int]]] = {
    "apply": {0, 3, 4, 5},
    "rollback": {0, 3, 4},
    "verify": {0, 1, 2, 3, 4, 5},
}


class WrongHistoryError(AssertionError):
    """Something was not as it must be; says after which history."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A history, where it is kept, and what persons have written in it that is theirs still."""

    events: tuple[Event, ...]
    kept: Path
    theirs: frozenset[Event]
    entries: tuple[tuple[str, Entry], ...]


def change_part(bundle: Path, part: str, words: str, other_words: str) -> None:
    """Other scripts, in a bundle that is whole all the same."""
    script, sums = bundle / "lib" / f"{part}.sh", bundle / "SHA256SUMS"
    was = script.read_text()
    changed = was.replace(words, other_words)
    assert changed != was
    script.write_text(changed)
    old, new = (hashlib.sha256(text.encode()).hexdigest() for text in (was, changed))
    sums.write_text(sums.read_text().replace(old, new))


class Histories:
    """All of them on one machine, which is put back where each begins."""

    def __init__(self, machine: PretendRoot, bundle: Path, *, line: str, every: int = 1) -> None:
        """Persons set the line by ALTER SYSTEM; scripts are cut at every so many boundaries."""
        self.machine, self.bundle, self.every = machine, bundle, every
        self.line = line
        self.base = machine.root.parent
        self.pristine = machine.tree()
        self.planned: Mapping[str, Entry] = {}
        self.cuts = 0
        self._aside = self.base.with_name(f"{self.base.name}-kept")
        self._aside.mkdir()
        self.states = set[tuple[frozenset[Event], tuple[tuple[str, Entry], ...]]]()
        self._numbers = count()
        machine.state.mkdir()

    def enumerate(self, *choices: Sequence[Event]) -> None:
        """Tries all that choose one event from each; raises WrongHistoryError."""
        nodes = [self._keep((), frozenset())]
        for events in choices:
            nodes = [then for node in nodes for then in self._after(node, events)]

    def _after(self, node: Node, events: Sequence[Event]) -> Iterator[Node]:
        """Those that are one event longer and led to a state that was not met before."""
        for event in events:
            self._put_back(node)
            calls = self._happen(node, event)
            then = self._keep((*node.events, event), self._theirs(node.theirs, event))
            if event in CUT:
                self._cut_everywhere(node, event, calls)
            state = (then.theirs, then.entries)
            if state in self.states:
                shutil.rmtree(then.kept)
            else:
                self.states.add(state)
                yield then

    # One event.

    def _happen(self, node: Node, event: Event) -> int:
        """Carries it out and judges it; how many boundaries a script came to."""
        if event not in SCRIPTS:
            self._others(event)
            return 0
        if event in CUT:
            strike(self.machine, BOUNDARY, 0, "KILL")
        ran = self._run(event)
        self._forget_shims()
        events = (*node.events, event)
        self._judge(events, event, node.theirs, ran)
        return int((self.base / "calls").read_text()) if event in CUT else 0

    def _others(self, event: Event) -> None:
        machine = self.machine
        match event:
            case "reboot":
                self._reboot()
            case "kernel value":
                self._set(DIRTY, THEIRS)
            case "line in the drop-in" if machine.path(DROP_IN).exists():
                self._append(DROP_IN, BY_HAND)
            case "ALTER SYSTEM":
                self._append(AUTO, self.line)
            case _:
                pass

    def _set(self, path: str, value: str) -> None:
        """The kernel knows a limit in bytes or in percent: whichever is written sets the other to 0."""
        self.machine.write(path, value)
        if path == DIRTY:
            self.machine.write(RATIO, "0\n")

    def _append(self, path: str, line: str) -> None:
        if line not in self.machine.read(path):
            with self.machine.path(path).open("a") as file:
                file.write(line)

    def _reboot(self) -> None:
        """The kernel has its own values, and then what the drop-ins say."""
        machine = self.machine
        for path, content in FILES.items():
            if path.startswith(("/proc", "/sys")):
                machine.write(path, content)
        if machine.path(SYSCTL_FILE).exists():
            for line in machine.read(SYSCTL_FILE).splitlines():
                name, equals, value = line.partition("=")
                if equals and not line.startswith(("#", ";")):
                    self._set(f"/proc/sys/{name.strip().replace('.', '/')}", f"{value.strip()}\n")
        if machine.path(TMPFILES_FILE).exists() and "never" in machine.read(TMPFILES_FILE):
            machine.write(THP, "always madvise [never]\n")

    def _theirs(self, theirs: frozenset[Event], event: Event) -> frozenset[Event]:
        match event:
            case "kernel value" | "ALTER SYSTEM":
                return frozenset((*theirs, event))
            case "line in the drop-in" if self.machine.path(DROP_IN).exists():
                return frozenset((*theirs, event))
            case "reboot":
                return theirs - {"kernel value"}
            case _:
                return theirs

    # A script that is killed.

    def _cut_everywhere(self, node: Node, event: Event, calls: int) -> None:
        """At each boundary of the script; then one rollback, with a reboot before it and without."""
        for at in range(1, calls + 1, self.every):
            for reboots in (False, True):
                self._put_back(node)
                strike(self.machine, BOUNDARY, at, "KILL")
                self._run(event)
                self._forget_shims()
                self.cuts += 1
                words = (*node.events, event, f"killed at {at} of {calls}", *(["reboot"] if reboots else []))
                theirs = node.theirs
                if reboots:
                    self._reboot()
                    theirs -= {"kernel value"}
                ran = self._run("rollback")
                self._judge((*words, "rollback"), "rollback", theirs, ran)
                if not theirs:
                    self._expect(
                        without_shims(self.machine.tree()) == self.pristine, words, ran, "not as before"
                    )

    def _run(self, event: Event) -> Ran:
        return self.machine.run(self.bundle / SCRIPTS[event])

    def _forget_shims(self) -> None:
        shutil.rmtree(self.machine.path("/usr"), ignore_errors=True)

    # What must be so.

    def _judge(self, words: tuple[str, ...], event: Event, theirs: frozenset[Event], ran: Ran) -> None:
        tree = self.machine.tree()
        self._expect(ran.status in STATUSES[event], words, ran, f"status {ran.status}")
        for change in theirs:
            self._expect(self._stands(change), words, ran, f"{change} of a person's is gone")
        if claims_all_is_as_before(ran):
            ours = {path for path in {*tree, *self.pristine} if path not in self._written_by(theirs)}
            differing = [path for path in ours if tree.get(path) != self.pristine.get(path)]
            self._expect(not differing, words, ran, f"claimed to be as before: {differing}")
        if event == "apply" and ran.status == 0 and not self.planned:
            self.planned = tree
        if (event, ran.status) in {("apply", 0), ("verify", 0)}:
            differing = [
                path
                for path in {*tree, *self.planned}
                if path not in self._written_by(theirs) and tree.get(path) != self.planned.get(path)
            ]
            self._expect(not differing, words, ran, f"told to be as planned: {differing}")

    def _stands(self, change: Event) -> bool:
        match change:
            case "kernel value":
                return self.machine.read(DIRTY) == THEIRS
            case "line in the drop-in":
                return self.machine.path(DROP_IN).exists() and BY_HAND in self.machine.read(DROP_IN)
            case _:
                return self.line in self.machine.read(AUTO)

    def _written_by(self, theirs: frozenset[Event]) -> set[str]:
        paths: Mapping[Event, tuple[str, ...]] = {
            "kernel value": (DIRTY, RATIO),
            "line in the drop-in": (DROP_IN,),
            "ALTER SYSTEM": (AUTO,),
        }
        return {path.lstrip("/") for change in theirs for path in paths[change]}

    def _expect(self, holds: bool, words: tuple[str, ...], ran: Ran, what: str) -> None:  # noqa: FBT001
        if not holds:
            raise WrongHistoryError(f"{what}\nafter: {', '.join(words)}\n{ran.said}")

    # States that are kept.

    def _keep(self, events: tuple[Event, ...], theirs: frozenset[Event]) -> Node:
        kept = self._aside / str(next(self._numbers))
        subprocess.run(("cp", "-a", "-T", self.base, kept), check=True)
        entries = (*self.machine.tree().items(), *_records(self.machine.state))
        return Node(events=events, kept=kept, theirs=theirs, entries=entries)

    def _put_back(self, node: Node) -> None:
        shutil.rmtree(self.base)
        subprocess.run(("cp", "-a", "-T", node.kept, self.base), check=True)


def _records(state: Path) -> Iterator[tuple[str, Entry]]:
    for path in sorted(state.rglob("*")):
        yield f"state/{path.relative_to(state)}", entry(path)
