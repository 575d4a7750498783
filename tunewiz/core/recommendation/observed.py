"""What this server's own statistics say about a recommendation: evidence in addition to the documents.

Too few observations yield nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.statistics import Counted, Weigh, counted, first_of, watched
from tunewiz.core.recommendation.forced_checkpoints import checkpoints_by_reason
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import Bytes, Duration

ENOUGH_CHECKPOINTS = 3
ENOUGH_BLOCKS = 100_000
"""Page reads (800 MB): fewer say more about the catalogue than about the data."""
ENOUGH_ROWS = 100_000
ENOUGH_TRANSACTIONS = 1_000
MANY_FORCED, FEW_FORCED = Fraction(1, 4), Fraction(1, 10)
"""Of all checkpoints: forced ones should be the exception (PostgreSQL's documentation, WAL configuration)."""
ENOUGH_HITS = Fraction(99, 100)
"""Share of all page reads: a common target for servers with many short transactions."""
MANY_DEAD, FEW_DEAD = Fraction(1, 10), Fraction(2, 100)
"""Of all rows; autovacuum waits for a fifth of one table (autovacuum_vacuum_scale_factor)."""
NEARLY_FULL, MOSTLY_EMPTY = Fraction(8, 10), Fraction(1, 4)
"""Of max_connections."""
NEAR_FREEZE = Fraction(8, 10)
"""Of autovacuum_freeze_max_age."""
SLOW_SYNC, FAST_SYNC = 10_000, 1_000
"""Microseconds: one rotation of a 7,200 rpm disk takes 8 ms; a write cache or flash is faster."""
ENOUGH_SYNCS = 1_000
ENOUGH_SECONDS = 3_600
ENOUGH_WORK = 3_600_000
"""Milliseconds that sessions must have spent inside transactions: an hour."""
MOSTLY_IDLE = Fraction(1, 2)
"""Share of the time inside transactions; an assumption, like the numbers above."""
_VACUUMED = "pg_stat_all_tables of every database that could be entered"


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One thing that was seen on this server."""

    figure: str
    """What was counted, and in which period."""
    means: str
    """What that means for the recommendation."""
    how: str
    """The view that it comes from."""
    opposes: bool = False
    """Whether it argues against a change."""
    neutral: bool = False
    """Whether it argues neither for nor against a change."""

    @property
    def speaks_for(self) -> bool:
        """Whether it is a reason for a change."""
        return not self.opposes and not self.neutral


Look: TypeAlias = Callable[[Situation], Iterable[Observation]]


def forced_checkpoints(situation: Situation) -> Iterator[Observation]:
    """Whether WAL or time starts the checkpoints."""
    checkpoints = checkpoints_by_reason(situation, enough=ENOUGH_CHECKPOINTS)
    if checkpoints is None:
        return
    figure, how, most = checkpoints.in_words, checkpoints.how, situation.in_force("max_wal_size")
    if checkpoints.by_wal <= checkpoints.total * FEW_FORCED:
        means = f"WAL hardly ever fills max_wal_size {most}"
        yield Observation(figure=figure, means=means, how=how, opposes=True)
    elif checkpoints.by_wal >= checkpoints.total * MANY_FORCED:
        unknown = checkpoints.reason == "unknown"
        means = f"max_wal_size {most} is too small"
        if unknown:
            means = f"whether max_wal_size {most} is too small, log_checkpoints tells"
        yield Observation(figure=figure, means=means, how=how, neutral=unknown)


def wal_volume(situation: Situation) -> Iterator[Observation]:
    """How much WAL accumulates between two timed checkpoints, against what is allowed."""
    for rate in wal_rate(situation):
        time, most = (
            Duration.parse(situation.in_force("checkpoint_timeout")),
            situation.size_in_force("max_wal_size"),
        )
        gathers = rate.a_second * time.seconds
        figure = f"{rate.a_second.human()} of WAL a second {rate.when}"
        means = f"{gathers.human()} in a checkpoint_timeout of {time.pg()}; max_wal_size is {most.pg()}"
        yield Observation(figure=figure, means=means, how=rate.how, opposes=gathers < most // 2)


def spills(situation: Situation) -> Iterator[Observation]:
    """Whether sorts and hashes went to disk."""
    limit = situation.in_force("work_mem")
    for statistics in _seen(situation, "temp_files", "temp_bytes", enough=1):
        files, size = statistics.values
        figure = f"{how_many(files, 'temporary file')}, {Bytes(size).human()} in total, {statistics.when}"
        text = Bytes(size // max(1, files)).human()
        yield Observation(figure=figure, means=f"{text} each; work_mem is {limit}", how=statistics.how)
        return
    for statistics in _seen(situation, "commits", "temp_files", enough=ENOUGH_TRANSACTIONS):
        figure = f"no temporary file in {statistics.values[0]:,} transactions {statistics.when}"
        means = f"work_mem {limit} holds the sorts and hashes"
        yield Observation(figure=figure, means=means, how=statistics.how, opposes=True)


def cache_hits(situation: Situation) -> Iterator[Observation]:
    """How many pages were found in shared_buffers."""
    for statistics in _seen(situation, "blocks_hit", "blocks_read", enough=ENOUGH_BLOCKS):
        share, size = (
            Fraction(statistics.values[0], sum(statistics.values)),
            situation.in_force("shared_buffers"),
        )
        figure = (
            f"{_percent(share)} of {sum(statistics.values):,} pages were found "
            f"in the buffers {statistics.when}"
        )
        enough = share >= ENOUGH_HITS
        means = f"{size} hold what is in use" if enough else f"more than {size} would save reads"
        yield Observation(figure=figure, means=means, how=statistics.how, opposes=enough)


def peak_of_sessions(situation: Situation) -> Iterator[Observation]:
    """Concurrent sessions, against the number allowed."""
    match situation.server:
        case PostgresServer(
            window=Known(value=Window(connections_peak=Known(value=peak)) as window, how=how)
        ):
            allowed = int(situation.in_force("max_connections"))
            means = "there is room"
            if peak >= allowed * NEARLY_FULL:
                means = "it is nearly full"
            elif peak <= allowed * MOSTLY_EMPTY:
                means = "most of the room was not used"
            figure = f"at most {peak:,} of {allowed:,} sessions at once {watched(window)}"
            yield Observation(figure=figure, means=means, how=how, opposes=means == "there is room")
        case _:
            pass


def dead_rows(situation: Situation) -> Iterator[Observation]:
    """Whether vacuum keeps up."""
    for statistics in _seen(situation, "dead_rows", "live_rows", enough=ENOUGH_ROWS):
        share = Fraction(statistics.values[0], sum(statistics.values))
        figure = f"{_percent(share)} of {sum(statistics.values):,} rows are dead"
        if share >= MANY_DEAD:
            yield Observation(figure=figure, means="autovacuum does not keep up", how=_VACUUMED)
        elif share <= FEW_DEAD:
            means = "few of all rows, which says nothing of the table that is written most"
            yield Observation(figure=figure, means=means, how=_VACUUMED, neutral=True)


def oldest_transaction(situation: Situation) -> Iterator[Observation]:
    """How far the server is from vacuuming against wraparound."""
    for statistics in _seen(situation, "transaction_age", enough=1):
        age, starts = statistics.values[0], int(situation.in_force("autovacuum_freeze_max_age"))
        near = age >= starts * NEAR_FREEZE
        figure = f"the oldest transaction still needed is {age:,} back"
        means = (
            f"vacuum against wraparound, from {starts:,} on, {'is near or runs' if near else 'is far off'}"
        )
        yield Observation(
            figure=figure, means=means, how="age(datfrozenxid) of all databases", opposes=not near
        )


def wal_syncs(situation: Situation) -> Iterator[Observation]:
    """How long a commit waits until its WAL is safe on disk (track_wal_io_timing)."""
    for statistics in _seen(situation, "wal_syncs", "wal_sync_us", enough=ENOUGH_SYNCS, weigh=first_of):
        fraction = Fraction(statistics.values[1], statistics.values[0])
        if not fraction:
            return
        figure = (
            f"a sync of the WAL takes {shortly(fraction / 1_000)} ms "
            f"({statistics.values[0]:,} syncs {statistics.when})"
        )
        means = "each commit waits for one"
        if fraction >= SLOW_SYNC:
            means += ": as on a rotating disk without a write cache"
        elif fraction <= FAST_SYNC:
            means += ": as on flash or with a write cache"
        yield Observation(figure=figure, means=means, how=statistics.how, opposes=fraction < SLOW_SYNC)


def idle_transactions(situation: Situation) -> Iterator[Observation]:
    """How much of their time transactions wait for the application (14 and newer)."""
    for statistics in _seen(situation, "idle_in_transaction_ms", "active_ms", enough=ENOUGH_WORK):
        share = Fraction(statistics.values[0], sum(statistics.values))
        figure = f"sessions inside transactions were idle {_percent(share)} of the time {statistics.when}"
        waits = share >= MOSTLY_IDLE
        means = "transactions mostly wait for the application" if waits else "transactions mostly work"
        yield Observation(figure=figure, means=means, how=statistics.how, opposes=not waits)


def mean_sessions(situation: Situation) -> Iterator[Observation]:
    """How many sessions there were on average, and how many of them at work (14 and newer)."""
    for statistics in _seen(
        situation, "seconds", "session_ms", "active_ms", enough=ENOUGH_SECONDS, weigh=first_of
    ):
        seconds, there, active = statistics.values
        mean, working = (Fraction(number, seconds * 1_000) for number in (there, active))
        figure = f"{shortly(working)} of {shortly(mean)} sessions were at work on average {statistics.when}"
        means = "an average: the peak is higher"
        yield Observation(figure=figure, means=means, how=statistics.how, opposes=True)


def _seen(situation: Situation, *names: str, enough: int, weigh: Weigh = sum) -> Iterator[Counted]:
    if isinstance(situation.server, PostgresServer):
        yield from counted(situation.server, *names, enough=enough, weigh=weigh)


def _percent(share: Fraction) -> str:
    return f"{float(share):.1%}".replace("%", " %")


@dataclass(frozen=True, kw_only=True, slots=True)
class WalRate:
    """How fast the server writes WAL."""

    a_second: Bytes
    when: str
    how: str


def wal_rate(situation: Situation) -> Iterator[WalRate]:
    """The rate, if the server was watched and wrote any."""
    match situation.server:
        case PostgresServer(window=Known(value=Window(wal_bytes=Known(value=written)) as window, how=how)):
            if written >= window.seconds:
                yield WalRate(a_second=Bytes(written // window.seconds), when=watched(window), how=how)
        case _:
            pass
