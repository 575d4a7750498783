"""The size of a memory page: 4 KiB almost everywhere, up to 64 KiB on POWER and Arm."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.core.known import Fact, Known, Unknown
from tunewiz.core.units import KIB, Bytes
from tunewiz.facts import reading
from tunewiz.system import ReadError, System

_COUNTED_PAGES = re.compile(r"^nr_(?:page_table_pages|anon_pages|mapped) ([0-9]{1,15})$", re.MULTILINE)
_COUNTED_KB = ("AnonPages", "Mapped", "PageTables")
_SIZES = (4 * KIB, 16 * KIB, 64 * KIB)
_ALWAYS_4K = frozenset({"x86_64", "i686", "i586", "i386", "s390x"})
_OF_HUGE = MappingProxyType({2048: 4 * KIB, 32768: 16 * KIB, 524288: 64 * KIB})
"""Arm: a default huge page of so many kB is one of the middle level of page tables of so many bytes."""


def read_page_size(system: System, meminfo: Fact[Mapping[str, int]]) -> Fact[Bytes]:
    """The running kernel's answer; for a capture what its own counters or its architecture say."""
    try:
        return Known(Bytes(system.page_size()), "sysconf SC_PAGE_SIZE")
    except ReadError as error:
        return reading.first(
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
    """The same amounts stand in pages in /proc/vmstat and in kB in /proc/meminfo, read a moment apart."""
    counters = reading.text(system, "/proc/vmstat")
    if not isinstance(counters, Known) or not isinstance(meminfo, Known):
        return Unknown("no counters in both /proc/vmstat and /proc/meminfo")
    pages = sum(int(count) for count in _COUNTED_PAGES.findall(counters.value))
    amount = sum(meminfo.value.get(name, 0) for name in _COUNTED_KB) * KIB
    if not pages or not amount:
        return Unknown("no counters in both /proc/vmstat and /proc/meminfo")
    nearest = min(_SIZES, key=lambda size: abs(size - amount / pages))
    return Known(Bytes(nearest), "/proc/meminfo divided by /proc/vmstat")
