"""What is told before all else: data at risk, and memory that has no hope of sufficing."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.planning.absent_standbys import absent_standbys
from tunewiz.core.planning.budget import budget_of
from tunewiz.core.planning.dangerous_values import CODES, dangerous_values, lost_durability
from tunewiz.core.planning.unsafe_file_systems import unsafe_file_systems
from tunewiz.core.planning.wraparound import wraparound
from tunewiz.core.recommendation.situation import Situation

CLAIMING = (
    "temp_buffers",
    "hash_mem_multiplier",
    "shared_buffers",
    "work_mem",
    "maintenance_work_mem",
    "autovacuum_work_mem",
)
"""What claims most of a server's memory, in the order in which the plan decides."""

FIRST = frozenset(
    {
        "server_down",
        "would_not_start",
        "wraparound",
        "unsafe_file_system",
        "durability_lost",
        *CODES.values(),
    }
)
"""Codes of the warnings that come before the plan itself: a server that is or will be down, data at risk."""


def data_at_risk(start: Situation, end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning of lost data, and of dangerous values."""
    yield from wraparound(start)
    yield from unsafe_file_systems(start)
    yield from lost_durability(start, end)
    yield from absent_standbys(end)
    yield from dangerous_values(end)


def repaired_memory(start: Situation, end: Situation, *, before_fits: bool) -> Iterator[tuple[str, str]]:
    """What the plan takes back where today's settings claim more memory than there is."""
    if before_fits:
        return
    today, then = budget_of(start), budget_of(end)
    lowered = [
        f"{name} {start.will_be(name)} to {end.will_be(name)}"
        for name in CLAIMING
        if then.fits and _is_lowered(start, end, name)
    ]
    if lowered:
        text = (
            f"Today's settings may claim {today.claimed.human()} of {today.total.human()}: memory runs out "
            f"under load. The plan repairs that from its largest cause down: {', '.join(lowered)}; then "
            f"{then.claimed.human()} are claimed."
        )
        yield "memory_repaired", text


def _is_lowered(start: Situation, end: Situation, name: str) -> bool:
    if name not in end.chosen:
        return False
    info = end.settings[name]
    before, after = (Fraction(info.canonical(entry.will_be(name))) for entry in (start, end))
    return after < before
