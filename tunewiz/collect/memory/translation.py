"""How POWER finds the page of an address: along a radix tree, or in the partition's hash table.

The kernel says which on the line `MMU` of /proc/cpuinfo (arch/powerpc/platforms/pseries/setup.c). Older ones
do not, but each way has huge pages of its own sizes (arch/powerpc/mm/hugetlbpage.c).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.cpu.special import is_power
from tunewiz.core.facts.machine import Translation
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes

_WORDS: Mapping[str, Translation] = MappingProxyType({"Radix": "radix", "Hash": "hash"})
_OF_SIZE: Mapping[Bytes, Translation] = MappingProxyType(
    {Bytes(2 * MIB): "radix", Bytes(GIB): "radix", Bytes(16 * MIB): "hash", Bytes(16 * GIB): "hash"}
)
"""By the huge pages that only it has."""


def read_translation(cpuinfo: Fact[CpuInfo], sizes: MaybeFact[tuple[Bytes, ...]]) -> MaybeFact[Translation]:
    """The word `radix` or `hash`; absent on other architectures, which have one way only.

    Args:
        cpuinfo: What /proc/cpuinfo says.
        sizes: Of the huge pages that the kernel offers.
    """
    if not isinstance(cpuinfo, Known):
        return cpuinfo
    if not is_power(cpuinfo.value):
        return Absent("only POWER has two ways of translating addresses")
    word = _WORDS.get(cpuinfo.value.first("MMU"))
    if word is not None:
        return Known(word, f"{cpuinfo.how}: MMU")
    if isinstance(sizes, Known) and (only := _only_way(sizes.value)) is not None:
        return Known(only, f"{sizes.how}: only that way has such huge pages")
    return Unknown(f"no line MMU: {cpuinfo.how}, and no huge pages that tell it")


def _only_way(sizes: tuple[Bytes, ...]) -> Translation | None:
    """The way that has huge pages of all these sizes."""
    ways = set[Translation | None](map(_OF_SIZE.get, sizes))
    return ways.pop() if len(ways) == 1 else None
