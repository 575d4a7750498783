"""REVIEW.md as a page for a terminal: every word of it, none of its marks, nothing wider than the window."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from review_pages import example_plan, reviews_of, words_of_markdown
from tunewiz.bundle.review.blocks import CodeText, Paragraph, PlainText, Span, Strong, TableBlock, line
from tunewiz.bundle.review.markdown import markdown, visible
from tunewiz.core.words.harmless import harmless
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.review_file import review_page

WIDTH = 80
SPANS = st.one_of(st.builds(PlainText, st.text(min_size=1)), st.builds(CodeText, st.text(min_size=1)))


def page(text: str, width: int = WIDTH) -> list[str]:
    return [row.plain for row in review_page(text, width)]


def joined(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("machine", demo_names())
def test_every_word_of_a_review_is_on_its_page_and_no_row_is_wider_than_the_window(machine: str) -> None:
    text, _ = reviews_of(example_plan(machine, "balanced"))
    rows = page(text)
    shown = joined("".join(rows))
    missing = [word for word in words_of_markdown(text) if harmless(word) not in shown]
    assert missing == []
    assert max(map(len, rows)) <= WIDTH


@given(SPANS)
@example(CodeText("\\|"))
@example(PlainText("\\|"))
def test_a_span_reads_as_it_was_before_it_was_marked(span: Span) -> None:
    shown = page(markdown([TableBlock(("a", "b"), ((line("x"), (span,)),))]), 100_000)
    expected = visible(span.text)
    assert joined(harmless(expected)) in joined(shown[-1])


def test_what_stands_out_is_bold_and_marks_are_gone() -> None:
    (row,) = review_page(
        markdown([Paragraph(((Strong("Go"), PlainText(": *now*, "), CodeText("a|b")),))]), WIDTH
    )
    assert row.plain == "Go: *now*, a|b"
    assert str(row.spans[0].style) == "bold"


def test_a_table_that_fits_stays_a_table() -> None:
    text = markdown([TableBlock(("", "now"), ((line("a"), line("1 GB")), (line("total"), line("2 GB"))))])
    assert page(text) == ["       now", "a      1 GB", "total  2 GB"]


def test_columns_that_do_not_fit_follow_row_by_row() -> None:
    long = "word " * 30
    row = (line("1"), line(CodeText("work_mem")), line(long.strip()), line("low"))
    rows = page(markdown([TableBlock(("", "setting", "why", "risk"), (row,))]))
    assert rows[:4] == ["   setting", "1  work_mem", "", rows[3]]
    assert rows[3].startswith("1. work_mem: why: word")
    assert rows[-1].endswith("; risk: low")
