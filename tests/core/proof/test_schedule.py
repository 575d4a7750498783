"""What fits into a budget is planned before anything runs, and never takes longer than the budget."""

from collections.abc import Callable
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.lengths import lengths_of
from tunewiz.core.proof.looks import FIRST, LAST
from tunewiz.core.proof.pace import ServerPace, affordable_data, assumed_pace
from tunewiz.core.proof.resolution import smallest_shown
from tunewiz.core.proof.schedule import (
    HALVED,
    SPREAD_MOST,
    STEP,
    BenchRequest,
    BenchSchedule,
    TooShort,
    least_pairs,
    plan_schedule,
    runs_reckoned_with,
    schedule_within,
)
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.core.words.schedule import schedule_lines, too_short

HOUR = 3_600
IDLE = ServerPace(create=5.0, copy=1.5, copy_changed=1.5, switch=2.0, is_cached=True)


def asked(
    *,
    seconds: int = 0,
    pairs: int = 0,
    same_pairs: int = 0,
    groups: int = 0,
    is_latency: bool = False,
    checkpoint_timeout: int = 300,
    writes: bool = True,
) -> BenchRequest:
    return BenchRequest(
        usual=lengths_of(checkpoint_timeout, seconds=seconds, writes=writes, is_latency=is_latency),
        is_run_fixed=seconds > 0,
        pairs=pairs,
        same_pairs=same_pairs,
        most=4 if groups else LAST,
        groups=groups,
        is_latency=is_latency,
    )


REQUESTS = st.builds(
    asked,
    seconds=st.sampled_from((0, 0, 1, 30, 400)),
    pairs=st.sampled_from((0, 0, 2, 5, 40)),
    same_pairs=st.sampled_from((0, 2, 8)),
    groups=st.integers(0, 9),
    is_latency=st.booleans(),
    checkpoint_timeout=st.integers(30, 86_400),
    writes=st.booleans(),
)
PACES = st.builds(
    ServerPace,
    create=st.floats(0, 5_000),
    copy=st.floats(0, 600),
    copy_changed=st.floats(0, 600),
    switch=st.floats(0.1, 900),
    is_cached=st.booleans(),
    is_measured=st.booleans(),
)
BUDGETS = st.one_of(st.integers(1, 900), st.integers(1, 200 * HOUR))


def always(pace: ServerPace) -> Callable[[int], ServerPace]:
    return lambda _: pace


@given(request=REQUESTS, pace=PACES, budget=BUDGETS)
def test_a_schedule_fits_into_its_budget_or_the_smallest_one_is_named(
    request: BenchRequest, pace: ServerPace, budget: int
) -> None:
    result = plan_schedule(request, always(pace), budget)
    if isinstance(result, TooShort):
        smallest = result.smallest
        assert smallest.budget > budget
        again = plan_schedule(request, always(pace), smallest.budget)
        assert again == smallest, "the budget that is named is accepted"
        shorter = plan_schedule(request, always(pace), smallest.budget - STEP)
        assert isinstance(shorter, TooShort), "no shorter one is"
        result = smallest
    assert sum(part.seconds for part in result.parts) <= result.budget
    assert result.pairs >= least_pairs(request)
    assert result.same_pairs >= 2


@given(request=REQUESTS, pace=PACES, budget=BUDGETS, more=st.integers(1, 20 * HOUR))
def test_a_longer_budget_never_has_fewer_pairs(
    request: BenchRequest, pace: ServerPace, budget: int, more: int
) -> None:
    before, after = (schedule_within(request, pace, seconds) for seconds in (budget, budget + more))
    if before is not None:
        assert after is not None
        assert after.pairs >= before.pairs


@given(request=REQUESTS, pace=PACES, budget=BUDGETS)
def test_what_was_asked_for_is_done_as_it_was_asked_for(
    request: BenchRequest, pace: ServerPace, budget: int
) -> None:
    result = plan_schedule(request, always(pace), budget)
    schedule = result.smallest if isinstance(result, TooShort) else result
    if request.is_run_fixed:
        assert schedule.lengths == request.usual
    if request.pairs:
        assert schedule.pairs == request.pairs
    if request.same_pairs:
        assert schedule.same_pairs == request.same_pairs


