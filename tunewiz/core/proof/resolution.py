"""The smallest difference that a server can reveal, from pairs with both sides the same (A/A)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from statistics import fmean, stdev

from tunewiz.core.proof.looks import ONLY_RISK, planned_looks
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
    return shown_by_pairs(deviation(logs), pairs)


def shown_by_pairs(spread: float, pairs: int) -> float:
    """The smallest ratio, above 1, that two or more pairs will probably show.

    Args:
        spread: Standard deviation of a pair's log ratio.
        pairs: How many pairs will be measured.
    """
    return _shown(spread / sqrt(pairs), pairs - 1, planned_looks(pairs)[-1].risk)


def shown_by_cycles(spread: float, cycles: int, groups: int) -> float:
    """The same of one part of a plan; its parts share the error and the risk (see staircase.py).

    A part's log ratio is half the sum of two differences, so it deviates less than a pair's.
    """
    error = spread / sqrt(2) / sqrt(cycles)
    return _shown(error, groups * (cycles - 1), ONLY_RISK / groups)


def _shown(error: float, freedom: int, risk: float) -> float:
    return exp((t_quantile(1 - risk / 2, freedom) + t_quantile(POWER, freedom)) * error)


def deviation(logs: Sequence[float]) -> float:
    """Of one pair's log ratio; without the bias that few pairs have."""
    return stdev(logs) * unbiased_deviation_factor(len(logs) - 1)


def is_lopsided(logs: Sequence[float], risk: float) -> bool:
    """Whether the second run of A/A pairs differs from the first: something else is at work."""
    half = t_quantile(1 - risk / 2, len(logs) - 1) * stdev(logs) / sqrt(len(logs))
    return abs(fmean(logs)) > half
