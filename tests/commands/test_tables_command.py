"""`tunewiz tables` from the command line: what it says, as text and as JSON."""

import json
from pathlib import Path

import pytest

from command_line import tunewiz
from small_plans import small_facts
from small_tables import database, foreign_key, table, unused_index
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB
from tunewiz.formats.records import facts_to_json

LARGE = table(
    name="big\x1b[31m",
    live_rows=10**8,
    updated=10**8,
    hot_updated=10**8,
    main_bytes=100 * GIB,
    bytes=100 * GIB,
)


@pytest.fixture
def facts_file(tmp_path: Path) -> str:
    """Facts of a server with a large table, an unused index and a foreign key without one."""
    database_tables = database(tables=(LARGE,), unused=(unused_index(),), keys=(foreign_key(),))
    path = tmp_path / "db1.json"
    path.write_text(facts_to_json(small_facts(tables=Known((database_tables,), "pg_class"))))
    return str(path)


def test_each_table_is_told_with_its_reason_and_its_sql(facts_file: str) -> None:
    ended = tunewiz("tables", "--facts", facts_file)
    assert (ended.status, ended.err) == (0, "")
    for part in ("To set (2)", "To decide (2)", "To look at (1)", "unused index, orders_note", "an estimate"):
        assert part in ended.out
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_scripts_get_the_statements_and_their_undo(facts_file: str) -> None:
    loads = json.loads(tunewiz("tables", "--facts", facts_file, "--json").out)
    assert (loads["schema"], loads["host"], loads["why_none"]) == (1, "db1", "")
    (first, _) = loads["changes"]
    assert first["table"] == "big\x1b[31m"
    assert first["do"] == [
        'ALTER TABLE "public".U&"big\\001B[31m" SET (autovacuum_vacuum_scale_factor = 0.005);'
    ]
    assert first["undo"][0].endswith("RESET (autovacuum_vacuum_scale_factor);")
    assert [value["kind"] for value in loads["decisions"]] == ["unused index", "foreign key without an index"]
    assert [value["kind"] for value in loads["sights"]] == ["bloat (estimate)"]


def test_a_machine_whose_tables_were_not_read_says_why() -> None:
    ended = tunewiz("tables", "--demo", "nvme-server")
    assert (ended.status, ended.err) == (0, "")
    assert "Nothing is said of tables: the tables were not read" in ended.out
