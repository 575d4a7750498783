"""What is told from a statement's text, which is anybody's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.statement_text import is_planned, parts, shown, verb

PIECES = st.sampled_from(
    ["select", "'a", "'", '"', "/*", "*/", "--", "\n", "$1", "$$", ";", "\\", "(", " ", "é", "secret", "E'x'"]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES).map("".join))


@given(TEXTS)
def test_any_text_is_read_to_its_end(text: str) -> None:
    read = "".join(part for _, part in parts(text))
    assert len(read) <= len(text)
    if "--" not in text and "/*" not in text:
        assert read == text


@given(st.text(alphabet="abc' ;-/*", min_size=1))
def test_a_quoted_value_is_never_shown(secret: str) -> None:
    doubled = secret.replace("'", "''")
    assert "SECRET" not in shown(f"table t /* 1 */ limit 'SECRET{doubled}SECRET'")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("SELECT 1", "select"),
        ("  /* a /* nested */ b */ -- line\n (( select 1))", "select"),
        ("with x as (select 1) select * from x", "with"),
        ("insert into t values ($1)", "insert"),
        ("/* never ends select 1", ""),
        ("$1", ""),
        ("'select'", ""),
        ("", ""),
    ],
)
def test_the_first_word_is_found_behind_comments_and_parentheses(text: str, first: str) -> None:
    assert verb(text) == first


@pytest.mark.parametrize(
    "text",
    [
        "begin",
        "checkpoint",
        "copy t to stdout",
        "explain select 1",
        "declare c cursor for select 1",
        "create table t as select 1",
        "execute p",
        "\\! id",
    ],
)
def test_commands_are_not_planned(text: str) -> None:
    assert not is_planned(text)


def test_what_is_said_of_a_long_statement_is_short_and_on_one_line() -> None:
    said = shown("select\n" + "a,\t" * 500)
    assert len(said) == 100
    assert said.isprintable()
