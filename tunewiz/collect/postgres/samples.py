"""Samples of a server at work, as passed between two processes, and what follows from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from tunewiz.collect.postgres.counters import counters_of_window, most_sessions
from tunewiz.collect.postgres.waits import added_up
from tunewiz.core.facts.look import STARTED
from tunewiz.core.facts.server import Window
from tunewiz.core.facts.statements import StatementSeen, StatementsSeen
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, Unknown

MIN_SECONDS = 2
"""Seconds: up to 14 the server brings its counts up to date twice a second (PGSTAT_STAT_INTERVAL)."""

WAITS = "waits"
"""Among what was refused: why no waits were sampled."""
MAX_SAMPLES = 300
"""Over a longer time the samples are farther apart."""
OFTENEST = 1.0
"""Seconds between two samples."""


def pause_of(seconds: int) -> float:
    """Seconds from one look to the next where the server is watched for so long."""
    return max(OFTENEST, seconds / MAX_SAMPLES)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sample:
    """One look."""

    seconds: float
    """Since the first look."""
    how: str
    numbers: Mapping[str, int]
    refused: Mapping[str, str]
    at: float = 0.0
    """Seconds since 1970."""
    statements: Mapping[str, Any] | None = None
    """In the last sample, what each statement did (`StatementTally`); None if not requested."""
    wait_samples: int = 0
    """Looks at what active sessions wait for, since the last sample."""
    waits: tuple[tuple[str, str, int], ...] = ()
    """What they saw together: wait_event_type, wait_event (`hidden` of WaitSample among them), how often."""

    def to_json(self) -> str:
        """For the process that watches, on one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Sample:
        """What `to_json` wrote."""
        data = json.loads(text)
        waits = tuple((kind, event, count) for kind, event, count in data.pop("waits"))
        return cls(waits=waits, **data)


def window_of(samples: Sequence[Sample], ended: str = "") -> Fact[Window]:
    """What the server did between the first and the last sample.

    Args:
        samples: In their order.
        ended: Why the looks ended early; empty where they did not.
    """
    if not samples or samples[-1].seconds < MIN_SECONDS:
        return Unknown(ended or f"the server was watched for less than {MIN_SECONDS} seconds")
    first, last = samples[0], samples[-1]

    def grew(name: str) -> Fact[int]:
        return _difference(first, last, name)

    return Known(
        Window(
            seconds=round(last.seconds),
            samples=len(samples),
            commits=_without_own(grew("commits"), samples),
            rollbacks=grew("rollbacks"),
            rows_read=grew("rows_read"),
            rows_written=grew("rows_written"),
            blocks_hit=grew("blocks_hit"),
            blocks_read=grew("blocks_read"),
            temp_files=grew("temp_files"),
            temp_bytes=grew("temp_bytes"),
            checkpoints_timed=grew("checkpoints_timed"),
            checkpoints_requested=grew("checkpoints_requested"),
            wal_bytes=grew("wal_position"),
            connections_peak=_peak(samples, "connections"),
            counters=counters_of_window(grew, round(last.seconds)),
            sessions=most_sessions([sample.numbers for sample in samples], last.refused, last.how),
            began=_time(first.at),
            server_started=_started(samples),
            statements=_statements(last, ended),
            waits=_waits(samples),
        ),
        f"watched {last.how}; {ended}" if ended else f"watched {last.how}",
    )


def _without_own(commits: Fact[int], samples: Sequence[Sample]) -> Fact[int]:
    """Without the transactions in which waits were sampled; the server counts the last of them later."""
    own = sum(sample.wait_samples for sample in samples[1:-1])
    return Known(max(0, commits.value - own), commits.how) if isinstance(commits, Known) else commits


def _waits(samples: Sequence[Sample]) -> Fact[Waits]:
    last = samples[-1]
    if not any(sample.wait_samples for sample in samples):
        return Unknown(last.refused[WAITS]) if WAITS in last.refused else NOT_LOOKED_FOR
    counts = (entry for sample in samples for entry in sample.waits)
    looks = sum(sample.wait_samples for sample in samples)
    return added_up(counts, seconds=last.seconds, samples=looks, how=last.how)


def _difference(first: Sample, last: Sample, name: str) -> Fact[int]:
    if name not in first.numbers or name not in last.numbers:
        return Unknown(last.refused.get(name, first.refused.get(name, "the server did not report it")))
    if last.numbers[name] < first.numbers[name]:
        return Unknown("the statistics were reset while the server was watched")
    return Known(last.numbers[name] - first.numbers[name], "watched")


def _peak(samples: Sequence[Sample], name: str) -> Fact[int]:
    result = [sample.numbers[name] for sample in samples if name in sample.numbers]
    if not result:
        return Unknown(samples[-1].refused.get(name, "the server did not report it"))
    return Known(max(0, *result), "watched")


def _time(seconds: float) -> Fact[str]:
    """A UTC time as text that sorts by time."""
    if not seconds:
        return NOT_LOOKED_FOR
    return Known(f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}", "the clock")


def _started(samples: Sequence[Sample]) -> Fact[str]:
    """When the server was last started, up to the last sample."""
    peak = _peak(samples, STARTED)
    return _time(peak.value) if isinstance(peak, Known) else peak


def _statements(last: Sample, ended: str) -> Fact[StatementsSeen]:
    statements = last.statements
    if statements is None:
        return Unknown(ended) if ended else NOT_LOOKED_FOR
    if statements["why"]:
        return Unknown(statements["why"])
    return Known(
        StatementsSeen(
            statements=tuple(StatementSeen(**value) for value in statements["statements"]),
            run_ms=statements["run_ms"],
            unlisted=statements["unlisted"],
            evicted=statements["evicted"],
        ),
        f"pg_stat_statements {last.how}",
    )
