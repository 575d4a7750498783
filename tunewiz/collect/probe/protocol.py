"""The JSON messages between the program and the process that probes.

That process has the rights of the server's owner, who may say anything in its name: what it says is read
strictly, and lines of its are bounded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from tunewiz.core.facts.probe import Reading, SyncMethod

MAX_LINE = 1 << 16
"""Bytes of a message at most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeRequest:
    """What is to be measured, and as whom."""

    directory: str
    """The data directory, without links in it."""
    uid: int
    """Its owner."""
    seconds: int
    fsync: str
    """The program pg_test_fsync; empty where it is not installed."""
    timing: str
    """The program pg_test_timing; empty where it is not installed."""
    major: str = ""
    """The server's major version; empty if unknown."""
    spaces: tuple[str, ...] = ()
    """The directories of its tablespaces, with links resolved."""

    def to_json(self) -> str:
        """On one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> ProbeRequest:
        """What `to_json` wrote."""
        said = cls(**json.loads(text))
        return replace(said, spaces=tuple(said.spaces))


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredReads:
    """Reads as they were timed; `span` is the size of the files that they were taken from."""

    block: int
    count: int
    median_us: float
    p95_us: float
    p99_us: float
    bytes_a_second: int
    span: int


@dataclass(frozen=True, kw_only=True, slots=True)
class MeasuredSpace:
    """The reads of one tablespace; what was not measured has its reason under `why`, by name."""

    directory: str
    reading: Reading | None = None
    random: MeasuredReads | None = None
    sequential: MeasuredReads | None = None
    why: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbeResults:
    """Everything that was measured; what was not has its reason under `why`, by name."""

    seconds: float
    reading: Reading | None = None
    random: MeasuredReads | None = None
    sequential: MeasuredReads | None = None
    syncs: tuple[SyncMethod, ...] = ()
    clock_ns: float | None = None
    why: Mapping[str, str] = field(default_factory=dict[str, str])
    spaces: tuple[MeasuredSpace, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Doing:
    """Progress."""

    passed: float
    doing: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """One line of the process: what it does now, what it measured at the end, or why it could not begin."""

    progress: Doing | None = field(default=None, metadata={"key": "now"})
    """`now` in the message."""
    done: ProbeResults | None = None
    failed: str = ""

    def to_json(self) -> str:
        """On one line."""
        values = asdict(self)
        return json.dumps({"now": values.pop("progress"), **values})
