"""Whether processors with equal core ids are threads of one core: on x86 /proc/cpuinfo counts cores too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo

_Counts = tuple[int, int, str]
"""Processors and cores of the socket that this one is in, and the socket."""


def checked_cores(info: CpuInfo, cores: Sequence[frozenset[int]]) -> Sequence[frozenset[int]]:
    """The cores if they are as many as x86 counts, otherwise each processor if none has threads.

    Core ids repeat on the two dies of one socket (Opteron 6100): equal ids alone do not make two threads.
    None if the counts fit neither.
    """
    if all(len(core) == 1 for core in cores):
        return cores
    online = sorted(cpu for core in cores for cpu in core)
    result = {cpu: _counts(info.processors.get(cpu, {})) for cpu in online}
    if all(_fits(result, core, cores) for core in cores):
        return cores
    if all(count and count[0] == count[1] for count in result.values()):
        return [frozenset({cpu}) for cpu in online]
    return ()


def _counts(fields: Mapping[str, str]) -> _Counts | None:
    processors, cores = (file_values.as_integer(fields.get(key, "")) for key in ("siblings", "cpu cores"))
    return (processors, cores, fields.get("physical id", "")) if processors and cores else None


def _fits(
    entries: Mapping[int, _Counts | None], core: frozenset[int], cores: Sequence[frozenset[int]]
) -> bool:
    """Whether the core's socket has as many processors and cores as its processors say."""
    count = entries[min(core)]
    if count is None:
        return False
    here = [one for one in cores if all((results := entries[cpu]) and results[2] == count[2] for cpu in one)]
    return (sum(map(len, here)), len(here)) == count[:2]
