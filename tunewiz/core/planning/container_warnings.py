"""Warnings about what a control group or a container allows the server: memory, and /dev/shm."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.parallel_memory import (
    RoomEnough,
    SharedMemoryTooSmall,
    shared_by_queries,
    shared_by_vacuum,
)
from tunewiz.core.values.known import Known, known_or


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
