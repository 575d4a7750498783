"""Whether a server would start with a combination of settings: checks that PostgreSQL makes only at startup.

Each value may be in range, and `postgres -C` and ALTER SYSTEM may accept it, but the server does not start at
the next restart. Verified on real servers of versions 9.6 to 18 (2026-11).
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.answers.server_limits import MAX_CONNECTIONS
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.huge_pages_limit import kills, limit_below, limit_in_words
from tunewiz.core.server.processes import slots_of_autovacuum
from tunewiz.core.server.shared_memory import SIZED_BY, huge_pages_needed, is_resized, pages_reserved
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import V12

SEGMENTS = 2
"""This many WAL segments must fit into min_wal_size and max_wal_size."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Clash:
    """Settings with which the server would not start."""

    names: tuple[str, ...]
    text: str
    """What is wrong, and what is required; without a full stop."""


def clashes(situation: Situation) -> tuple[Clash, ...]:
    """Everything that keeps the server from starting after the plan."""
    return (
        *_connections(situation),
        *_processes(situation),
        *_wal_sizes(situation),
        *_wal_level(situation),
        *_huge_pages(situation),
        *_limited_huge_pages(situation),
    )


def _connections(situation: Situation) -> Iterator[Clash]:
    allowed = int(situation.will_be("max_connections"))
    reserved = {
        name: _count(situation, name) for name in ("superuser_reserved_connections", "reserved_connections")
    }
    if sum(reserved.values()) >= allowed:
        named = " + ".join(f"{name} ({count})" for name, count in reserved.items() if count)
        yield Clash(
            names=("max_connections", *reserved),
            text=f"{named} must be less than max_connections ({allowed})",
        )
    senders = int(situation.will_be("max_wal_senders"))
    if situation.major < V12 and senders >= allowed:
        text = f"max_wal_senders ({senders}) must be less than max_connections ({allowed}) before version 12"
        yield Clash(names=("max_connections", "max_wal_senders"), text=text)


def _processes(situation: Situation) -> Iterator[Clash]:
    names = ("max_connections", "max_worker_processes", slots_of_autovacuum(situation))
    total = sum(_count(situation, name) for name in names)
    if total >= MAX_CONNECTIONS:
        text = (
            f"{' + '.join(names)} add up to {total}: a server has room for fewer than {MAX_CONNECTIONS} "
            f"processes"
        )
        yield Clash(names=names, text=text)


def _wal_sizes(situation: Situation) -> Iterator[Clash]:
    least = situation.will_be_size("wal_segment_size") * SEGMENTS
    for name in ("min_wal_size", "max_wal_size"):
        if situation.will_be_size(name) < least:
            text = (
                f"{name} ({situation.will_be(name)}) must be at least {least.pg()}, "
                f"{SEGMENTS} segments of WAL"
            )
            yield Clash(names=(name,), text=text)


def _wal_level(situation: Situation) -> Iterator[Clash]:
    if situation.will_be("wal_level") != "minimal":
        return
    senders, archive = situation.will_be("max_wal_senders"), situation.will_be("archive_mode")
    if senders != "0":
        text = f"with wal_level minimal max_wal_senders must be 0, not {senders}"
        yield Clash(names=("wal_level", "max_wal_senders"), text=text)
    if archive != "off":
        text = f"with wal_level minimal archive_mode must be off, not {archive}"
        yield Clash(names=("wal_level", "archive_mode"), text=text)
    if situation.settings.has("summarize_wal") and situation.will_be("summarize_wal") == "on":
        text = "with wal_level minimal summarize_wal must be off"
        yield Clash(names=("wal_level", "summarize_wal"), text=text)


def _limited_huge_pages(situation: Situation) -> Iterator[Clash]:
    """Beyond a control group's limit the server is killed while it starts, with try too, or refused pages."""
    if situation.will_be("huge_pages") == "off":
        return
    try:
        need, reserved = huge_pages_needed(situation), pages_reserved(situation)
    except MissingFact:
        return
    if reserved < need.count or not (limit := limit_below(situation, need)):
        return
    if kills(limit) or situation.will_be("huge_pages") == "on":
        yield Clash(names=("huge_pages", "shared_buffers"), text=limit_in_words(limit, need))


def _huge_pages(situation: Situation) -> Iterator[Clash]:
    """With `on`, too few pages prevent the start; a running server whose memory stays has enough."""
    if situation.will_be("huge_pages") != "on":
        return
    if situation.settings.has("shared_memory_type") and situation.will_be("shared_memory_type") != "mmap":
        text = f"huge_pages on needs shared_memory_type mmap, not {situation.will_be('shared_memory_type')}"
        yield Clash(names=("huge_pages", "shared_memory_type"), text=text)
    changed = "huge_pages" in situation.chosen or is_resized(situation)
    if not changed or situation.in_container:
        return
    try:
        need, reserved = huge_pages_needed(situation), pages_reserved(situation)
    except MissingFact:
        return
    if reserved < need.count:
        text = (
            f"huge_pages on needs {how_many(need.count, 'huge page')}, reserved: {reserved}. {need.computed}"
        )
        yield Clash(names=("huge_pages", *SIZED_BY), text=text)


def _count(situation: Situation, name: str) -> int:
    return int(situation.will_be(name)) if situation.settings.has(name) else 0
