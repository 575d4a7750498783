"""Text in REVIEW.md stays text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.bundle.review.markdown import code, prose, table, visible


@given(st.text())
def test_nothing_that_steers_a_terminal_or_breaks_a_line_is_left(text: str) -> None:
    for shown in (visible(text), prose(text), code(text)):
        assert shown.isprintable()
        shown.encode()


@given(st.text())
def test_no_bar_in_a_cell_ends_it(text: str) -> None:
    for cell in (prose(text), code(text)):
        (row,) = table((cell,), ())[:1]
        assert row.replace("\\\\", "").replace("\\|", "").count("|") == 2


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
