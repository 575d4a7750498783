"""Times that compare begin at the same hour of the week; those that share a day are one observation."""

from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.week_hours import NEAR, WEEK, WindowSpan, apart, matches, observations

DAY = 86_400
SPANS = st.builds(WindowSpan, began=st.integers(0, 60 * DAY), seconds=st.integers(60, 7_200))
LISTS = st.lists(SPANS, max_size=8)


@given(SPANS, st.integers(-50, 50))
def test_whole_weeks_are_no_distance(span: WindowSpan, weeks: int) -> None:
    moved = WindowSpan(began=span.began + weeks * WEEK, seconds=span.seconds)
    assert apart(span, moved) == 0


@given(SPANS, SPANS)
def test_the_distance_is_the_same_both_ways_and_half_a_week_at_most(
    one: WindowSpan, other: WindowSpan
) -> None:
    assert apart(one, other) == apart(other, one) <= WEEK // 2


@given(LISTS, LISTS)
def test_each_time_is_used_once_and_only_for_its_own_hour(
    before: list[WindowSpan], after: list[WindowSpan]
) -> None:
    result = matches(before, after)
    assert len({here for here, _ in result}) == len({there for _, there in result}) == len(result)
    for here, there in result:
        assert apart(before[here], after[there]) <= NEAR
        short, long = sorted((before[here].seconds, after[there].seconds))
        assert long <= 2 * short


@given(LISTS)
def test_the_same_times_a_week_later_all_match(before: list[WindowSpan]) -> None:
    after = [WindowSpan(began=span.began + 9 * WEEK, seconds=span.seconds) for span in before]
    assert len(matches(before, after)) == len(before)


@given(st.lists(st.tuples(SPANS, SPANS), max_size=8))
def test_no_day_is_in_two_observations(pairs: list[tuple[WindowSpan, WindowSpan]]) -> None:
    groups = observations(pairs)
    assert sorted(place for group in groups for place in group) == list(range(len(pairs)))
    for side in (0, 1):
        days = [{pairs[place][side].day for place in group} for group in groups]
        assert sum(map(len, days)) == len({day for row in days for day in row})


def test_other_hours_and_other_lengths_do_not_match() -> None:
    tuesday = WindowSpan(began=DAY, seconds=3_600)
    assert not matches([tuesday], [WindowSpan(began=2 * DAY, seconds=3_600)])
    assert not matches([tuesday], [WindowSpan(began=DAY + WEEK, seconds=600)])
    assert matches([tuesday], [WindowSpan(began=DAY + WEEK + NEAR, seconds=3_600)]) == [(0, 0)]
