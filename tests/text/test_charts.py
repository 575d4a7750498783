"""Bars say what the numbers say: of memory, of steps, of pairs."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import BudgetUnknown
from tunewiz.core.values.units import GIB, Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.series import load_series
from tunewiz.text.bars import EIGHTHS, FULL, bar
from tunewiz.text.charts import chart
from tunewiz.text.memory_bar import bar_of, memory_line

NOTHING = Bytes(0)
HALF = MemoryBudget(
    total=Bytes(16 * GIB),
    buffers=Bytes(4 * GIB),
    shared_other=NOTHING,
    huge_pages_idle=NOTHING,
    connections=NOTHING,
    page_tables=NOTHING,
    work=Bytes(2 * GIB),
    maintenance=Bytes(GIB),
    autovacuum=NOTHING,
    system=Bytes(GIB),
    work_at_worst=Bytes(4 * GIB),
)
SIZES = st.integers(min_value=0, max_value=1 << 42).map(Bytes)


def test_a_bar_gives_each_part_its_share() -> None:
    assert bar_of(HALF, 16).plain == "████▓▓▒░········"


def test_a_bar_moves_with_a_value() -> None:
    more = dataclasses.replace(HALF, work=Bytes(6 * GIB))
    assert bar_of(more, 16).plain == "████▓▓▓▓▓▓▒░····"


@given(SIZES, SIZES, SIZES, st.integers(min_value=1, max_value=200))
def test_a_bar_is_as_wide_as_it_should_be(total: Bytes, buffers: Bytes, work: Bytes, cells: int) -> None:
    budget = dataclasses.replace(HALF, total=total, buffers=buffers, work=work)
    assert bar_of(budget, cells).cell_len == cells


def test_the_line_has_the_numbers_beside_the_bar_and_fits_80_columns() -> None:
    line = memory_line(HALF, 80).plain
    assert line.endswith("] █Buffers 4.0 ▓Work 2.0 ▒Maint 1.0 ░System 1.0 ·Cache 8.0 GiB")
    assert len(line) <= 79


def test_a_narrow_line_keeps_the_numbers_and_drops_the_bar() -> None:
    assert memory_line(HALF, 60).plain.startswith(" █Buffers 4.0")


def test_memory_that_does_not_suffice_is_said_in_words() -> None:
    too_little = dataclasses.replace(HALF, total=Bytes(2 * GIB))
    assert "! Over budget: 8 of 2 GiB: " in memory_line(too_little, 100).plain


def test_memory_that_is_not_known_says_why() -> None:
    assert "nobody looked" in memory_line(BudgetUnknown(why="nobody looked"), 80).plain


def test_every_series_names_claims_that_there_are_and_fits_80_columns() -> None:
    claims = {(claim.source, claim.id) for claim in load_knowledge().library.claims.values()}
    for series in load_series():
        assert {(series.source, claim) for claim in series.claims} <= claims
        bars = [row for row in chart(series) if row.no_wrap]
        assert max(len(row.plain) for row in bars) <= 78 + 8
        assert len(bars) >= len(series.points)


def test_steps_begin_where_the_one_before_ended() -> None:
    (steps,) = (series for series in load_series() if series.kind == "steps")
    rows = [row.plain for row in chart(steps) if "█" in row.plain]
    starts = [row.index("█") for row in rows[:-1]]
    assert starts == sorted(starts)
    assert rows[-1].split()[:3] == ["everything", "together", "+45"]


def test_pairs_tell_the_gain_beside_the_bars() -> None:
    first = next(series for series in load_series() if "SMT8" in series.title)
    text = "\n".join(row.plain for row in chart(first))
    assert "56,470" in text
    assert "+12.2%" in text


@given(st.floats(0, 1e12), st.floats(0.001, 1e12), st.integers(1, 120))
def test_a_share_is_as_long_as_it_should_be_to_an_eighth_of_a_cell(
    part: float, whole: float, cells: int
) -> None:
    drawn = bar(part, whole, cells)
    eighths = sum(8 if letter == FULL else EIGHTHS.index(letter) for letter in drawn)
    assert len(drawn) <= cells
    assert abs(eighths - 8 * cells * min(1.0, part / whole)) <= 0.5


def test_a_share_of_nothing_has_no_bar() -> None:
    assert (bar(0, 5, 20), bar(5, 0, 20)) == ("", "")


def test_shares_that_differ_by_an_eighth_differ_without_ascii() -> None:
    assert [bar(eighths, 16, 2) for eighths in (1, 7, 8, 9, 16)] == ["▏", "▉", "█", "█▏", "██"]
