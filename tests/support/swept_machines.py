"""Machines and answers of every size, the same each time, and again with one input a little larger."""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import get_args

from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.facts.replication import Slot
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.facts.storage_kind import StorageKind
from tunewiz.core.recommendation.example_replication import read_slot, spilling_slot, with_slots
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.shared_memory import SMALL_CACHES
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.core.values.versions import SUPPORTED

LITTLE = Fraction(105, 100)
"""A step of 5 %."""

MEMORY = (1024, 4 * 1024 * 1024)
"""Megabytes: 1 GB to 4 TB."""
CORES = (1, 1024)
CONNECTIONS = (20, 5000)
SIZE_SHARE = (1, 10_000)
"""Hundredths of memory: a hundredth of it to a hundred times as much."""
FILE = 10 * 1024
"""The kernel's default for fs.file-max: one for each 10 kB of memory."""
RECOVERY = (60, 3600)
"""Seconds."""
OFTEN_ENOUGH = 0.5


def machines(count: int, seed: int) -> Iterator[Given]:
    """So many machines, spread evenly over the magnitudes of each input."""
    draw = Random(seed)  # noqa: S311 - nothing is secret here
    counts = Random(seed + 1_000_000)  # noqa: S311 - as above; by itself, so that no machine changes with it
    for _ in range(count):
        memory = _between(draw, MEMORY) * MIB
        yield Given(
            memory=f"{memory}B",
            available=f"{memory * 9 // 10}B",
            cores=_between(draw, CORES),
            threads_per_core=draw.choice((1, 2, 8)),
            disk=draw.choice(get_args(StorageKind)),
            workload=draw.choice(get_args(WorkloadKind)),
            connections=_between(draw, CONNECTIONS),
            database_size=f"{memory * _between(draw, SIZE_SHARE) // 100}B",
            posture=draw.choice(get_args(Posture)),
            recovery_time=f"{_between(draw, RECOVERY)}s",
            major=str(draw.choice(SUPPORTED)),
            free_space=f"{_between(draw, (10, 100_000)) * GIB}B",
            kernel={"fs.file-max": memory // FILE},
            open_files=1024,
            wbt_lat_usec=75_000,
            nr_requests=256,
            replicas=counts.randrange(3),
            replication=with_slots(*_slots(counts)),
            slru=Known(tuple(_caches(counts)), "swept"),
        )


def _slots(draw: Random) -> Iterator[Slot]:
    """None to two standbys' own, and none or one of a subscriber that spills."""
    yield from (read_slot(f"standby_{number}") for number in range(draw.randrange(3)))
    if draw.random() < OFTEN_ENOUGH:
        spills = _between(draw, (1, 10_000))
        yield spilling_slot(spills=spills, spilled=f"{spills * _between(draw, (64, 64 * 1024)) * MIB}B")


def _caches(draw: Random) -> Iterator[SlruCache]:
    for name in SMALL_CACHES:
        looks = _between(draw, (1000, 10**9))
        read = _between(draw, (1, looks))
        yield SlruCache(name=name.removesuffix("_buffers"), hit=looks - read, read=read)


def _between(draw: Random, bounds: tuple[int, int]) -> int:
    least, most = bounds
    return max(least, min(most, round(math.exp(draw.uniform(math.log(least), math.log(most))))))


def _more(text: str) -> str:
    return f"{int(Bytes.parse(text).count * LITTLE)}B"


STEPS: Mapping[str, Callable[[Given], Given]] = MappingProxyType(
    {
        "memory": lambda one: dataclasses.replace(
            one, memory=_more(one.memory), available=_more(one.available)
        ),
        "cores": lambda one: dataclasses.replace(one, cores=int(one.cores * LITTLE)),
        "connections": lambda one: dataclasses.replace(one, connections=int(one.connections * LITTLE)),
        "database_size": lambda one: dataclasses.replace(one, database_size=_more(one.database_size)),
        "free_space": lambda one: dataclasses.replace(one, free_space=_more(one.free_space)),
        "recovery_time": lambda one: dataclasses.replace(
            one, recovery_time=f"{int(int(one.recovery_time.removesuffix('s')) * LITTLE)}s"
        ),
    }
)
"""Each input a little larger, whole numbers rounded down."""
