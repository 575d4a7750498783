"""The staircase gives each group its Shapley value where pairs of groups interact, whatever the drift."""

from itertools import combinations, pairwise
from math import exp, isclose
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.staircase import MeasuredCycle, contributions, drawn_order, steps_of, totals

GROUPS = ("memory", "wal", "planner", "vacuum")
EFFECTS = st.fixed_dictionaries({group: st.floats(-0.3, 0.3) for group in GROUPS})
TOGETHER = st.fixed_dictionaries({pair: st.floats(-0.2, 0.2) for pair in combinations(GROUPS, 2)})


def cycle(
    order: tuple[str, ...], alone: dict[str, float], together: dict[tuple[str, str], float], drift: float
) -> MeasuredCycle:
    def figure(number: int, step: frozenset[str]) -> float:
        interplay = sum(value for pair, value in together.items() if set(pair) <= step)
        return exp(7 + sum(alone[group] for group in step) + interplay + drift * number)

    return MeasuredCycle(
        order=order, figures=tuple(figure(number, step) for number, step in enumerate(steps_of(order)))
    )


@given(EFFECTS, TOGETHER, st.floats(-0.02, 0.02), st.permutations(GROUPS))
def test_each_group_gets_its_shapley_value_whatever_the_drift(
    alone: dict[str, float], together: dict[tuple[str, str], float], drift: float, order: list[str]
) -> None:
    result = contributions([cycle(tuple(order), alone, together, drift)] * 2)
    for group in GROUPS:
        shared = sum(value for pair, value in together.items() if group in pair) / 2
        # The drift of a step is the same up and down, and what it adds to both is taken out.
        assert isclose(result[group].mean, alone[group] + shared, rel_tol=0, abs_tol=1e-9)


@given(EFFECTS, TOGETHER, st.permutations(GROUPS))
def test_contributions_add_up_to_the_whole(
    alone: dict[str, float], together: dict[tuple[str, str], float], order: list[str]
) -> None:
    cycles = [cycle(tuple(order), alone, together, 0.01)] * 3
    result = contributions(cycles)
    assert isclose(
        fmean(totals(cycles)), sum(estimate.mean for estimate in result.values()), rel_tol=0, abs_tol=1e-9
    )


def test_a_cycle_ends_where_it_began() -> None:
    steps = steps_of(GROUPS)
    assert (len(steps), steps[0], steps[4], steps[-1]) == (9, frozenset(), frozenset(GROUPS), frozenset())
    assert all(len(one ^ other) == 1 for one, other in pairwise(steps))


def test_orders_are_drawn_and_can_be_drawn_again() -> None:
    drawn, again = ([drawn_order(GROUPS, Random(seed)) for seed in range(40)] for _ in range(2))  # noqa: S311 - nothing secret
    assert drawn == again
    assert len(set(drawn)) > 10
    assert {order[0] for order in drawn} == set(GROUPS)


def test_one_cycle_says_nothing_of_noise() -> None:
    with pytest.raises(ValueError, match="expected 2 or more"):
        contributions([MeasuredCycle(order=("a",), figures=(1, 2, 1))])


@pytest.mark.parametrize("figures", [(1.0, 2.0), (1.0, 2.0, 1.0, 1.0)])
def test_runs_that_do_not_fit_are_refused(figures: tuple[float, ...]) -> None:
    wrong = MeasuredCycle(order=("a",), figures=figures)
    with pytest.raises(ValueError, match="expected 3 of all groups"):
        contributions([wrong, wrong])
