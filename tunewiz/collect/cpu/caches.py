"""Processor caches: kinds, sizes, how many there are and how many processors share one."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import PATH, CpuInfo
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Cache
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import KIB, MIB, Bytes

CacheType = Literal["data", "instruction", "unified"]
Kind = tuple[int, CacheType]

_TYPES: dict[str, CacheType] = {"data": "data", "instruction": "instruction", "unified": "unified"}
_FACTORS = {"": 1, "K": KIB, "M": MIB}
_SIZE = re.compile(r"([0-9]{1,12})([KM]?)B?")
_MOST_LEVELS = 9
_BESIDE_LEVEL = frozenset({"type", "size", "shared_cpu_list", "shared_cpu_map"})


@dataclass(slots=True)
class _Found:
    """Instances of one kind as they are found; sizes and sharing may differ in hybrid machines."""

    instances: set[frozenset[int]] = field(default_factory=set[frozenset[int]])
    sizes: set[int] = field(default_factory=set[int])
    unsized: bool = False
    """Whether the size of one of them is missing: sizes may differ."""
    alone: set[int] = field(default_factory=set[int])
    """Processors that have such a cache, without knowing which ones share it."""


class _IncompleteError(Exception):
    """One processor does not report about a cache what others do."""


def read_caches(
    system: System, online: frozenset[int], cores: int, cpuinfo: Fact[CpuInfo]
) -> Fact[tuple[Cache, ...]]:
    """All kinds of caches of the online processors, the smallest level first.

    s390x reports the shared levels, and old kernels all sizes, only in /proc/cpuinfo.
    """
    if isinstance(cpuinfo, Known) and not (cpuinfo.value.whole or cpuinfo.value.processors):
        return Unknown(f"cut before the first processor, so caches may be missing: {PATH}")
    try:
        caches = _from_sysfs(system, online)
    except _IncompleteError as error:
        return Unknown(f"incomplete: {error}")
    in_sysfs = {kind: _cache(kind, of_kind) for kind, of_kind in caches.items()}
    listed = _listed(cpuinfo.value, cores) if isinstance(cpuinfo, Known) else {}
    merged = listed | {kind: _with_size(cache, listed.get(kind)) for kind, cache in in_sysfs.items()}
    if not merged:
        return Unknown(f"no such file: {FOLDER}/cpu*/cache/index*/level")
    sources = ([f"{FOLDER}/cpu*/cache/index*"] if in_sysfs else []) + ([f"{PATH}: cacheN"] if listed else [])
    return Known(tuple(cache for _, cache in sorted(merged.items())), " and ".join(sources))


def _with_size(cache: Cache, listed: Cache | None) -> Cache:
    return replace(cache, size=listed.size) if listed and cache.size is None else cache


def _cache(kind: Kind, entry: _Found) -> Cache:
    shared = [len(members) for members in entry.instances]
    return Cache(
        level=kind[0],
        type=kind[1],
        size=Bytes(max(entry.sizes)) if entry.sizes and not entry.unsized else None,
        instances=len(shared) or None,
        shared_by=max(shared, default=0) or None,
    )


def _from_sysfs(system: System, online: frozenset[int]) -> dict[Kind, _Found]:
    """Read each instance once: a processor whose caches are all shared with an earlier one is skipped."""
    result = dict[Kind, _Found]()
    complete, untold = set[str](), dict[str, str]()
    shared_caches = dict[int, int]()
    for cpu in sorted(online):
        listing = file_values.names(system, f"{FOLDER}/cpu{cpu}/cache")
        entries = listing.value if isinstance(listing, Known) else ()
        indexes = [name for name in entries if name.startswith("index")]
        if shared_caches.get(cpu, 0) >= len(indexes):
            continue
        for name in indexes:
            path = f"{FOLDER}/cpu{cpu}/cache/{name}"
            kind = _kind(system, path)
            if kind is None:
                untold[name] = path
                complete |= {name} if _is_half_told(system, path) else set()
                continue
            complete.add(name)
            for member in _add(system, path, cpu, online, result.setdefault(kind, _Found())):
                shared_caches[member] = shared_caches.get(member, 0) + 1
    _check(result, [path for name, path in untold.items() if name in complete])
    if result and not system.complete:
        _keep_what_all_have(result, online)
    return result


def _check(results: dict[Kind, _Found], untold: list[str]) -> None:
    for path in untold:
        raise _IncompleteError(path)
    for (level, kind), of_kind in results.items():
        missing = of_kind.alone - frozenset[int]().union(*of_kind.instances)
        if missing and any(entry.instances for entry in results.values()):
            raise _IncompleteError(f"{FOLDER}/cpu{min(missing)}/cache, level {level} {kind}")


def _keep_what_all_have(results: dict[Kind, _Found], online: frozenset[int]) -> None:
    """A capture may lack a cache's folder: how many there are is left open where a processor has none."""
    if len(online) == 1:
        raise _IncompleteError(f"a capture of one processor may lack some: {FOLDER}/cpu{min(online)}/cache")
    for kind, of_kind in results.items():
        if online - frozenset[int]().union(*of_kind.instances):
            results[kind] = _Found(alone=of_kind.alone)


