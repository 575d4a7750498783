"""How a bundle can be reverted by itself on this machine: what its commands name must work there."""

from __future__ import annotations

from typing import Literal, TypeAlias

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


def confirming(start: Situation) -> str:
    """The options of apply.sh that revert what is not confirmed.

    They arm systemd's timer and guard at boot, or a watcher where there is no systemd.
    """
    watcher = " --watcher" if systemd_of(start) == "absent" else ""
    return f"--confirm-within {MINUTES}{watcher}"
