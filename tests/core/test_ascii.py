"""Text in ASCII, as wide as it was."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tunewiz.core.words.ascii import in_ascii


@pytest.mark.parametrize(
    ("text", "ascii_text"),
    [
        ("▸(•) Yes · no …", ">(*) Yes - no ~"),
        ("─│┌┐└┘█", "-|++++#"),
        ("├─┼─┤ ┬┴", "+-+-+ ++"),
        ("100 µs", "100 us"),
        ("Größe", "Gro?e"),
        ("e\N{COMBINING ACUTE ACCENT}", "e"),
        ("数据", "????"),
        ("\x1b[1mplain\x1b[0m", "\x1b[1mplain\x1b[0m"),
    ],
)
def test_marks_have_stand_ins_and_letters_lose_their_accents(text: str, ascii_text: str) -> None:
    assert in_ascii(text) == ascii_text


@given(st.text())
def test_whatever_comes_is_ascii_afterwards(text: str) -> None:
    assert in_ascii(text).isascii()


@given(st.text(alphabet=st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_ascii_stays_as_it_is(text: str) -> None:
    assert in_ascii(text) == text


@given(st.text(alphabet="▸•·…─│█äöüéßñ数据—“”→↑"))
def test_a_row_stays_as_wide_as_it_was(text: str) -> None:
    assert len(in_ascii(text)) == cell_len(text)


PROGRAM = Path(__file__).parents[2]
SHOWN = ("screens", "tunewiz/text", "tunewiz/catalogue", "tunewiz/core", "tunewiz/wizard")
INTERNAL = {"\ue000", "\N{REPLACEMENT CHARACTER}"}
"""Never shown: they stand for something else until it is."""


def letters_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from node.value


def test_every_mark_that_is_drawn_has_a_stand_in() -> None:
    files = [file for folder in SHOWN for file in (PROGRAM / folder).rglob("*.py")]
    letters = {letter for file in files for letter in letters_of(file)}
    profiles = "".join(file.read_text() for file in (PROGRAM / "profiles").rglob("*.toml"))
    marks = {mark for mark in letters | set(profiles) if not mark.isascii()}
    assert len(marks) > 20
    assert {mark for mark in marks - INTERNAL if "?" in in_ascii(mark)} == set()
