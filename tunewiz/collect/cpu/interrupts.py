"""Which processor serves device interrupts (/proc/interrupts)."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Interrupts
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

TABLE = "/proc/interrupts"

_HEAD = re.compile(r"(?:\s*CPU[0-9]{1,5})+\s*")
_ROW = re.compile(r"\s*[0-9]{1,9}:(.*)")
_OF_NO_DEVICE = re.compile(r"timer|ipi", re.IGNORECASE)
"""Per-processor timers, and POWER's numbered interrupts between processors, belong to no device."""


def read_interrupts(system: System) -> MaybeFact[Interrupts]:
    """The number of interrupts since boot, and the processor that served most of them."""
    lines = file_values.lines(system, TABLE)
    if not isinstance(lines, Known):
        return lines
    head, *rows = lines.value.splitlines() or [""]
    if not _HEAD.fullmatch(head):
        return Unknown(f"expected the numbers of processors, found {head[:40]!r}: {lines.how}")
    numbers = [int(name.removeprefix("CPU")) for name in head.split()]
    served = [0] * len(numbers)
    for row in rows:
        for place, count in enumerate(_counts(row, len(numbers))):
            served[place] += count
    total = sum(served)
    if not total:
        return Absent(f"there are no numbered device interrupts: {lines.how}")
    most = max(served)
    busiest = numbers[served.index(most)]
    return Known(Interrupts(total=total, busiest=busiest, share=round(most / total, 4)), lines.how)


def _counts(row: str, processors: int) -> list[int]:
    """The count for each processor in a device's row; nothing for any other row."""
    matched = _ROW.fullmatch(row)
    if matched is None:
        return []
    fields = matched[1].split()
    counts = [count for field in fields[:processors] if (count := file_values.as_integer(field)) is not None]
    if len(counts) != processors or min(counts) < 0:
        return []
    return [] if _OF_NO_DEVICE.search(" ".join(fields[processors:])) else counts
