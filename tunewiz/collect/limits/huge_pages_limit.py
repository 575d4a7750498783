"""What the control groups allow of huge pages (kernel: cgroup-v1/hugetlb.rst, cgroup-v2.rst, HugeTLB)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import KIB, Bytes

UNLIMITED = 1 << 62
"""Version 1 writes no limit as the largest multiple of a page below 2^63."""


def reader_of(size: Bytes) -> Callable[[System, str, int], MaybeFact[Bytes]]:
    """Reads the limit on pages of that size in the folder of a group."""
    return partial(_limit, _name_of(size))


def _name_of(size: Bytes) -> str:
    """As the kernel names the files: 64KB, 2MB, 1GB."""
    count, unit = size.count // KIB, "KB"
    for larger in ("MB", "GB"):
        if count % 1024 == 0:
            count, unit = count // 1024, larger
    return f"hugetlb.{count}{unit}"


def _limit(name: str, system: System, folder: str, version: int) -> MaybeFact[Bytes]:
    path = f"{folder}/{name}.{'limit_in_bytes' if version == 1 else 'max'}"
    content = file_values.text(system, path)
    if content == Known("max", path):
        return Absent(f"max: {path}")
    match file_values.converted(content, file_values.as_integer, "bytes"):
        case Known(value=count) if count >= UNLIMITED:
            return Absent(f"unlimited: {path}")
        case Known(value=count) if count < 0:
            return Unknown(f"expected bytes, found {count}: {path}")
        case Known(value=count):
            return Known(Bytes(count), path)
        case Unknown() as unknown:
            return unknown
