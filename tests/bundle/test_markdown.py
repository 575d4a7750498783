"""Text in REVIEW.md stays text."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tunewiz.bundle.review.blocks import TableBlock, line
from tunewiz.bundle.review.markdown import TERMINAL, cells_of, code, markdown, prose, table, visible


@given(st.text())
def test_nothing_that_steers_a_terminal_or_breaks_a_line_is_left(text: str) -> None:
    for shown in (visible(text), prose(text), code(text)):
        assert shown.isprintable()
        shown.encode()


BAR = re.compile(r"(?<!\\)\|")
"""GitHub's and markdown-it's tables take every bar behind a backslash for text, also behind two of them."""


@given(st.text())
@example("\\|")
def test_no_bar_in_a_cell_ends_it(text: str) -> None:
    for cell in (prose(text), code(text)):
        (row,) = table((cell,), ())[:1]
        assert len(BAR.findall(row)) == 2


CELLS = st.text("ab é漢|*`_", max_size=30)
TABLES = st.integers(1, 6).flatmap(
    lambda columns: st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=2, max_size=6)
)


@given(TABLES)
def test_bars_of_a_table_stand_below_each_other_and_fit_a_terminal(cells: list[list[str]]) -> None:
    head, *rows = [[prose(cell) for cell in row] for row in cells]
    lines = [text for text in table(head, rows) if text.startswith("|")]
    assert len({cells_of(text) for text in lines}) == 1
    columns_that_name = 1 if head[0] else 2
    assert cells_of(lines[0]) <= TERMINAL or lines[1].count("|") - 1 == columns_that_name


@given(TABLES)
def test_nothing_of_a_table_is_lost_for_want_of_room(cells: list[list[str]]) -> None:
    head, *rows = [[prose(cell) for cell in row] for row in cells]
    shown = "\n".join(table(head, rows))
    assert all(cell in shown for row in rows for cell in row)
    named = [title for at, title in enumerate(head) if any(row[at] for row in rows)]
    assert all(title in shown for title in named)


def test_a_narrow_table_stays_a_table_alone() -> None:
    rows = ((line("total"), line("24.0 GiB"), line("24.0 GiB")),)
    assert markdown((TableBlock(("", "now", "then"), rows),)).splitlines() == [
        "|       | now      | then     |",
        "| ----- | -------- | -------- |",
        "| total | 24.0 GiB | 24.0 GiB |",
    ]


WIDE_CELL = "x" * 70


def test_one_wide_cell_does_not_take_its_column_out_of_the_table() -> None:
    rows = [(str(number), f"name_{number}", "8GB", "64GB") for number in range(1, 5)]
    rows.append(("5", "name_5", "8GB", WIDE_CELL))
    assert table(("", "setting", "now", "then"), rows) == [
        "|     | setting | now | then    |",
        "| --- | ------- | --- | ------- |",
        "| 1   | name_1  | 8GB | 64GB    |",
        "| 2   | name_2  | 8GB | 64GB    |",
        "| 3   | name_3  | 8GB | 64GB    |",
        "| 4   | name_4  | 8GB | 64GB    |",
        "| 5   | name_5  | 8GB | (below) |",
        "",
        f"5. name_5: then: {WIDE_CELL}",
    ]


def test_a_column_of_wide_cells_follows_the_table_whole() -> None:
    rows = [(f"name_{number}", WIDE_CELL + str(number)) for number in range(2)] + [("name_2", "short")]
    lines = table(("setting", "why"), rows)
    assert lines[2:5] == ["| name_0  |", "| name_1  |", "| name_2  |"]
    assert [line for line in lines if line.startswith("-")] == [
        f"- name_{number}: why: {cell}" for number, (_, cell) in enumerate(rows)
    ]


@given(st.text(min_size=1))
def test_code_is_fenced_by_more_ticks_than_it_holds(text: str) -> None:
    shown = code(text)
    fence = shown[: len(shown) - len(shown.lstrip("`"))]
    assert shown.endswith(fence)
    assert fence not in shown[len(fence) : -len(fence)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("shared_buffers = 16GB", "shared_buffers = 16GB"),
        ("64 GiB x 1/4 = 16 GiB", "64 GiB x 1/4 = 16 GiB"),
        ("*bold* _it_ `code` [a](b)", "\\*bold\\* \\_it\\_ \\`code\\` \\[a\\](b)"),
        ("<script>", "\\<script\\>"),
        ("a\nb", "a\\\\nb"),
        ("\x1b[2J", "\\\\x1b\\[2J"),
        ("\u202egnp.exe", "\\\\u202egnp.exe"),
    ],
)
def test_prose_reads_as_it_was_written(text: str, shown: str) -> None:
    assert prose(text) == shown
