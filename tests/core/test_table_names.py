"""Names of tables are data to PostgreSQL and to psql, whatever they hold."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from small_plans import small_facts, small_plan
from small_tables import database, foreign_key, table, unused_index
from tunewiz.core.tables.scripts import table_scripts
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.identifiers import connect_command, identifier, literal, qualified
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB

PIECES = st.sampled_from(
    ['"', "'", "\\", "\n", "\r", "*/", "--", "\\!", ";", "$$", ":x", "\u202e", "\u2028", "😀"]
)
NAMES = st.lists(PIECES | st.characters(exclude_characters="\0", codec="utf-8"), min_size=1).map("".join)


def read_back(written: str, quote: str) -> str:
    """What PostgreSQL reads (manual, "Lexical Structure"): doubled quotes, and escapes after U&."""
    body = written.removeprefix("U&")
    assert body[0] == body[-1] == quote
    inner = body[1:-1]
    assert quote not in inner.replace(quote * 2, "")
    inner = inner.replace(quote * 2, quote)
    if not written.startswith("U&"):
        return inner
    return re.sub(
        r"\\(\\|\+[0-9A-F]{6}|[0-9A-F]{4})",
        lambda match: "\\" if match[1] == "\\" else chr(int(match[1].removeprefix("+"), 16)),
        inner,
    )


@given(NAMES)
def test_what_is_quoted_is_one_line_and_comes_back(name: str) -> None:
    for written, quote in ((identifier(name), '"'), (literal(name), "'")):
        assert written.isprintable()
        assert read_back(written, quote) == name


@given(NAMES, NAMES)
def test_two_names_never_become_one(one: str, other: str) -> None:
    assert (identifier(one) == identifier(other)) == (one == other)
    assert (connect_command(one) == connect_command(other)) == (one == other)


@given(NAMES)
def test_a_database_is_named_to_psql_without_a_byte_that_means_something(name: str) -> None:
    command = connect_command(name)
    assert re.fullmatch(
        r"\\connect ([A-Za-z_][A-Za-z0-9_.-]*|-reuse-previous=on '([A-Za-z0-9]|\\[0-7]{3})*')", command
    )


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("orders", '"orders"'),
        ("Select", '"Select"'),
        ('a"b', '"a""b"'),
        ("a\\b", '"a\\b"'),
        ("a\n\\b", 'U&"a\\000A\\005Cb"'),
    ],
)
def test_names_are_quoted_as_the_manual_says(name: str, written: str) -> None:
    assert identifier(name) == written
    assert qualified("s", name) == f'"s".{written}'


@given(NAMES, NAMES)
def test_no_name_leaves_its_line_in_the_files(name: str, other: str) -> None:
    """Whatever the names are, a line of the files is a comment, a command or one of our statements."""
    database_tables = database(
        name=other,
        tables=(
            table(
                schema=other, name=name, live_rows=10**8, updated=10**8, main_bytes=100 * GIB, bytes=100 * GIB
            ),
        ),
        unused=(unused_index(schema=name, table=other, name=name, tablespace=other),),
        keys=(foreign_key(schema=other, table=name, columns=(name, other), referenced=name),),
    )
    plan = small_plan(small_facts(name=name, tables=Known((database_tables,), "pg_class")), {})
    for text in table_scripts(advice_on_tables(plan), plan.start).values():
        for line in text.split("\n"):
            assert line == "" or (line.isprintable() and line.startswith(STARTS)), line


STARTS = ("-- ", "ALTER TABLE ", "SET ", "RESET ", "DO $$ ", "\\set ON", "\\connect ", "\\encoding ")
