"""Rows of a paragraph: as many as it needs, and a row that is whole already is left alone."""

import hypothesis.strategies as st
import pytest
from hypothesis import given
from rich.text import Text

from tunewiz.text.wrapping import PAPER, hanging, wrapped

WORDS = st.text(alphabet="ab é漢 \n", max_size=60)


@st.composite
def paragraphs(draw: st.DrawFn) -> Text:
    """Some styled as a whole, some in part."""
    paragraph = Text(draw(WORDS), style=draw(st.sampled_from(["", "dim"])))
    return paragraph.append("x", style="bold") if draw(st.booleans()) else paragraph


@given(text=paragraphs(), width=st.integers(1, 80))
def test_a_paragraph_takes_the_rows_that_rich_gives_it(text: Text, width: int) -> None:
    expected = text.wrap(PAPER, width, overflow=text.overflow) if text.plain else [Text()]
    assert [painted(row) for row in wrapped(text, width)] == [painted(row) for row in expected]


def painted(row: Text) -> list[tuple[str, str]]:
    return [
        (character, str(segment.style or ""))
        for segment in row.render(PAPER)
        for character in segment.text
        if character != "\n"
    ]


@pytest.mark.parametrize("text", ["  a row", "a row", "漢字"])
def test_what_fits_is_one_row_and_keeps_its_indent(text: str) -> None:
    assert [row.plain for row in hanging(Text(text), 40)] == [text]


def test_rows_after_the_first_begin_below_its_first_word() -> None:
    assert [row.plain for row in hanging(Text("  alpha beta gamma"), 13)] == ["  alpha beta ", "  gamma"]


def test_rows_after_the_first_begin_below_the_text_that_follows_the_label() -> None:
    rows = [row.plain for row in hanging(Text("why \talpha beta gamma"), 15)]
    assert rows == ["why alpha beta ", "    gamma"]


def test_a_style_of_the_whole_paragraph_is_kept_in_a_single_row() -> None:
    (row,) = hanging(Text("a row", style="dim"), 40)
    assert all(style == "dim" for _, style in painted(row))
