"""Warnings about values set by hand that the server accepts but the administrator will regret."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_memory import per_connection
from tunewiz.core.server.standby import bound, is_standby, lowers
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.units import Bytes

MAX_BUFFERS = Fraction(1, 2)
"""Share of memory. Buffers are only reserved at startup: 20 GB start in 24 GB and hurt under load."""


def value_warnings(situation: Situation, by_hand: frozenset[str]) -> Iterator[str]:
    """Warnings about the values that were set by hand, as sentences.

    Args:
        situation: With the values that the plan puts in force.
        by_hand: Names of the settings whose values a person gave.
    """
    if isinstance(situation.facts.memory.total, Known):
        yield from _of_memory(situation, by_hand)
    yield from _of_space(situation, by_hand)
    yield from _of_each_other(situation, by_hand)
    if is_standby(situation):
        yield from _of_standby(situation, by_hand)


def _of_memory(situation: Situation, by_hand: frozenset[str]) -> Iterator[str]:
    buffers, cached = situation.will_be_size("shared_buffers"), situation.will_be_size("effective_cache_size")
    sessions = int(situation.will_be("max_connections"))
    if "shared_buffers" in by_hand and buffers > situation.memory * MAX_BUFFERS:
        yield (
            f"shared_buffers {buffers.pg()} is more than half of {situation.memory.short()}: "
            "the server starts, but memory runs short as the buffers fill."
        )
    if "effective_cache_size" in by_hand and cached > situation.memory:
        yield f"effective_cache_size {cached.pg()} is more than the {situation.memory.short()} available."
    if "max_connections" in by_hand and per_connection(situation) * sessions > situation.memory:
        claimed = (per_connection(situation) * sessions).short()
        yield (
            f"max_connections {sessions} lets in more sessions than have room: {claimed} for all of them, "
            f"of {situation.memory.short()}."
        )


def _of_space(situation: Situation, by_hand: frozenset[str]) -> Iterator[str]:
    most = situation.will_be_size("max_wal_size")
    free = _free_for_wal(situation)
    if "max_wal_size" in by_hand and most > free:
        yield (
            f"max_wal_size {most.pg()} is more than the {free.short()} that are free for WAL: "
            "the server stops when they are full."
        )


def _free_for_wal(situation: Situation) -> Bytes:
    """Free space on the WAL's file system; if that is unknown, as much as max_wal_size."""
    try:
        free = situation.storage_for("wal").free
    except MissingFact:
        return situation.will_be_size("max_wal_size")
    return free.value if isinstance(free, Known) else situation.will_be_size("max_wal_size")


def _of_each_other(situation: Situation, by_hand: frozenset[str]) -> Iterator[str]:
    random, sequential = situation.will_be("random_page_cost"), situation.will_be("seq_page_cost")
    if "random_page_cost" in by_hand and Fraction(random) < Fraction(sequential):
        yield (
            f"random_page_cost {random} is less than seq_page_cost {sequential}: "
            "the planner will believe that random reads are cheaper than sequential ones."
        )
    if "autovacuum_max_workers" in by_hand and situation.settings.has("autovacuum_worker_slots"):
        workers, slots = (
            situation.will_be("autovacuum_max_workers"),
            situation.will_be("autovacuum_worker_slots"),
        )
        if int(workers) > int(slots):
            yield f"autovacuum_max_workers {workers} exceeds autovacuum_worker_slots {slots}: {slots} run."


def _of_standby(situation: Situation, by_hand: frozenset[str]) -> Iterator[str]:
    for name in sorted(by_hand & {*bound(situation)}):
        if lowers(situation, name, situation.will_be(name)):
            yield (
                f"{name} {situation.will_be(name)} is lower than now: this standby "
                f"stops if its primary has more."
            )
