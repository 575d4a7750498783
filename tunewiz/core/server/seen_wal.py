"""How much WAL this server writes between two checkpoints: at its peak while watched, and by its log."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.recommendation.observed import wal_rate
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, Duration

CHECKPOINTS_KEPT = 2
"""WAL since the last finished checkpoint and during the running one, which takes most of the interval."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gathered:
    """What max_wal_size must hold so that time starts the checkpoints."""

    size: Bytes
    words: str
    """The computation."""


def wal_gathered(situation: Situation) -> Iterator[Gathered]:
    """The larger of what a watched time and the log show; nothing where neither shows anything."""
    result = (*_while_watched(situation), *_by_the_log(situation))
    if result:
        yield max(result, key=lambda wal: wal.size)


def _while_watched(situation: Situation) -> Iterator[Gathered]:
    distance = checkpoint_distance(situation)
    for mean in wal_rate(situation):
        peak = max((mean.a_second, *_peak(situation, distance)))
        rate = f"{peak.short()}/s {'at the peak' if peak > mean.a_second else 'measured here'}"
        size = peak * distance.seconds * CHECKPOINTS_KEPT
        words = f"{rate} x {distance.pg()} x {CHECKPOINTS_KEPT} = {size.short()}"
        yield Gathered(size=size, words=words)


def _peak(situation: Situation, distance: Duration) -> Iterator[Bytes]:
    """The highest rate over a stretch of the curve as long as a checkpoint interval."""
    match situation.server:
        case PostgresServer(window=Known(value=Window(curves=curves) as window)):
            for curve in curves:
                if curve.counted == "wal_bytes" and (values := curve.values):
                    run = min(len(values), ceil(Fraction(distance.seconds * len(values), window.seconds)))
                    if run == len(values):
                        return
                    sums = (sum(values[at : at + run]) for at in range(len(values) - run + 1))
                    yield Bytes(max(sums) // run)
        case _:
            pass


def _by_the_log(situation: Situation) -> Iterator[Gathered]:
    """The most WAL between two checkpoints, scaled to the planned interval."""
    was, distance = (
        Duration.parse(situation.in_force("checkpoint_timeout")),
        checkpoint_distance(situation),
    )
    for log, how in server_log(situation):
        if (
            log.checkpoints_timed + log.checkpoints_by_wal < situation.thresholds.checkpoints
            or not was.seconds
        ):
            continue
        longer = Fraction(distance.milliseconds, was.milliseconds)
        size = log.largest_distance * longer * CHECKPOINTS_KEPT
        figure = f"{log.largest_distance.short()} between two checkpoints in {how}"
        times = f" x {distance.pg()} / {was.pg()}" if longer != 1 else ""
        yield Gathered(size=size, words=f"{figure}{times} x {CHECKPOINTS_KEPT} = {size.short()}")


def _told(situation: Situation) -> Iterator[Seen]:
    yield from (Seen(words=wal.words) for wal in wal_gathered(situation))


WAL = Witness(
    of="peak WAL rate while watched; the most WAL between two checkpoints, from the log", look=_told
)
