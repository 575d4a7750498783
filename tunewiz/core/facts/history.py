"""How a server's work went over the days that were kept, ready to be drawn."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.record import dataclass

Kept: TypeAlias = Literal["commits", "wal_bytes", "checkpoints", "hits", "temp_bytes", "connections"]
"""What a line shows: a second, except for checkpoints (how many), hits (percent), connections (at once)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptLine:
    """One number over equal parts of the time."""

    counted: Kept
    values: tuple[int | None, ...]
    """Of each part the highest, of checkpoints the sum, of hits the lowest; None where nobody looked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hour:
    """The busiest hour: its time in words, and the parts that it falls into."""

    when: str
    parts: range
    seconds: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerHistory:
    """Everything that was kept of one server."""

    directory: str
    every: int
    """Seconds from one look to the next."""
    looks: int
    begin: int
    """Milliseconds since 1970."""
    end: int
    restarts: int
    resets: int
    gaps: int
    damaged: int
    """Looks that could not be read."""
    lines: tuple[KeptLine, ...]
    busiest: Hour | None
    waits: Waits | None = None
    """What active sessions waited for in all that time, if it was sampled."""
