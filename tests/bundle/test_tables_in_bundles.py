"""What a bundle holds for single tables: two files that no script of it runs, and a section of the review."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from review_pages import squeezed
from small_plans import small_answers, small_facts, small_plan
from small_tables import database, table, unused_index
from tunewiz.bundle import write_bundle
from tunewiz.bundle.check import damage_of
from tunewiz.bundle.parts import parts, scripts
from tunewiz.bundle.render import rendered
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

LARGE = table(live_rows=120_000_000, inserted=0, updated=60_000_000, hot_updated=60_000_000)
FILES = {"tables.sql", "tables-undo.sql"}


def facts_of(*databases: DatabaseTables) -> Facts:
    return small_facts(tables=Known(databases, "pg_class"))


def bundle(*databases: DatabaseTables) -> Mapping[str, bytes]:
    facts = facts_of(*databases)
    return rendered(small_plan(facts), facts_to_json(facts), answers_to_toml(small_answers()))


def review(*databases: DatabaseTables) -> str:
    return bundle(*databases)["REVIEW.md"].decode()


def test_a_bundle_has_the_files_where_there_is_something_to_say(tmp_path: Path) -> None:
    facts = facts_of(database(tables=(LARGE,)))
    directory = tmp_path / "b"
    write_bundle(small_plan(facts), directory, facts_to_json(facts), answers_to_toml(small_answers()))
    subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=directory, check=True)
    assert set((directory / "SHA256SUMS").read_text().split()) >= FILES
    assert damage_of(directory) == ()


def test_a_bundle_without_a_word_on_tables_has_neither_files_nor_a_section() -> None:
    for row in (bundle(), bundle(database(tables=(table(),)))):
        assert FILES.isdisjoint(row)
        assert b"Single tables" not in row["REVIEW.md"]


def test_no_script_of_the_bundle_runs_them() -> None:
    for text in (*scripts().values(), *(part.read_bytes() for part in parts().values())):
        assert b".sql" not in text


def test_what_is_planned_for_the_rest_is_the_same_with_and_without_tables() -> None:
    plain, text = bundle(), bundle(database(tables=(LARGE,)))
    assert [name for name in plain if name.startswith("files/")] == [
        name for name in text if name.startswith("files/")
    ]
    assert plain["manifest.toml"] == text["manifest.toml"]
    assert plain["steps.txt"].split(b"\n", 1)[1] == text["steps.txt"].split(b"\n", 1)[1]


def test_the_review_names_the_files_and_each_table() -> None:
    text = squeezed(review(database(tables=(LARGE,), unused=(unused_index(),))))
    assert "`tables.sql` sets 2 storage parameters, `tables-undo.sql` puts back what was there" in text
    assert "1 decision for a person, with the undo, stands there commented out." in text
    assert "| `shop: public.orders` | autovacuum_vacuum_scale_factor | not set | 0.002 |" in text
    assert "| unused index: orders_note | | decide |" in text


def test_a_review_of_many_tables_stays_short() -> None:
    many = tuple(
        table(name=f"t{place}", live_rows=10**8, updated=10**8, hot_updated=10**8) for place in range(30)
    )
    text = review(database(tables=many))
    assert text.count("autovacuum_vacuum_scale_factor | not set") <= 20
    assert "40 more are in `tables.sql`." in text
