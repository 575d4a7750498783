"""Dots and intervals on an axis: in their place, and marked where they lie beyond it."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.text.ratio_chart import CELLS, DOT, HIGH, LOW, MIDDLE, MORE, ZERO, Axis, axis_of

RATIOS = st.floats(0.01, 20, allow_nan=False)


@given(ratios=st.lists(RATIOS, min_size=1, max_size=20))
def test_every_ratio_has_a_place_in_the_order_of_its_size(ratios: list[float]) -> None:
    axis = axis_of(ratios)
    cells = [axis.cell(ratio) for ratio in sorted(ratios)]
    assert cells == sorted(cells)
    assert len(axis.dots(ratios)) == CELLS


@given(ratio=RATIOS, low=RATIOS, high=RATIOS)
def test_an_interval_is_drawn_around_its_ratio(ratio: float, low: float, high: float) -> None:
    first, middle, last = sorted((ratio, low, high))
    drawn = axis_of((first, last)).interval(middle, first, last)
    assert len(drawn) == CELLS
    assert DOT in drawn or MORE in drawn


def test_no_difference_is_in_the_middle_and_a_tenth_beyond_five_percent_is_marked() -> None:
    axis = Axis(limit=5)
    assert axis.dots((1.0,))[MIDDLE] == DOT
    assert axis.dots(())[MIDDLE] == ZERO
    assert axis.dots((1.1,))[-1] == MORE
    assert axis.interval(1.02, 0.98, 1.04).strip().startswith(LOW)
    assert axis.interval(1.02, 0.98, 1.04).strip().endswith(HIGH)


def test_the_axis_is_the_shortest_that_holds_everything() -> None:
    assert axis_of((1.04, 0.97)).limit == 5
    assert axis_of((1.06,)).limit == 10
    assert axis_of(()).limit == 5
    assert axis_of((99.0,)).limit == 1_000
