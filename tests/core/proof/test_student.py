"""Student's t distribution against printed tables and exact values."""

from math import atan, isclose, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.student import incomplete_beta, t_cumulative, t_quantile, unbiased_deviation_factor

TWO_SIDED_95 = {
    1: 12.706,
    2: 4.303,
    3: 3.182,
    4: 2.776,
    5: 2.571,
    7: 2.365,
    9: 2.262,
    11: 2.201,
    15: 2.131,
    30: 2.042,
    120: 1.980,
}
"""NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2."""
ONE_SIDED_999 = {2: 22.327, 3: 10.215, 5: 5.893, 10: 4.144, 15: 3.733, 30: 3.385}
"""The same table, its last column."""
C4 = {1: 0.7979, 2: 0.8862, 3: 0.9213, 9: 0.9727}
"""NIST/SEMATECH e-Handbook, 6.3.2: by degrees of freedom, one less than the sample's size."""


@pytest.mark.parametrize(("freedom", "expected"), TWO_SIDED_95.items())
def test_quantiles_of_95_percent_are_those_of_the_table(freedom: int, expected: float) -> None:
    assert isclose(t_quantile(0.975, freedom), expected, rel_tol=0, abs_tol=0.0006)


@pytest.mark.parametrize(("freedom", "expected"), ONE_SIDED_999.items())
def test_quantiles_far_out_are_those_of_the_table(freedom: int, expected: float) -> None:
    assert isclose(t_quantile(0.999, freedom), expected, rel_tol=0, abs_tol=0.0006)


@pytest.mark.parametrize(("freedom", "expected"), C4.items())
def test_the_deviation_of_few_values_is_corrected_as_the_table_says(freedom: int, expected: float) -> None:
    assert isclose(1 / unbiased_deviation_factor(freedom), expected, rel_tol=0, abs_tol=0.0001)


@given(st.floats(-1e6, 1e6))
def test_one_degree_of_freedom_is_the_cauchy_distribution(value: float) -> None:
    assert isclose(t_cumulative(value, 1), 0.5 + atan(value) / pi, rel_tol=0, abs_tol=1e-10)


@given(st.floats(-1e4, 1e4))
def test_two_degrees_of_freedom_have_a_closed_form(value: float) -> None:
    assert isclose(
        t_cumulative(value, 2), 0.5 + value / (2 * sqrt(2 + value * value)), rel_tol=0, abs_tol=1e-10
    )


@given(st.floats(0.001, 0.999), st.integers(1, 200))
def test_the_quantile_undoes_the_distribution(probability: float, freedom: int) -> None:
    assert isclose(
        t_cumulative(t_quantile(probability, freedom), freedom), probability, rel_tol=0, abs_tol=1e-9
    )


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0.5, 50), st.floats(0.5, 50))
def test_the_incomplete_beta_function_is_symmetric(at: float, a: float, b: float) -> None:
    assert isclose(incomplete_beta(at, a, b), 1 - incomplete_beta(1 - at, b, a), rel_tol=0, abs_tol=1e-10)


@pytest.mark.parametrize(("probability", "freedom"), [(0, 3), (1, 3), (0.5, 0), (-1, 1), (0.9, -2)])
def test_no_quantile_is_made_up(probability: float, freedom: float) -> None:
    with pytest.raises(ValueError, match="no quantile"):
        t_quantile(probability, freedom)
