"""How a bundle can be reverted by itself on this machine: what its commands name must work there."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tunewiz.bundle.placement import Placement
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Absent, Known

MINUTES = 10
"""Until an unconfirmed change is reverted: enough for a look at the figures, short enough for a window."""

Systemd: TypeAlias = Literal["runs", "absent", "not known"]


def systemd_of(start: Situation) -> Systemd:
    """Whether systemd runs the machine, as far as the facts say; in containers it mostly does not."""
    match start.facts.owners.removes_ipc:
        case Absent():
            return "absent"
        case Known() if not start.in_container:
            return "runs"
        case _:
            return "absent" if start.in_container else "not known"


def needs_watcher(start: Situation, placement: Placement) -> bool:
    """Whether only a process that waits can revert: without systemd, and where a server must run for it."""
    return systemd_of(start) == "absent" or any(change.action.asks_server for change in placement.host)


def confirming(start: Situation, placement: Placement, minutes: int = MINUTES) -> str:
    """The options of apply.sh that revert what is not confirmed.

    They arm systemd's timer and guard at boot, or a watcher where these cannot do it.
    """
    return f"--confirm-within {minutes}{' --watcher' if needs_watcher(start, placement) else ''}"
