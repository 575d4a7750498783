"""Metrics as the text that Prometheus and the textfile collector of its node_exporter read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tunewiz.core.fleet.metrics import Gauge, GaugeSample
from tunewiz.core.words.harmless import harmless


def prometheus(metrics: Iterable[Gauge]) -> str:
    """Each metric with its help and type; a metric without samples is left out."""
    return "".join(line for metric in metrics if metric.samples for line in _metric(metric))


def _metric(metric: Gauge) -> Iterator[str]:
    about = metric.about.replace("\\", "\\\\").replace("\n", "\\n")
    yield f"# HELP {metric.name} {about}\n"
    yield f"# TYPE {metric.name} gauge\n"
    for sample in metric.samples:
        yield f"{metric.name}{_labels(sample)} {sample.value}\n"


def _labels(sample: GaugeSample) -> str:
    pairs = ",".join(f'{name}="{_escaped(value)}"' for name, value in sample.labels.items())
    return f"{{{pairs}}}" if pairs else ""


def _escaped(text: str) -> str:
    r"""A label's value: only these three have escapes, and other control characters are spelt out before.

    >>> print(_escaped('a"b\\c\nd'))
    a\"b\\c\\nd
    """
    return harmless(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
