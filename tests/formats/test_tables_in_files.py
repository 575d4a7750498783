"""Tables are written into facts and read back; what no database can have is refused."""

import dataclasses
import json
from types import MappingProxyType
from typing import Any

import pytest

from small_plans import small_facts
from small_tables import database, foreign_key, table, unused_index
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.formats.records import facts_from_json, facts_to_json

READ = database(
    tables=(table(name='a"b\n*/', options=MappingProxyType({"fillfactor": "90"}), row_width=None),),
    unused=(unused_index(),),
    keys=(foreign_key(),),
)


def facts() -> Facts:
    return small_facts(tables=Known((READ,), "pg_class as postgres"))


def changed(**values: object) -> str:
    """The file with other values of its one table."""
    document: dict[str, Any] = json.loads(facts_to_json(facts()))
    document["postgres"][0]["tables"][0]["tables"][0].update(values)
    return json.dumps(document)


def test_tables_come_back_as_they_were_written() -> None:
    assert facts_from_json(facts_to_json(facts()), "db1.json") == facts()


def test_a_file_of_an_earlier_version_has_no_tables() -> None:
    document = json.loads(facts_to_json(small_facts()))
    del document["postgres"][0]["tables"]
    document["unknown"].pop("postgres.0.tables")
    (server,) = facts_from_json(json.dumps(document), "db1.json").postgres
    assert server.tables == Unknown("not stated in the facts")


def test_a_list_that_was_refused_keeps_its_reason() -> None:
    database_tables = dataclasses.replace(
        READ, unused_indexes=Unknown("canceling statement due to statement timeout")
    )
    facts = small_facts(tables=Known((database_tables,), "pg_class as postgres"))
    assert facts_from_json(facts_to_json(facts), "db1.json") == facts


@pytest.mark.parametrize(
    ("key", "content", "expected"),
    [
        ("live_rows", -1, "0 to"),
        ("name", "", "a name"),
        ("schema", "a\0b", "a name"),
        ("row_width", -5, "0 to"),
    ],
)
def test_what_no_table_can_have_is_refused(key: str, content: object, expected: str) -> None:
    with pytest.raises(
        InputError, match=rf"postgres\.0\.tables\.0\.tables\.0\.{key}: found .*expected {expected}"
    ):
        facts_from_json(changed(**{key: content}), "db1.json")
