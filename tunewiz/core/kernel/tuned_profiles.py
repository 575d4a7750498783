"""tuned's profiles: which ones save power, and which one suits this machine as a server."""

from __future__ import annotations

from typing import Final

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import known_or

SAVING: Final = frozenset(
    {
        "balanced",
        "balanced-battery",
        "cpu-partitioning-powersave",
        "default",
        "desktop",
        "desktop-powersave",
        "laptop-ac-powersave",
        "laptop-battery-powersave",
        "powersave",
        "server-powersave",
        "spindown-disk",
    }
)
"""Profiles of tuned (2.20) that save power, or are made for desktops and laptops."""
ON_METAL: Final = "throughput-performance"
IN_A_GUEST: Final = "virtual-guest"
"""tuned's own for servers; the second includes the first."""


def saving_in(active: str) -> tuple[str, ...]:
    """The active profiles that save power."""
    return tuple(name for name in active.split() if name in SAVING)


def for_servers(situation: Situation) -> str:
    """The profile of tuned for a server on this machine."""
    is_metal = known_or(situation.facts.virtualization.hypervisor, "none") == "none"
    return ON_METAL if is_metal else IN_A_GUEST


def to_include(situation: Situation) -> str:
    """What a custom profile should include: the active ones, suited to a server; empty without tuned."""
    active = known_or(situation.facts.owners.tuned, "").split()
    return " ".join(dict.fromkeys(for_servers(situation) if name in SAVING else name for name in active))
