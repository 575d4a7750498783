"""What pairs say of one metric: a ratio with an interval, and the claim that it allows.

t on the logarithm of the ratio within each pair: order drawn within pairs keeps drift out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import fmean, stdev
from typing import Literal, assert_never

from tunewiz.core.proof.proof import ClaimVerdict
from tunewiz.core.proof.student import t_quantile
from tunewiz.core.values.record import dataclass

SAME_WITHIN = 1.05
"""Differences below this ratio matter to nobody who tunes a server: less than between two mornings.

A convention of this program; a server that cannot show so small a difference uses what it can show."""
LEAST_PAIRS = 2
"""Without a second pair nothing is known of the noise."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """A mean of log ratios, with what its uncertainty follows from."""

    mean: float
    error: float
    """Standard error of the mean."""
    freedom: int

    def interval(self, level: float) -> Interval:
        """The ratio with a two-sided interval of that confidence."""
        half = self.error * t_quantile((1 + level) / 2, self.freedom)
        return Interval(ratio=exp(self.mean), low=exp(self.mean - half), high=exp(self.mean + half))

    def within(self, risk: float) -> float:
        """The smallest ratio, at least 1, within which both sides are the same with that risk of error.

        Two one-sided tests (Schuirmann, 1987): the interval of confidence 1 - 2 risk lies within.
        """
        half = self.error * t_quantile(1 - risk, self.freedom)
        return exp(abs(self.mean) + half)


@dataclass(frozen=True, kw_only=True, slots=True)
class Interval:
    """A ratio and the bounds between which it lies with some confidence."""

    ratio: float
    low: float
    high: float


def log_ratios(pairs: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    """Of before and after in each pair; raises ValueError for a figure that is not above 0."""
    if any(before <= 0 or after <= 0 for before, after in pairs):
        raise ValueError("figures that are compared by their ratio must be above 0")
    return tuple(log(after / before) for before, after in pairs)


def estimate(logs: Sequence[float]) -> Estimate:
    """Of independent log ratios, two or more; raises ValueError for fewer."""
    if len(logs) < LEAST_PAIRS:
        raise ValueError(f"found {len(logs)} pairs, expected {LEAST_PAIRS} or more")
    return Estimate(mean=fmean(logs), error=stdev(logs) / sqrt(len(logs)), freedom=len(logs) - 1)


def claim(estimate: Estimate, risk: float, margin: float, better: Literal["higher", "lower"]) -> ClaimVerdict:
    """What may be claimed with that risk of a false claim.

    Args:
        estimate: Of the metric.
        risk: Two-sided: .05 for an interval of 95 %.
        margin: The ratio, above 1, within which both sides count as the same where no difference was found.
        better: The direction in which the metric improves.
    """
    interval, within = estimate.interval(1 - risk), estimate.within(risk)
    if interval.low <= 1 <= interval.high:
        return "same" if within <= margin else "undecided"
    if within <= SAME_WITHIN:
        # A difference that is certain, but too small to matter.
        return "same"
    match better:
        case "higher":
            return "helped" if interval.low > 1 else "hurt"
        case "lower":
            return "helped" if interval.high < 1 else "hurt"
        case _:
            assert_never(better)
