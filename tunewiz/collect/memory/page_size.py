"""The size of a memory page: 4 KiB almost everywhere, up to 64 KiB on POWER and Arm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.collect import file_values
from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import KIB, Bytes

_FREE_PAGES = re.compile(r"^nr_free_pages ([0-9]{1,15})$", re.MULTILINE)
_SIZES = (4 * KIB, 16 * KIB, 64 * KIB)
_ALWAYS_4K = frozenset({"x86_64", "i686", "i586", "i386", "s390x"})
_OF_HUGE = MappingProxyType({2048: 4 * KIB, 32768: 16 * KIB, 524288: 64 * KIB})
"""Arm: a default huge page of so many kB is one of the middle level of page tables of so many bytes."""


def read_page_size(system: System, meminfo: Fact[Mapping[str, int]]) -> Fact[Bytes]:
    """The running kernel's answer; for a capture what its own counters or its architecture say."""
    try:
        return Known(Bytes(system.page_size()), "sysconf SC_PAGE_SIZE")
    except ReadError as error:
        return file_values.first(
            (_by_architecture(system, meminfo), _by_counters(system, meminfo), Unknown(error.message))
        )


def _by_architecture(system: System, meminfo: Fact[Mapping[str, int]]) -> Fact[Bytes]:
    machine = system.uname().machine
    if not isinstance(machine, Known):
        return machine
    if machine.value in _ALWAYS_4K:
        return Known(Bytes(4 * KIB), f"{machine.how}: {machine.value} has no other")
    if machine.value == "aarch64" and isinstance(meminfo, Known):
        size = _OF_HUGE.get(meminfo.value.get("Hugepagesize", 0))
        if size:
            return Known(Bytes(size), f"{meminfo.how}: Hugepagesize")
    return Unknown(f"{machine.value} has several page sizes")


def _by_counters(system: System, meminfo: Fact[Mapping[str, int]]) -> Fact[Bytes]:
    """Free memory stands in pages in /proc/vmstat and in kB in /proc/meminfo, read a moment apart."""
    counters = file_values.text(system, "/proc/vmstat")
    matched = _FREE_PAGES.search(counters.value) if isinstance(counters, Known) else None
    pages = int(matched[1]) if matched else 0
    free = meminfo.value.get("MemFree", 0) * KIB if isinstance(meminfo, Known) else 0
    if not pages or not free:
        return Unknown("free memory is not in both /proc/vmstat and /proc/meminfo")
    nearest = min(_SIZES, key=lambda size: abs(size - free / pages))
    return Known(Bytes(nearest), "/proc/meminfo: MemFree divided by /proc/vmstat: nr_free_pages")
