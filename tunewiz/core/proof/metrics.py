"""What is measured, and which direction is better."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, get_args

from tunewiz.core.values.record import dataclass

MetricName = Literal[
    "throughput",
    "latency_95",
    "latency_99",
    "worst_second",
    "wal_per_transaction",
    "cpu_per_transaction",
    "query_time",
    "query_time_reverse",
    "query_time_ideal",
]
"""By their keys in proof.json."""
METRIC_NAMES: tuple[MetricName, ...] = get_args(MetricName)


@dataclass(frozen=True, kw_only=True, slots=True)
class Metric:
    """One quantity that is compared before and after."""

    title: str
    unit: str
    better: Literal["higher", "lower"]
    about: str
    """How it is measured, for people."""


METRICS: Mapping[MetricName, Metric] = MappingProxyType(
    {
        "throughput": Metric(
            title="throughput",
            unit="transactions/s",
            better="higher",
            about="transactions a second that the clients complete when each starts its next one immediately",
        ),
        "latency_95": Metric(
            title="95th percentile of latency",
            unit="ms",
            better="lower",
            about="of transactions started at a fixed rate; waiting for their turn counts",
        ),
        "latency_99": Metric(
            title="99th percentile of latency",
            unit="ms",
            better="lower",
            about="of transactions started at a fixed rate; waiting for their turn counts",
        ),
        "worst_second": Metric(
            title="worst second",
            unit="transactions",
            better="higher",
            about="transactions completed in the slowest second of the run at full speed",
        ),
        "wal_per_transaction": Metric(
            title="WAL per transaction",
            unit="bytes",
            better="lower",
            about="bytes of WAL written during the run at full speed, divided by its transactions",
        ),
        "cpu_per_transaction": Metric(
            title="processor time per transaction",
            unit="ms",
            better="lower",
            about="busy time of the machine's processors during the run at full speed, pgbench's included, "
            "divided by its transactions",
        ),
        "query_time": Metric(
            title="time of the same queries",
            unit="ms",
            better="lower",
            about="of a fixed basket of queries, each counted as often as before the change",
        ),
        "query_time_reverse": Metric(
            title="time of the same queries, weighted as after",
            unit="ms",
            better="lower",
            about="of a fixed basket of queries, each counted as often as after the change",
        ),
        "query_time_ideal": Metric(
            title="time of the same queries, weighted as on both sides",
            unit="ms",
            better="lower",
            about="of the queries of both blocks; the geometric mean of both weightings (Fisher's index)",
        ),
    }
)