def _add(system: System, path: str, cpu: int, online: frozenset[int], of_kind: _Found) -> frozenset[int]:
    """Add one cache; returns the processors that share it if it is new."""
    members = _sharing(system, path, cpu) & online
    if not members:
        of_kind.alone.add(cpu)
    if not members or members in of_kind.instances:
        return frozenset()
    of_kind.instances.add(members)
    size = file_values.text(system, f"{path}/size")
    if isinstance(size, Known) and (count := as_size(size.value)):
        of_kind.sizes.add(count)
    else:
        of_kind.unsized = True
    return members


def _kind(system: System, path: str) -> Kind | None:
    level, kind = file_values.number(system, f"{path}/level"), file_values.text(system, f"{path}/type")
    if not isinstance(level, Known) or not isinstance(kind, Known) or not 0 < level.value <= _MOST_LEVELS:
        return None
    name = _TYPES.get(kind.value.lower())
    return (level.value, name) if name else None


def _is_half_told(system: System, path: str) -> bool:
    """Whether there is more than the level: then level and type should be there too."""
    names = file_values.names(system, path)
    return isinstance(names, Known) and bool(_BESIDE_LEVEL & set(names.value))


def _sharing(system: System, path: str, cpu: int) -> frozenset[int]:
    """Processors that share the cache; none if the kernel does not report them."""
    listed = file_values.processors(system, f"{path}/shared_cpu_list")
    if isinstance(listed, Known) and cpu in listed.value:
        return listed.value
    mapped = file_values.bit_map(system, f"{path}/shared_cpu_map")
    return mapped.value if isinstance(mapped, Known) and cpu in mapped.value else frozenset()


def as_size(content: str) -> int | None:
    """Bytes of `32K`, as sysfs and /proc/cpuinfo write it."""
    matched = _SIZE.fullmatch(content)
    return int(matched[1]) * _FACTORS[matched[2]] if matched else None


def _listed(info: CpuInfo, cores: int) -> dict[Kind, Cache]:
    """The lines `cache0 : level=1 type=Data scope=Private size=128K …` of s390x."""
    caches = dict[Kind, Cache]()
    for key, value in info.machine.items():
        fields = dict(part.split("=", 1) for part in value.split() if "=" in part)
        level, kind = (
            file_values.as_integer(fields.get("level", "")),
            _TYPES.get(fields.get("type", "").lower()),
        )
        if key.startswith("cache") and kind and level and 0 < level <= _MOST_LEVELS:
            size, private = as_size(fields.get("size", "")), fields.get("scope") == "Private"
            caches[level, kind] = Cache(
                level=level,
                type=kind,
                size=Bytes(size) if size else None,
                instances=cores if private and cores else None,
                shared_by=None,
            )
    return caches
