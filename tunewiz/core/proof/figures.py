"""How a measured ratio is written: the same in a plan, in a report and on the screen."""

from __future__ import annotations

from tunewiz.core.proof.metrics import METRIC_NAMES, METRICS, MetricName
from tunewiz.core.proof.proof import GroupResult, MetricResult, Proof


def ratio_in_words(result: MetricResult | GroupResult) -> str:
    """A ratio with its interval: `1.09 (95 %: 1.01 to 1.19)`; without the interval for one observation."""
    if not result.level:
        return f"{result.ratio:.2f} (a single observation)"
    return f"{result.ratio:.2f} ({100 * result.level:.3g} %: {result.low:.2f} to {result.high:.2f})"


def metrics_in_order(proof: Proof) -> tuple[tuple[MetricName, MetricResult], ...]:
    """The results by metric, the primary one first."""
    others: list[MetricName] = [name for name in METRIC_NAMES if name != proof.primary]
    return tuple((name, proof.metrics[name]) for name in (proof.primary, *others) if name in proof.metrics)


def figure_of(metric: MetricName, result: MetricResult | GroupResult) -> str:
    """A metric's result: `throughput x 1.09 (95 %: 1.01 to 1.19)`."""
    return f"{METRICS[metric].title} x {ratio_in_words(result)}"
