"""The options of a run as typed, before anything about the server is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tunewiz.core.proof.metrics import MetricName


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchOptions:
    """The options of a run; None or empty where an option was not given."""

    bundle: Path
    copy: Path | None = None
    """The data directory of a copy of the bundle's server, which is measured instead."""
    builtin: str | None = None
    scripts: Sequence[tuple[Path, int]] = ()
    """Files with their weights."""
    from_statements: bool = False
    """Whether the scripts are made from what pg_stat_statements counted."""
    logs: Sequence[Path] = ()
    """Files of the server's log that the scripts are made from."""
    with_writes: bool = False
    """Whether those scripts may change rows."""
    database: str = ""
    """The database to copy the data from."""
    clients: int | None = None
    scale: int | None = None
    pairs: int | None = None
    same_pairs: int | None = None
    run_seconds: int | None = None
    budget: int | None = None
    """Seconds."""
    window: int | None = None
    """Seconds during which clients may be disturbed."""
    primary: MetricName = "throughput"
    ablate: bool = False
    single: bool = False
    seed: int | None = None
    ask: bool = True
