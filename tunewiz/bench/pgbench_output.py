"""What pgbench reports: its summary and its logs. Pure.

Formats: PostgreSQL documentation, pgbench, "Per-Transaction Logging" and "Aggregated Logging".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

_PROCESSED = re.compile(r"^number of transactions actually processed: (\d+)", re.MULTILINE)
_SPEED = re.compile(
    r"^tps = ([0-9.]+) \((?:without initial connection time|excluding connections establishing)", re.MULTILINE
)
_FAILED = re.compile(r"^number of failed transactions: (\d+)", re.MULTILINE)
AGGREGATED_COLUMNS = 2
"""Those that are read: start of the interval, transactions."""
LATENCY_COLUMN = 2
"""client, transaction, time in microseconds, script, epoch, microseconds, …"""


@dataclass(frozen=True, kw_only=True, slots=True)
class PgbenchSummary:
    """The end of pgbench's output."""

    transactions: int
    speed: float
    """Transactions a second, without the time to connect."""
    failed: int


def summary(output: str) -> PgbenchSummary:
    """Of what pgbench printed; raises ValueError for something else."""
    processed, speed = _PROCESSED.search(output), _SPEED.search(output)
    if processed is None or speed is None:
        raise ValueError(f"pgbench: expected its summary, found {output[-200:]!r}")
    failed = _FAILED.search(output)
    return PgbenchSummary(
        transactions=int(processed[1]), speed=float(speed[1]), failed=0 if failed is None else int(failed[1])
    )


def seconds_of(logs: Iterable[str]) -> tuple[int, ...]:
    """Transactions of every whole second, from aggregated logs, one for each thread; 0 for an idle second.

    The first and last seconds are dropped, as the run begins and ends within them.
    """
    counts = dict[int, int]()
    for log in logs:
        for line in log.splitlines():
            parts = line.split()
            if len(parts) > AGGREGATED_COLUMNS and parts[0].isdigit() and parts[1].isdigit():
                counts[int(parts[0])] = counts.get(int(parts[0]), 0) + int(parts[1])
    if not counts:
        return ()
    first, last = min(counts), max(counts)
    return tuple(counts.get(second, 0) for second in range(first + 1, last))


def latencies_of(logs: Iterable[str]) -> tuple[int, ...]:
    """Microseconds of each transaction, from its planned start, sorted; skipped and failed ones left out."""
    latencies = list[int]()
    for log in logs:
        for line in log.splitlines():
            parts = line.split(maxsplit=LATENCY_COLUMN + 1)
            if len(parts) > LATENCY_COLUMN and parts[LATENCY_COLUMN].isdigit():
                latencies.append(int(parts[LATENCY_COLUMN]))
    return tuple(sorted(latencies))


def percentile(values: Sequence[int], share: float) -> int:
    """A percentile by nearest rank; `values` must be sorted and not empty."""
    return values[max(0, ceil(share * len(values)) - 1)]


def busy_ticks(stat: str) -> int:
    """Clock ticks of work from /proc/stat (proc(5)): neither idle, waiting for I/O nor stolen."""
    name, *ticks = stat.splitlines()[0].split()
    if name != "cpu" or len(ticks) < 7:  # noqa: PLR2004 - user nice system idle iowait irq softirq
        raise ValueError(f"/proc/stat: expected the line of all processors, found {stat[:60]!r}")
    user, nice, system, _idle, _waiting, irq, soft = (int(tick) for tick in ticks[:7])
    return user + nice + system + irq + soft
