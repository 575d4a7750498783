"""What ZFS caches is read from its own counters, live and by the collector."""

from pathlib import Path

import pytest

from collected import collected, facts_of, make, shells
from recorded_machines import facts
from tunewiz.core.facts.machine import ZfsCache
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import GIB, Bytes

ARCSTATS = "proc/spl/kstat/zfs/arcstats"
HEAD = "9 1 0x01 147 39984 9346163184 5391064932921\nname                            type data\n"
TABLE = f"{HEAD}hits 4 123\nc 4 34359738368\nc_min 4 2147483648\nc_max 4 66571993088\nsize 4 32212254720\n"
MEMINFO = {"proc/meminfo": "MemTotal: 1024 kB\n"}


def read(table: str) -> MaybeFact[ZfsCache]:
    return facts(MEMINFO | {ARCSTATS: table}).memory.zfs_cache


def test_size_and_bounds_are_read() -> None:
    cache = ZfsCache(size=Bytes(30 * GIB), least=Bytes(2 * GIB), most=Bytes(62 * GIB))
    assert read(TABLE) == Known(cache, f"/{ARCSTATS}")


def test_a_machine_without_zfs_has_none() -> None:
    memory = facts({**MEMINFO, ".tunewiz/machine": "x86_64\n"}).memory
    assert isinstance(memory.zfs_cache, Absent | Unknown)


@pytest.mark.parametrize("left_out", ["size", "c_min", "c_max"])
def test_a_table_without_one_of_them_is_not_known(left_out: str) -> None:
    table = "".join(line for line in TABLE.splitlines(keepends=True) if not line.startswith(f"{left_out} "))
    fact = read(table)
    assert isinstance(fact, Unknown)
    assert left_out in fact.why


@pytest.mark.parametrize("value", ["-1", "1e9", "", "9" * 30, "x"])
def test_a_value_that_is_no_size_is_not_taken(value: str) -> None:
    assert isinstance(read(TABLE.replace("66571993088", value)), Unknown)


@pytest.mark.parametrize("shell", shells())
def test_the_collector_tells_the_same(shell: tuple[str, ...], tmp_path: Path) -> None:
    root = make(tmp_path, {ARCSTATS: TABLE, "proc/meminfo": "MemTotal: 1024 kB\n"})
    assert facts_of(collected(root, shell))["memory.zfs_cache"] == read(TABLE)