@given(budget=BUDGETS, more=st.integers(1, HOUR), scale=st.integers(1, 2_000))
def test_data_that_grow_with_the_budget_take_no_pairs_from_it(budget: int, more: int, scale: int) -> None:
    request = asked()
    runs = runs_reckoned_with(request)

    def pace_within(seconds: int) -> ServerPace:
        data = Bytes(min(scale * 16 * MIB, affordable_data(seconds, runs).count))
        return assumed_pace(data, Bytes.parse("64GB"), restarts=True)

    before, after = (
        schedule_within(request, pace_within(seconds), seconds) for seconds in (budget, budget + more)
    )
    if before is not None:
        assert after is not None
        assert after.pairs >= before.pairs


def planned(budget: int, pace: ServerPace = IDLE) -> BenchSchedule:
    result = plan_schedule(asked(), always(pace), budget)
    assert isinstance(result, BenchSchedule), budget
    return result


def test_a_budget_buys_pairs_then_longer_runs_then_more_pairs() -> None:
    rows = {budget: planned(60 * budget) for budget in (5, 10, 30, 120, 240, 600)}
    assert {budget: (row.pairs, row.same_pairs, row.lengths.full_speed) for budget, row in rows.items()} == {
        5: (5, 2, 7),
        10: (6, 3, 14),
        30: (6, 3, 58),
        120: (6, 3, 263),
        240: (9, 3, 360),
        600: (16, 3, 360),
    }
    assert rows[600].lengths == asked().usual, "where there is time enough nothing is shortened"
    assert rows[5].lengths.fixed_rate == 0
    assert rows[30].lengths.fixed_rate > 0
    assert "peak" not in {part.name for part in rows[5].parts}


def test_a_budget_that_is_too_short_is_refused_with_the_smallest_one_and_what_it_shows() -> None:
    result = plan_schedule(asked(), always(IDLE), 60)
    assert isinstance(result, TooShort)
    message, hint = too_short("--budget", result)
    assert message == (
        "--budget: found 1min, expected 230s or more on this server, with restarts and copies as assumed: "
        "data 5 s, a trial run 14 s, 2 A/A pairs 61 s, 4 pairs 2 min, putting everything back 23 s"
    )
    assert hint.startswith("--budget 230s: a run: 2 s of warm-up, 5 s at full speed, about 8 s for restart")
    assert hint.endswith("where they vary by 31 %, at a risk of 5 % of a false claim.")


def test_a_schedule_is_told_in_two_lines_before_it_runs() -> None:
    first, second = schedule_lines(planned(300))
    assert first.startswith("planned within 5min: data 5 s, a trial run 14 s, 2 A/A pairs ")
    assert second.startswith(
        "a run: 2 s of warm-up, 7 s at full speed, about 8 s for restart and data; 5 pairs can show a "
    )


def test_caches_that_are_warm_already_need_fewer_seconds() -> None:
    cold = ServerPace(create=5.0, copy=1.5, copy_changed=1.5, switch=2.0, is_cached=False)
    assert planned(1_800, cold).lengths.warm_up > planned(1_800).lengths.warm_up
    assert assumed_pace(Bytes.parse("1GB"), Bytes.parse("4GB"), restarts=True).is_cached
    assert not assumed_pace(Bytes.parse("3GB"), Bytes.parse("4GB"), restarts=True).is_cached
    assert not assumed_pace(Bytes.parse("1GB"), Bytes(0), restarts=True).is_cached, "unknown memory"


@pytest.mark.parametrize("groups", [0, 1, 2, 4, 9])
def test_every_schedule_that_chose_its_pairs_finds_what_halves_a_figure(groups: int) -> None:
    result = plan_schedule(asked(groups=groups), always(IDLE), 1)
    assert isinstance(result, TooShort)
    assert 1 < result.smallest.shows(SPREAD_MOST) <= HALVED
    more = plan_schedule(asked(groups=groups), always(IDLE), 40 * HOUR)
    assert isinstance(more, BenchSchedule)
    assert more.shows(SPREAD_MOST) < result.smallest.shows(SPREAD_MOST)


def test_what_a_schedule_shows_is_what_the_pairs_of_a_run_are_said_to_show() -> None:
    schedule = planned(600)
    assert schedule.pairs == FIRST
    # Two pairs whose log ratios deviate so that the corrected deviation is that of the record.
    half = SPREAD_MOST * 0.7978845608 / 2**0.5
    assert isclose(smallest_shown((-half, half), FIRST), schedule.shows(SPREAD_MOST), rel_tol=1e-6)
