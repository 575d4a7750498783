"""The cache that ZFS keeps beside the kernel's page cache: what it holds, and between which bounds it moves.

OpenZFS publishes its counters in kstat tables: a line of three words each, name, type, value (zfs(4)).
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import ZfsCache
from tunewiz.core.values.known import Known, MaybeFact, Unknown
from tunewiz.core.values.units import Bytes

ARCSTATS = "/proc/spl/kstat/zfs/arcstats"
_COUNTED = re.compile(r"^(size|c_min|c_max)[ \t]+[0-9]+[ \t]+([0-9]{1,18})$", re.MULTILINE)


def read_zfs_cache(system: System) -> MaybeFact[ZfsCache]:
    """Absent where the kernel has no ZFS."""
    table = file_values.lines(system, ARCSTATS)
    if isinstance(table, Unknown):
        why = f"no {ARCSTATS}: ZFS is not in use"
        return table if system.exists(ARCSTATS) else file_values.absent(system, ARCSTATS, why)
    counted = {name: Bytes(int(value)) for name, value in _COUNTED.findall(table.value)}
    missing = [name for name in ("size", "c_min", "c_max") if name not in counted]
    if missing:
        return Unknown(f"no line {missing[0]}: {table.how}")
    cache = ZfsCache(size=counted["size"], least=counted["c_min"], most=counted["c_max"])
    return Known(cache, table.how)
