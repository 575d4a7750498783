"""Memory that the processes of one parallel query share, and whether the file system for it is large enough.

A parallel hash join keeps its table in a segment of dynamic shared memory, which with
`dynamic_shared_memory_type = posix` is a file in /dev/shm. Where that is too small, the query fails with
"could not resize shared memory segment" (PostgreSQL 11 and newer; containers get 64 MB by default).
"""

from __future__ import annotations

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.sorts import multiplier, workers_of_a_query
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.core.values.versions import V11, V13, V17

LARGEST_BEFORE_17 = Bytes(GIB)
"""Before version 17 vacuum could not use more than this for dead rows (release notes 17)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SharedMemoryTooSmall:
    """One hash join may need more than /dev/shm holds."""

    room: Bytes
    need: Bytes
    computed: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RoomEnough:
    """It holds what one hash join may need, or nothing limits it, or no query shares memory there."""


def shared_by_queries(situation: Situation) -> SharedMemoryTooSmall | RoomEnough:
    """Whether /dev/shm holds the table of one parallel hash join after the plan."""
    room, workers = situation.facts.limits.shared_memory, workers_of_a_query(situation)
    if situation.major < V11 or workers == 0 or situation.will_be("dynamic_shared_memory_type") != "posix":
        return RoomEnough()
    need = situation.will_be_size("work_mem") * multiplier(situation) * (workers + 1)
    if not isinstance(room, Known) or need <= room.value:
        return RoomEnough()
    computed = (
        f"work_mem {situation.will_be('work_mem')} x {float(multiplier(situation)):g} for a hash x "
        f"{workers + 1} processes = {need.short()}"
    )
    return SharedMemoryTooSmall(room=room.value, need=need, computed=computed)


def shared_by_vacuum(situation: Situation) -> SharedMemoryTooSmall | RoomEnough:
    """Whether /dev/shm holds the dead rows of one VACUUM with parallel workers (13 and newer).

    At 64 MB of both it fails: a header comes on top ("could not resize shared memory segment to 67145056
    bytes").
    """
    room, workers = situation.facts.limits.shared_memory, "max_parallel_maintenance_workers"
    if (
        situation.major < V13
        or situation.will_be(workers) == "0"
        or situation.will_be("dynamic_shared_memory_type") != "posix"
    ):
        return RoomEnough()
    need = situation.will_be_size("maintenance_work_mem")
    if situation.major < V17:
        need = min(need, LARGEST_BEFORE_17)
    if not isinstance(room, Known) or need < room.value:
        return RoomEnough()
    computed = f"maintenance_work_mem {situation.will_be('maintenance_work_mem')}"
    return SharedMemoryTooSmall(room=room.value, need=need, computed=computed)
