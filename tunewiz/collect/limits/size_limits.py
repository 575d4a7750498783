"""Limits of control groups that are sizes; of huge pages by their size (kernel: cgroup-v1/hugetlb.rst)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import KIB, Bytes

UNLIMITED_V1 = 1 << 62
"""Version 1 writes no limit as the largest multiple of a page below 2^63 (kernel: cgroup-v1/memory.rst)."""


def size_limit(system: System, path: str) -> MaybeFact[Bytes]:
    """The size in a file; absent where it is `max` or stands for no limit."""
    content = file_values.text(system, path)
    if content == Known("max", path):
        return Absent(f"max: {path}")
    match file_values.converted(content, file_values.as_integer, "bytes"):
        case Known(value=count) if count >= UNLIMITED_V1:
            return Absent(f"unlimited: {path}")
        case Known(value=count) if count < 0:
            return Unknown(f"expected bytes, found {count}: {path}")
        case Known(value=count):
            return Known(Bytes(count), path)
        case Unknown() as unknown:
            return unknown


def huge_pages_reader(size: Bytes) -> Callable[[System, str, int], MaybeFact[Bytes]]:
    """Reads the limit on pages of that size in the folder of a group."""
    return partial(_huge_pages, _name_of(size))


def _huge_pages(name: str, system: System, folder: str, version: int) -> MaybeFact[Bytes]:
    """The smaller of what may be touched and of what may be asked for; kernels before 5.7 lack the latter."""
    ending = "limit_in_bytes" if version == 1 else "max"
    touched = size_limit(system, f"{folder}/{name}.{ending}")
    known = [touched, size_limit(system, f"{folder}/{name}.rsvd.{ending}")]
    return min((one for one in known if isinstance(one, Known)), key=lambda one: one.value, default=touched)


def _name_of(size: Bytes) -> str:
    """As the kernel names the files: 64KB, 2MB, 1GB."""
    count, unit = size.count // KIB, "KB"
    for larger in ("MB", "GB"):
        if count % 1024 == 0:
            count, unit = count // 1024, larger
    return f"hugetlb.{count}{unit}"
