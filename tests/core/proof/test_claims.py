"""What pairs allow to be claimed: helped, hurt, the same, or nothing."""

from math import exp, isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.looks import FIRST, LAST, SECOND, planned_looks
from tunewiz.core.proof.metrics import METRIC_NAMES, METRICS
from tunewiz.core.proof.ratios import SAME_WITHIN, claim, estimate, log_ratios
from tunewiz.core.proof.resolution import is_lopsided, smallest_shown

FIGURES = st.floats(1e-3, 1e6)
LOGS = st.lists(st.floats(-2, 2), min_size=2, max_size=30)
RISKS = st.sampled_from([0.005, 0.014, 0.045, 0.05])


def test_the_interval_is_that_of_a_paired_t_test() -> None:
    # Student's own sleep data (1908): differences 1.2 2.4 1.3 1.3 0 1 1.8 0.8 4.6 1.4, 95 %: 0.70 to 2.46.
    interval = estimate([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]).interval(0.95)
    expected = (0.700, 1.580, 2.460)
    for ratio, log_ratio in zip((interval.low, interval.ratio, interval.high), expected, strict=True):
        assert isclose(log(ratio), log_ratio, rel_tol=0, abs_tol=0.001)


def test_more_throughput_helps_and_more_latency_hurts() -> None:
    better = estimate([0.2, 0.21, 0.19, 0.2, 0.2, 0.21])
    assert claim(better, 0.05, SAME_WITHIN, "higher") == "helped"
    assert claim(better, 0.05, SAME_WITHIN, "lower") == "hurt"


def test_a_small_certain_difference_is_the_same() -> None:
    small = estimate([0.01, 0.011, 0.009, 0.01])
    assert claim(small, 0.05, SAME_WITHIN, "higher") == "same"


def test_much_noise_decides_nothing() -> None:
    assert claim(estimate([0.5, -0.5, 0.4, -0.3]), 0.05, SAME_WITHIN, "higher") == "undecided"


@given(LOGS, RISKS, st.sampled_from(["higher", "lower"]))
def test_exchanging_the_sides_exchanges_the_claim(logs: list[float], risk: float, better: str) -> None:
    direction = METRICS["throughput"].better if better == "higher" else METRICS["latency_99"].better
    swapped = {"helped": "hurt", "hurt": "helped", "same": "same", "undecided": "undecided"}
    name = claim(estimate(logs), risk, SAME_WITHIN, direction)
    assert claim(estimate([-number for number in logs]), risk, SAME_WITHIN, direction) == swapped[name]


@given(LOGS, RISKS)
def test_what_is_claimed_lies_outside_one_and_inside_the_interval(logs: list[float], risk: float) -> None:
    result = estimate(logs)
    interval = result.interval(1 - risk)
    assert interval.low <= interval.ratio <= interval.high
    if claim(result, risk, SAME_WITHIN, "higher") in ("helped", "hurt"):
        assert not interval.low <= 1 <= interval.high
    if claim(result, risk, SAME_WITHIN, "higher") == "same":
        assert 1 / SAME_WITHIN <= interval.ratio <= SAME_WITHIN


@given(st.lists(st.tuples(FIGURES, FIGURES), min_size=1))
def test_log_ratios_are_of_after_to_before(pairs: list[tuple[float, float]]) -> None:
    for (before, after), log_ratio in zip(pairs, log_ratios(pairs), strict=True):
        assert isclose(before * exp(log_ratio), after)


@pytest.mark.parametrize("pair", [(0.0, 1.0), (1.0, 0.0), (-1.0, 2.0)])
def test_a_figure_of_nothing_has_no_ratio(pair: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="above 0"):
        log_ratios([pair])


def test_one_pair_says_nothing_of_noise() -> None:
    with pytest.raises(ValueError, match="expected 2 or more"):
        estimate([0.1])


@given(st.integers(2, 200))
def test_looks_are_fixed_grow_and_end_with_the_last_pair(pairs: int) -> None:
    looks = planned_looks(pairs)
    assert [look.pairs for look in looks] == sorted({look.pairs for look in looks})
    assert looks[-1].pairs == pairs
    assert {look.pairs for look in looks[:-1]} <= {FIRST, SECOND, LAST}
    assert sum(look.risk for look in looks) <= 0.065


@given(
    st.lists(st.floats(-0.3, 0.3), min_size=2, max_size=6).filter(lambda logs: max(logs) - min(logs) > 1e-3)
)
def test_more_pairs_show_smaller_differences(logs: list[float]) -> None:
    shown = [smallest_shown(logs, pairs) for pairs in (2, 4, 6, 10, 16, 30)]
    assert shown == sorted(shown, reverse=True)
    assert shown[-1] > 1


def test_pairs_in_which_the_second_run_is_always_slower_are_noticed() -> None:
    assert is_lopsided([-0.1, -0.11, -0.09, -0.1], 0.01)
    assert not is_lopsided([-0.1, 0.11, -0.09, 0.1], 0.01)


def test_every_metric_is_described() -> None:
    assert set(METRICS) == set(METRIC_NAMES)
