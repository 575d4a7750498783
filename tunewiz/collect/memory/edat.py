"""Without the enhanced DAT facility (EDAT) an s390x kernel has neither huge pages nor transparent ones.

A kernel that has none does not say why; /proc/cpuinfo does, where `features` lacks the word `edat`.
"""

from __future__ import annotations

from typing import TypeVar

from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact

T = TypeVar("T")
_FACILITY = "edat"


def lacks_edat(cpuinfo: Fact[CpuInfo]) -> bool:
    """Whether this is an s390x machine that is known to lack it."""
    if not isinstance(cpuinfo, Known) or cpuinfo.value.first("vendor_id") != "IBM/S390":
        return False
    features = cpuinfo.value.first("features").split()
    return bool(features) and _FACILITY not in features


def with_the_reason(fact: MaybeFact[T], cpuinfo: Fact[CpuInfo]) -> MaybeFact[T]:
    """The same fact; of what the machine cannot have, the reason."""
    if isinstance(fact, Absent) and isinstance(cpuinfo, Known) and lacks_edat(cpuinfo):
        return Absent(f"no {_FACILITY} (enhanced DAT) among the features in {cpuinfo.how}")
    return fact
