"""What active sessions waited for, sampled several times a second, and who blocked whom at the end."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitCount:
    """How often an active session was in one wait."""

    kind: str
    """As wait_event_type has it (`Lock`, `IO`); empty for a session that waits for nothing with a name."""
    event: str
    """As wait_event has it: `WALSync`; empty before 9.6."""
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BlockedSession:
    """A session that waits for a lock, or one that it waits for."""

    pid: int
    blockers: tuple[int, ...]
    """Processes that it waits for, 0 for a prepared transaction; none where it waits for nobody."""
    database: str
    role: str
    application: str
    state: str
    seconds: int
    """Since its transaction began."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Waits:
    """All samples of one stretch of time."""

    seconds: int
    samples: int
    hidden: int
    """Sessions of others in all samples, which this role may not look into."""
    counts: tuple[WaitCount, ...]
    """The most frequent first."""
    blocked: tuple[BlockedSession, ...] = ()
    """After the last sample; none before 9.6, and where no session waited for a lock in any."""
