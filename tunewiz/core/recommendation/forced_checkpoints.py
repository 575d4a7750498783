"""How many checkpoints WAL forced: views count those of backups, scripts and people in with them.

The log gives each checkpoint's reason. Without one, the WAL that was written bounds how many it can have
forced: it forces the next only after a part of max_wal_size.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, Weigh, counted, in_same_period
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import V11

Reason: TypeAlias = Literal["logged", "bounded", "unknown"]
"""Whether the log names it, the WAL that was written bounds it, or neither is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checkpoints:
    """Checkpoints of one period, by what started them."""

    by_wal: int
    """The most that WAL can have forced."""
    requested: int
    """By WAL, a backup, a shutdown or a person."""
    timed: int
    reason: Reason
    written: Bytes
    """WAL, where it bounds the reason."""
    when: str
    how: str

    @property
    def total(self) -> int:
        """All of them, whatever started them."""
        return self.requested + self.timed

    @property
    def in_words(self) -> str:
        """How many were forced, and by what."""
        of_all = f"of {self.total:,} checkpoints {self.when} were"
        if self.reason == "unknown" and self.requested:
            return f"{self.requested:,} {of_all} requested, by WAL, by a backup or by hand"
        if self.by_wal == self.requested or self.reason == "logged":
            return f"{self.by_wal:,} {of_all} forced" + (" by WAL" if self.by_wal else "")
        most = f"at most {self.by_wal:,}" if self.by_wal else "none"
        return f"{self.requested:,} {of_all} requested, {most} by WAL: {self.written.human()} were written"


def checkpoints_by_reason(situation: Situation, *, enough: int, weigh: Weigh = sum) -> Checkpoints | None:
    """Those of the log, else of the first period in which enough was seen.

    Args:
        situation: What is known of the server.
        enough: The least that must have been seen.
        weigh: Computes how much was seen from the numbers of requested and timed checkpoints.
    """
    if not isinstance(situation.server, PostgresServer):
        return None
    if (logged := _logged(situation.server)) and weigh((logged.requested, logged.timed)) >= enough:
        return logged
    names = ("checkpoints_requested", "checkpoints_timed")
    for statistics in counted(situation.server, *names, enough=enough, weigh=weigh):
        return _counted(situation, situation.server, statistics)
    return None


def _logged(server: PostgresServer) -> Checkpoints | None:
    if not isinstance(server.log, Known):
        return None
    log = server.log.value
    return Checkpoints(
        by_wal=log.checkpoints_by_wal,
        requested=log.checkpoints_by_wal + log.checkpoints_otherwise,
        timed=log.checkpoints_timed,
        reason="logged",
        written=Bytes(0),
        when=f"in {server.log.how}",
        how=server.log.how,
    )


def _counted(situation: Situation, server: PostgresServer, statistics: Counted) -> Checkpoints:
    requested, timed = statistics.values
    written = in_same_period(server, statistics, "wal_bytes")
    by_wal = requested
    if isinstance(written, Known):
        by_wal = min(requested, written.value // _wal_between_checkpoints(situation).count)
    return Checkpoints(
        by_wal=by_wal,
        requested=requested,
        timed=timed,
        reason="bounded" if isinstance(written, Known) else "unknown",
        written=Bytes(known_or(written, 0)),
        when=statistics.when,
        how=statistics.how,
    )


def _wal_between_checkpoints(situation: Situation) -> Bytes:
    """The least WAL that forces the next checkpoint, so that the limit holds when that ends.

    CheckPointSegments and XLogCheckpointNeeded in the server's source: whole segments, one of which may have
    begun before. Until 10 WAL of two checkpoints was kept (release notes of 11).
    """
    kept = 1 if situation.major >= V11 else 2
    target = Fraction(situation.in_force("checkpoint_completion_target"))
    size, segment = (situation.size_in_force(name) for name in ("max_wal_size", "wal_segment_size"))
    segments = int(Fraction(size.count, segment.count) / (kept + target))
    return segment * max(1, segments - 1)
