"""How a measured ratio is written: the same in a plan, in a report and on the screen."""

from __future__ import annotations

from tunewiz.core.proof.metrics import METRICS, MetricName
from tunewiz.core.proof.proof import GroupResult, MetricResult


def ratio_in_words(result: MetricResult | GroupResult) -> str:
    """A ratio with its interval: `1.09 (95 %: 1.01 to 1.19)`; of one observation, without."""
    if not result.level:
        return f"{result.ratio:.2f} (a single observation)"
    return f"{result.ratio:.2f} ({100 * result.level:.3g} %: {result.low:.2f} to {result.high:.2f})"


def figure_of(metric: MetricName, result: MetricResult | GroupResult) -> str:
    """What became of a metric: `throughput x 1.09 (95 %: 1.01 to 1.19)`."""
    return f"{METRICS[metric].title} x {ratio_in_words(result)}"
