"""Warnings about memory: for the plan, for all sessions at once, within a control group or container."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.parallel_memory import (
    RoomEnough,
    SharedMemoryTooSmall,
    shared_by_queries,
    shared_by_vacuum,
)
from tunewiz.core.server.sorts import sessions_at_work
from tunewiz.core.values.known import Known, known_or


def memory_warnings(end: Situation, *, before_fits: bool, after_fits: bool) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    if not after_fits:
        whose = "This plan" if before_fits else "Even today's configuration"
        text = f"{whose} can exceed RAM at this many connections. Use a connection pool or add memory."
        yield "memory_overcommitted", text
    yield from _at_worst(end)


def _at_worst(situation: Situation) -> Iterator[tuple[str, str]]:
    """What the budget does not count on: every session at its limit in the same moment."""
    if not isinstance(situation.facts.memory.total, Known):
        return
    budget = budget_of(situation)
    if budget.fits and budget.at_worst > budget.total:
        at_work = sessions_at_work(situation)
        some = f"that {at_work:,} of {situation.connections:,} sessions are active. If all"
        every = (
            f"that all {situation.connections:,} sessions are active, each with "
            f"a sort or two. If all their steps"
        )
        bounds = "a pool or a smaller work_mem limits that"
        text = (
            f"The plan assumes {some if at_work < situation.connections else every} "
            f"sorted and hashed at their "
            f"limit at once, they would use {budget.at_worst.human()} of {budget.total.human()}: "
            f"{bounds if at_work < situation.connections else 'a smaller work_mem limits that'}."
        )
        yield "memory_worst_case", text


def container_warnings(end: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    yield from _throttled(end)
    yield from _shared_by_queries(end)
    yield from _shared_by_vacuum(end)


def _throttled(end: Situation) -> Iterator[tuple[str, str]]:
    """If memory.high is below the limit, the memory above it was paid for but cannot be used."""
    limits, total = end.facts.limits, known_or(end.facts.memory.total, None)
    high = limits.memory_high
    if isinstance(high, Known) and total is not None and high.value < known_or(limits.memory, total):
        text = (
            f"The kernel throttles the server above {high.value.human()} ({high.how}): the plan stays "
            "below it. Raise MemoryHigh of its unit, or the platform's memory QoS, to use more."
        )
        yield "memory_high", text


def _shared_by_queries(end: Situation) -> Iterator[tuple[str, str]]:
    match shared_by_queries(end):
        case SharedMemoryTooSmall(room=room, computed=computed):
            text = (
                f"The memory file system /dev/shm holds {room.short()}, but one parallel hash join may need "
                f"more ({computed}): the query would fail with “could not resize shared memory segment”. "
                "Enlarge it (docker run --shm-size=1g; Kubernetes: an emptyDir with medium: Memory "
                "there), or set max_parallel_workers_per_gather to 0."
            )
            yield "shared_memory_small", text
        case RoomEnough():
            return


def _shared_by_vacuum(end: Situation) -> Iterator[tuple[str, str]]:
    match shared_by_vacuum(end):
        case SharedMemoryTooSmall(room=room, computed=computed):
            text = (
                f"The memory file system /dev/shm holds {room.short()}, but a VACUUM with parallel workers "
                f"keeps its dead rows there ({computed}, and a header): it would fail with “could not resize "
                "shared memory segment”. Enlarge it, or run VACUUM (PARALLEL 0), or set "
                "max_parallel_maintenance_workers to 0."
            )
            yield "shared_memory_for_vacuum", text
        case RoomEnough():
            return
