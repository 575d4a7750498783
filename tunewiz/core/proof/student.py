"""Student's t distribution from the standard library alone: no numpy exists for every machine this runs on.

The distribution function is a regularized incomplete beta function (Abramowitz and Stegun, 26.5.27 and
26.7.1), by its continued fraction with Lentz's method (Numerical Recipes, 6.4); quantiles by bisection.
"""

from __future__ import annotations

from functools import cache
from math import exp, lgamma, log, log1p, sqrt

_TERMS = 10_000
_PRECISION = 1e-15
_TINY = 1e-300
_WIDEST = 1e12
"""Beyond the quantile of any level that is asked for, with one degree of freedom too."""
_HALVINGS = 200


@cache
def t_quantile(probability: float, freedom: float) -> float:
    """The value that a t variable stays below with that probability.

    Args:
        probability: Between 0 and 1, both excluded.
        freedom: Degrees of freedom, above 0.

    Raises:
        ValueError: One of them is out of its range.
    """
    if not 0 < probability < 1 or freedom <= 0:
        raise ValueError(f"no quantile {probability} with {freedom} degrees of freedom")
    if probability < 0.5:  # noqa: PLR2004 - the distribution is symmetric
        return -t_quantile(1 - probability, freedom)
    low, high = 0.0, _WIDEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if t_cumulative(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_cumulative(value: float, freedom: float) -> float:
    """The probability that a t variable is at most that value."""
    square = value * value
    inside = incomplete_beta(square / (freedom + square), 0.5, freedom / 2)
    return (1 + inside) / 2 if value > 0 else (1 - inside) / 2


def incomplete_beta(at: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_at(a, b), for `at` from 0 to 1."""
    if at <= 0 or at >= 1:
        return float(at >= 1)
    if at > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - at, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(at) + b * log1p(-at))
    return front * _fraction(at, a, b) / a


def _fraction(at: float, a: float, b: float) -> float:
    """The continued fraction, by Lentz's method."""
    numerator, denominator = 1.0, 1 / _not_zero(1 - (a + b) * at / (a + 1))
    value = denominator
    for term in range(1, _TERMS):
        even = term * (b - term) * at / ((a + 2 * term - 1) * (a + 2 * term))
        odd = -(a + term) * (a + b + term) * at / ((a + 2 * term) * (a + 2 * term + 1))
        step = 1.0
        for part in (even, odd):
            denominator = 1 / _not_zero(1 + part * denominator)
            numerator = _not_zero(1 + part / numerator)
            step = numerator * denominator
            value *= step
        if abs(step - 1) < _PRECISION:
            break
    return value


def _not_zero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


def unbiased_deviation_factor(freedom: int) -> float:
    """By what a sample's standard deviation is multiplied to be right on average (1 / c4).

    Source: NIST/SEMATECH e-Handbook of Statistical Methods, 6.3.2, for normal samples.
    """
    return sqrt(freedom / 2) * exp(lgamma(freedom / 2) - lgamma((freedom + 1) / 2))
