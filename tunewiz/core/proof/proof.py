"""A proof: what was compared on one server, how, and what can be claimed of it (proof.json).

Ratios are "after" divided by "before", of the raw quantity: 1.10 of throughput is better, of latency worse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Literal

from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.values.record import dataclass

SCHEMA = 1

ProofKind = Literal["bench", "compare", "switchback"]
"""bench: pgbench before and after, in drawn order. compare: windows of a live server. switchback: settings
that a reload changes, in random blocks on the live server."""
ClaimVerdict = Literal["helped", "hurt", "same", "undecided"]
Verdict = Literal["helped", "hurt", "same", "undecided", "observed"]
"""observed: seen on a live server, where nobody kept the rest the same."""
PairOrder = Literal["before first", "after first"]
Direction = Literal["up", "down"]
WorkloadSource = Literal["builtin", "scripts", "statements", "log", "live"]
"""Where the transactions come from; live: whatever the clients of the server did."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofHost:
    """The machine on which it was measured; empty or 0 where it could not be read."""

    name: str
    identity: str = ""
    architecture: str = ""
    processors: int = 0
    memory: int = 0
    """Bytes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofServer:
    """The server on which it was measured."""

    major: str
    version: str = ""
    data_directory: str = ""
    system_identifier: str = ""
    is_copy: bool = False
    """Whether it ran on a copy of this server."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredChange:
    """One change between the two sides, by the recommendation that makes it."""

    id: str
    before: str
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofBundle:
    """What was compared with the state before it."""

    digest: str
    """SHA-256 of the bundle's SHA256SUMS; empty where no bundle was used."""
    changes: tuple[MeasuredChange, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofScript:
    """One kind of transaction in the mix."""

    name: str
    weight: int
    writes: bool
    digest: str = ""
    """SHA-256 of a script of the administrator's own; empty for one that pgbench has built in."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProofWorkload:
    """What the clients did."""

    source: WorkloadSource
    scripts: tuple[ProofScript, ...] = ()
    clients: int = 0
    scale: int = 0
    """pgbench's scale factor; 0 where the tables are not pgbench's."""
    run_seconds: int = 0
    """Length of a measured run at full speed."""
    rate: float = 0.0
    """Transactions a second of the run at a fixed rate; 0 if there was none."""
    seed: int = 0
    """All orders and pgbench's own random numbers come from it."""
    share: float | None = None
    """Of the server's own execution time, how much the workload stands for; null where that is unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MetricResult:
    """What can be claimed of one metric."""

    ratio: float
    low: float
    high: float
    level: float
    """Confidence of the interval: 0.955 for instance."""
    verdict: ClaimVerdict
    within: float
    """The smallest ratio, at least 1, within which both sides are the same at that level."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """One measured run of one side."""

    figures: Mapping[MetricName, float]
    series: tuple[int, ...] = ()
    """Transactions completed in each second of the run at full speed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Both sides, measured one after the other."""

    order: PairOrder
    before: Arm
    after: Arm


@dataclass(frozen=True, kw_only=True, slots=True)
class Cycle:
    """One staircase: groups are added in this order, then removed in this order."""

    order: tuple[str, ...]
    runs: tuple[Arm, ...]
    """2 k + 1 runs of k groups: none, one more each, all, one less each, none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupResult:
    """What a part of the plan contributes to the metric that the verdict rests on."""

    name: str
    ids: tuple[str, ...]
    ratio: float
    low: float
    high: float
    level: float
    verdict: ClaimVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class Look:
    """A look at the results that was planned before the first run."""

    pairs: int
    level: float
    verdict: ClaimVerdict


@dataclass(frozen=True, kw_only=True, slots=True)
class QueryResult:
    """One query of a live server, before and after."""

    query: str
    """Its normalized text, shortened; values never stand in it."""
    query_id: str
    calls_before: int
    """0: the query is new."""
    calls_after: int
    """0: the query is gone."""
    ratio: float | None
    """Mean time after divided by mean time before; None if it was called on one side only."""
    share: float
    """Share of the execution time before, 0 to 1."""
    database: str = ""
    role: str = ""
    share_after: float = 0.0
    """Share of the execution time after, 0 to 1."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Omission:
    """Something that does not count, and why."""

    what: str
    why: str


NO_METRICS: Mapping[MetricName, MetricResult] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """proof.json."""

    kind: ProofKind
    host: ProofHost
    server: ProofServer
    bundle: ProofBundle
    workload: ProofWorkload
    verdict: Verdict
    primary: MetricName = "throughput"
    """The metric that the verdict rests on; it is named before the first run."""
    can_show: float | None = None
    """The smallest ratio, at least 1, that this server can show with so many pairs, from the A/A pairs."""
    metrics: Mapping[MetricName, MetricResult] = field(default_factory=lambda: NO_METRICS)
    pairs: tuple[Pair, ...] = ()
    same_pairs: tuple[Pair, ...] = ()
    """A/A pairs: both sides without the changes."""
    cycles: tuple[Cycle, ...] = ()
    groups: tuple[GroupResult, ...] = ()
    queries: tuple[QueryResult, ...] = ()
    looks: tuple[Look, ...] = ()
    seconds: int = 0
    """How long all of it took."""
    finished: str = ""
    """Date and time of the end, UTC, such as 2026-11-24T08:30:00Z."""
    left_out: tuple[Omission, ...] = ()
    cannot_tell: tuple[str, ...] = ()
    """What these runs say nothing about, a sentence each."""
