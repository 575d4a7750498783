"""Signs of memory shortage: pressure stall information, swap, and pages evicted too early."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.strain import Strain
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

PRESSURE = "/proc/pressure/memory"
"""Pressure stall information (Documentation/accounting/psi.rst), from Linux 4.20 where compiled in."""
VMSTAT = "/proc/vmstat"
UPTIME = "/proc/uptime"
_STALLED = re.compile(r"^some .*\btotal=([0-9]{1,18})$", re.MULTILINE)

_UPTIME = re.compile(r"([0-9]{1,12})\.[0-9]+ ")


def read_strain(system: System) -> Strain:
    """Since the machine was booted."""
    vmstat = file_values.lines(system, VMSTAT)
    return Strain(
        seconds=_seconds(system),
        stalled_us=_stalled(system),
        swapped_in=_counted(vmstat, "pswpin"),
        # Up to Linux 5.8 a single counter for all pages, then a separate one for file pages.
        refaults=_first(_counted(vmstat, "workingset_refault_file"), _counted(vmstat, "workingset_refault")),
    )


def strain_between(before: Strain, after: Strain) -> Strain:
    """The difference between two counts."""
    stalled = after.stalled_us
    return Strain(
        seconds=_grown(before.seconds, after.seconds),
        stalled_us=stalled if isinstance(stalled, Absent) else _grown(before.stalled_us, stalled),
        swapped_in=_grown(before.swapped_in, after.swapped_in),
        refaults=_grown(before.refaults, after.refaults),
    )


def _grown(before: MaybeFact[int], after: Fact[int]) -> Fact[int]:
    match before, after:
        case Known(value=one), Known(value=other, how=how) if other >= one:
            return Known(other - one, how)
        case Unknown() as unknown, _:
            return unknown
        case _, Unknown() as unknown:
            return unknown
        case _:
            return Unknown("the counters were reset in between")


def _seconds(system: System) -> Fact[int]:
    return file_values.converted(file_values.text(system, UPTIME), _whole, "seconds")


def _whole(uptime: str) -> int | None:
    matched = _UPTIME.match(uptime)
    return int(matched[1]) if matched else None


def _stalled(system: System) -> MaybeFact[int]:
    text = file_values.text(system, PRESSURE)
    if isinstance(text, Unknown):
        why = f"no {PRESSURE}: this kernel does not count it"
        return text if system.exists(PRESSURE) else file_values.absent(system, PRESSURE, why)
    matched = _STALLED.search(text.value)
    return Known(int(matched[1]), text.how) if matched else Unknown(f"no line `some … total=`: {text.how}")


def _counted(vmstat: Fact[str], name: str) -> Fact[int]:
    if isinstance(vmstat, Unknown):
        return vmstat
    matched = re.search(rf"^{name} ([0-9]{{1,18}})$", vmstat.value, re.MULTILINE)
    if matched is None:
        return Unknown(f"no line {name}: {vmstat.how}")
    return Known(int(matched[1]), f"{vmstat.how}: {name}")


def _first(one: Fact[int], other: Fact[int]) -> Fact[int]:
    return one if isinstance(one, Known) else other
