"""The smallest difference that a server can reveal, from pairs with both sides the same (A/A)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from statistics import fmean, stdev

from tunewiz.core.proof.looks import planned_looks
from tunewiz.core.proof.ratios import LEAST_PAIRS
from tunewiz.core.proof.student import t_quantile, unbiased_deviation_factor

POWER = 0.8
"""A difference of the size that is named is found in four of five experiments (Cohen, 1988)."""


def smallest_shown(logs: Sequence[float], pairs: int) -> float:
    """The smallest ratio, above 1, that so many pairs will probably show.

    Args:
        logs: Log ratios of A/A pairs, two or more.
        pairs: How many pairs will be measured, two or more.

    Raises:
        ValueError: Too few of either.
    """
    if min(len(logs), pairs) < LEAST_PAIRS:
        raise ValueError(f"expected {LEAST_PAIRS} or more pairs, found {len(logs)} and {pairs}")
    freedom = pairs - 1
    needed = t_quantile(1 - planned_looks(pairs)[-1].risk / 2, freedom) + t_quantile(POWER, freedom)
    return exp(needed * deviation(logs) / sqrt(pairs))


def deviation(logs: Sequence[float]) -> float:
    """Of one pair's log ratio; without the bias that few pairs have."""
    return stdev(logs) * unbiased_deviation_factor(len(logs) - 1)


def is_lopsided(logs: Sequence[float], risk: float) -> bool:
    """Whether the second run of A/A pairs differs from the first: something else is at work."""
    half = t_quantile(1 - risk / 2, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return abs(fmean(logs)) > half
