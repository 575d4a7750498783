"""What a deep look comes to: troubles with statements, counts, notes on files, and what was not looked at."""

import dataclasses
import json

import pytest

from small_health import HEALTHY
from small_plans import small_facts, small_plan
from tunewiz.core.facts.deep_look import (
    CheckedCount,
    DamagedRelation,
    DeepDatabase,
    DeepLook,
    OrphanedFiles,
)
from tunewiz.core.facts.server import NOT_LOOKED_DEEPER
from tunewiz.core.health.deep import deep_lines, of_deep_look
from tunewiz.core.health.troubles import Checkup, checkup
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.versions import Major
from tunewiz.formats.health import health_json
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.text.health import health_text

ALL = CheckedCount(total=120, checked=120, locked=0, failed=0, failure="")
NO_FILES = Known(OrphanedFiles(files=0, bytes=0, paths=()), "a look")
WHOLE = DeepDatabase(
    database="shop", indexes=Known(ALL, "a look"), tables=Known(ALL, "a look"), orphans=NO_FILES
)
INDEX = DamagedRelation(
    kind="index",
    schema="public",
    name="orders_note",
    table="orders",
    bytes=8192,
    is_catalog=False,
    message='item order invariant violated for index "orders_note\x1b[31m"',
)
LEFT = OrphanedFiles(files=3, bytes=3 * 8192, paths=("base/5/16412", "base/5/16412.1"))


def look(**changed: object) -> DeepLook:
    return DeepLook(seconds=12, databases=(dataclasses.replace(WHOLE, **changed),))  # type: ignore[arg-type]


def looked(deep: Fact[DeepLook]) -> Checkup:
    facts = small_facts(health=Known(HEALTHY, "a look"), tables=Known((), "a look"), deep=deep)
    return checkup(small_plan(facts), load_minor_fixes())


def test_a_damaged_index_is_a_trouble_with_the_servers_words_and_the_statement() -> None:
    (trouble,) = of_deep_look(look(damaged=(INDEX,)), Major.parse("15"))
    assert (trouble.kind, trouble.database) == ("damaged index", "shop")
    assert "item order invariant violated" in trouble.because
    assert trouble.do == ('REINDEX INDEX CONCURRENTLY "public"."orders_note";',)


@pytest.mark.parametrize(("major", "is_catalog"), [("11", False), ("15", True), ("11", True)])
def test_where_it_cannot_be_rebuilt_concurrently_it_is_rebuilt_under_its_lock(
    major: str,
    is_catalog: bool,  # noqa: FBT001 - a case
) -> None:
    damaged = dataclasses.replace(INDEX, is_catalog=is_catalog)
    (trouble,) = of_deep_look(look(damaged=(damaged,)), Major.parse(major))
    assert trouble.do == ('REINDEX INDEX "public"."orders_note";',)


def test_a_damaged_table_has_no_statement_that_would_lose_rows() -> None:
    damaged = dataclasses.replace(INDEX, kind="table", name="orders", message="block 5: xmin is odd")
    (trouble,) = of_deep_look(look(damaged=(damaged,)), Major.parse("15"))
    assert (trouble.kind, trouble.do) == ("damaged table", ())
    assert "block 5: xmin is odd" in trouble.because


def test_what_ended_the_servers_process_is_a_trouble_that_says_not_to_read_it_again() -> None:
    (trouble,) = of_deep_look(look(cut_off=INDEX), Major.parse("10"))
    assert (trouble.kind, trouble.what, trouble.do) == ("reading was cut off", "public.orders_note", ())
    assert "do not read it again on this server" in trouble.because


def test_a_server_that_holds_together_has_no_trouble_and_says_how_much_was_read() -> None:
    result = looked(Known(look(), "a look"))
    assert (result.troubles, result.unseen) == ((), ())
    assert list(deep_lines(look())) == [
        "shop: 120 of 120 B-tree indexes read; 120 of 120 tables read",
    ]


def test_what_there_was_no_time_for_is_counted() -> None:
    some = CheckedCount(total=120, checked=100, locked=2, failed=1, failure="it is odd")
    (line,) = deep_lines(look(indexes=Known(some, "a look"), tables=Unknown("from 14 on")))
    assert line == (
        "shop: 100 of 120 B-tree indexes read, no time for 17, 2 held exclusively by others, 1 could not be "
        "read (it is odd)"
    )


def test_files_of_no_table_are_a_note_that_deletes_nothing() -> None:
    result = looked(Known(look(orphans=Known(LEFT, "a look")), "a look"))
    (note,) = [note for note in result.notes if "base/5/16412" in note]
    assert note.startswith("3 files (24 KiB) of database shop belong to no table")
    assert (result.troubles, "rm " in note) == ((), False)
    assert not any("belong" in note for note in looked(Known(look(), "a look")).notes)


def test_what_was_not_looked_at_is_said_once_for_all_databases() -> None:
    without = Unknown("amcheck is not installed in it")
    databases = tuple(
        dataclasses.replace(WHOLE, database=f"db{number}", indexes=without) for number in range(7)
    )
    result = looked(Known(DeepLook(seconds=1, databases=databases, ended="it was stopped early"), "a look"))
    assert result.unseen == (
        "the deep look ended early: it was stopped early",
        "damage of B-tree indexes in db0, db1, db2, db3, db4 and 2 more: amcheck is not installed in it",
    )
    assert looked(Unknown("the server is not running")).unseen == (
        "indexes, tables and files: the server is not running",
    )


def test_a_usual_look_says_nothing_of_a_deep_one() -> None:
    result = looked(NOT_LOOKED_DEEPER)
    assert (result.deep, result.unseen, result.troubles) == (None, (), ())


def test_people_and_scripts_get_it_and_a_file_keeps_it() -> None:
    deep = Known(look(damaged=(INDEX,), orphans=Known(LEFT, "a look"), tables=Unknown("old")), "a look")
    facts = small_facts(health=Known(HEALTHY, "a look"), tables=Known((), "a look"), deep=deep)
    result = checkup(small_plan(facts), load_minor_fixes())
    page = health_text(result, facts)
    assert "1. damaged index: public.orders_note on orders" in page
    assert "\x1b" not in page
    document = json.loads(health_json(result, facts))["deep"]["databases"][0]
    assert (document["indexes"]["checked"], document["tables"]) == (120, None)
    assert (document["damaged"][0]["name"], document["orphans"]["files"]) == ("orders_note", 3)
    text = facts_to_json(facts)
    assert facts_from_json(text, "db1.json") == facts
    with pytest.raises(InputError, match=r"deep\.databases\.0\.orphans\.files"):
        facts_from_json(text.replace('"files": 3', '"files": -3'), "db1.json")


@pytest.mark.parametrize(
    ("mode", "command", "expected"),
    [("on", "", True), ("on", "cp %p /archive/%f", False), ("off", "", False)],
)
def test_an_archive_without_a_command_is_noted(mode: str, command: str, expected: bool) -> None:  # noqa: FBT001 - a case
    facts = small_facts(Given(settings={"archive_mode": mode, "archive_command": command}))
    notes = checkup(small_plan(facts), load_minor_fixes()).notes
    assert any("nothing says how to archive" in note for note in notes) == expected
