"""Short histories on a real server whose last script is killed at one of its write boundaries."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from history_bundles import HistoryBundle, Name
from history_machine import HistoryMachine
from history_scripts import Cut
from history_steps import History
from history_truth import CONFIG, DROP_IN, SWAPPINESS, SYSCTL_FILE, gives
from small_host import put_program

Event = Literal[
    "apply",
    "rollback",
    "verify",
    "restart",
    "power cut",
    "ALTER SYSTEM",
    "line in the drop-in",
    "line in postgresql.conf",
    "kernel value",
]
EVENTS: Final[tuple[Event, ...]] = get_args(Event)
CutScript = Literal["apply", "rollback"]
KERNEL_OWN_SWAPPINESS: Final = "60"
HISTORIES: Final[tuple[tuple[CutScript, tuple[Event, ...]], ...]] = (
    ("apply", ()),
    *(("apply", (event,)) for event in EVENTS),
    ("rollback", ("apply",)),
    *(("rollback", ("apply", event)) for event in EVENTS),
)
"""The last script, and what happened before."""
_BUNDLE: Final[Name] = "first"
_NEVER: Final = Cut(signal="KILL", at=65_535)
"""The run is waited for with all that it has started; no script makes so many processes."""
_SYNC: Final = """#!/bin/sh
# Ends what calls it the Nth time, before anything is written out: a script, or what it runs as the owner.
calls=0
[ ! -s {calls} ] || read -r calls <{calls}
calls=$((calls + 1))
echo "$calls" >{calls}
read -r at <{at}
[ "$calls" -ne "$at" ] || kill -KILL "$PPID"
exec /bin/sync "$@"
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class CutHistory:
    """What happened, and where the last script was killed."""

    before: tuple[Event, ...]
    script: CutScript
    at: int
    """Which call of sync: it stands before and after everything that is written."""
    power_cut: bool
    """The whole machine went down with it."""


class BoundaryMachine(HistoryMachine):
    """Its scripts can be killed at a call of sync."""

    def _furnish(self) -> None:
        super()._furnish()
        # What belongs to the server's owner is written, and synced, as the owner.
        self.beside.chmod(0o755)
        for name in ("calls", "at"):
            (self.beside / name).touch()
            (self.beside / name).chmod(0o666)
        self.cut_at(0)
        put_program(self.root, "sync", _SYNC.format(calls=self.beside / "calls", at=self.beside / "at"))

    def cut_at(self, call: int) -> None:
        """From now on: the Nth call from here ends its script; 0 is none."""
        (self.beside / "calls").write_text("")
        (self.beside / "at").write_text(f"{call}\n")

    def calls(self) -> int:
        """Of sync, since the last `cut_at`."""
        return int((self.beside / "calls").read_text() or 0)

    def lose_power(self) -> None:
        """The kernel and the server start anew; whatever was written is there, synced or not."""
        was_up = self.truth().up
        if was_up:
            self.crash()
        kept = gives(self.truth(), SYSCTL_FILE, "vm.swappiness")
        self.write(SWAPPINESS, f"{kept or KERNEL_OWN_SWAPPINESS}\n")
        if was_up:
            self.start()


def boundaries(
    machine: BoundaryMachine, bundle: HistoryBundle, before: tuple[Event, ...], script: CutScript
) -> int:
    """How many the script has after these events."""
    history = _after(machine, bundle, before)
    machine.cut_at(0)
    history.run(script, _BUNDLE)
    calls = machine.calls()
    history.settle()
    return calls


def carry_out(machine: BoundaryMachine, bundle: HistoryBundle, cut: CutHistory) -> bool:
    """Whether the script came to the boundary.

    Raises BrokenRuleError where a rule is broken on the way, or one rollback leaves something.
    """
    history = _after(machine, bundle, cut.before)
    machine.cut_at(cut.at)
    history.run(cut.script, _BUNDLE, cut=_NEVER)
    came_to_it = machine.calls() >= cut.at
    machine.cut_at(0)
    if cut.power_cut:
        history.others("power cut", machine.lose_power)
    history.settle()
    return came_to_it


def _after(machine: BoundaryMachine, bundle: HistoryBundle, events: tuple[Event, ...]) -> History:
    machine.cut_at(0)
    history = History(machine, {_BUNDLE: bundle})
    for event in events:
        _happen(machine, history, event)
    return history


def _happen(machine: BoundaryMachine, history: History, event: Event) -> None:
    match event:
        case "apply":
            history.apply(_BUNDLE)
        case "rollback" | "verify":
            history.run(event, _BUNDLE)
        case "restart":
            history.others(event, machine.restart)
        case "power cut":
            history.others(event, machine.lose_power)
        case "ALTER SYSTEM":
            history.others(event, lambda: _alter_system(machine))
        case "line in the drop-in":
            if machine.root.path(DROP_IN).exists():
                history.others(event, lambda: machine.append(DROP_IN, "# by hand\n"))
        case "line in postgresql.conf":
            history.others(event, lambda: _edit(machine))
        case "kernel value":
            history.others(event, lambda: machine.write(SWAPPINESS, "77\n"))


def _alter_system(machine: BoundaryMachine) -> None:
    machine.ask("ALTER SYSTEM SET work_mem = '9MB'")
    machine.reload()


def _edit(machine: BoundaryMachine) -> None:
    machine.append(CONFIG, "random_page_cost = '2'\n")
    machine.reload()
