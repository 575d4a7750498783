"""What days of a live server before and after a change show: observed, never proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from types import MappingProxyType

from tunewiz.core.proof.index_numbers import Basket
from tunewiz.core.proof.looks import ONLY_RISK
from tunewiz.core.proof.metrics import METRICS, MetricName
from tunewiz.core.proof.proof import Arm, ClaimVerdict, MetricResult, Pair, Proof
from tunewiz.core.proof.ratios import LEAST_PAIRS, SAME_WITHIN, Estimate, claim, estimate

LEAST_DAYS = 7
"""Days on each side that a conclusion needs: a week has every weekday (by convention)."""
TIME: MetricName = "query_time"
REVERSE: MetricName = "query_time_reverse"


def pair_of(basket: Basket) -> Pair:
    """One day on both sides."""
    return Pair(
        order="before first",
        before=Arm(figures=MappingProxyType({TIME: basket.before, REVERSE: basket.reverse_before})),
        after=Arm(figures=MappingProxyType({TIME: basket.after, REVERSE: basket.reverse_after})),
    )


def index_results(days: Sequence[Basket]) -> Mapping[MetricName, MetricResult]:
    """Both index numbers over one or more days, each with the verdict that it alone would allow."""
    return {
        TIME: _result(TIME, [day.ratio for day in days]),
        REVERSE: _result(REVERSE, [day.reverse_ratio for day in days]),
    }


def _result(name: MetricName, ratios: Sequence[float]) -> MetricResult:
    if len(ratios) < LEAST_PAIRS:
        (ratio,) = ratios
        # A level of 0: a single observation has no known spread.
        return _as_result(Estimate(mean=log(ratio), error=0.0, freedom=1), 0.0, "undecided")
    result = estimate([log(ratio) for ratio in ratios])
    return _as_result(result, 1 - ONLY_RISK, claim(result, ONLY_RISK, SAME_WITHIN, METRICS[name].better))


def _as_result(entry: Estimate, level: float, verdict: ClaimVerdict) -> MetricResult:
    interval = entry.interval(level)
    return MetricResult(
        ratio=interval.ratio,
        low=interval.low,
        high=interval.high,
        level=level,
        verdict=verdict,
        within=entry.within(ONLY_RISK),
    )


def observed_verdict(proof: Proof) -> ClaimVerdict:
    """The verdict on which both index numbers agree, otherwise undecided."""
    verdicts: list[ClaimVerdict] = [
        proof.metrics[name].verdict for name in (TIME, REVERSE) if name in proof.metrics
    ]
    return verdicts[0] if verdicts and verdicts[0] == verdicts[-1] else "undecided"
