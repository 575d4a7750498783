"""What this server's sessions, statements and WAL showed while it was at work."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.counters import Sessions, Statements
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.facts.statistics import first_of, watched
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.busy_hours import why_not_the_peak
from tunewiz.core.values.known import Known
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import KIB, Bytes, Duration, in_words
from tunewiz.core.values.versions import V15

PAGE = Bytes(8 * KIB)
HOUR = 3600


def watched_sessions(situation: Situation) -> Iterator[tuple[Sessions, str]]:
    """The most of each kind in any sample, if the server was watched for long enough."""
    match situation.server:
        case PostgresServer(window=Known(value=Window(sessions=Known(value=most)) as window)):
            if window.seconds >= situation.thresholds.session_time.seconds:
                yield most, watched(window)
        case _:
            pass


def most_at_work(situation: Situation) -> Iterator[tuple[int, str]]:
    """How many active sessions to plan for, with headroom over those that were seen at the peak."""
    if why_not_the_peak(situation):
        return
    for most, when in watched_sessions(situation):
        counted_on = max(1, most.active * situation.thresholds.headroom)
        yield (
            counted_on,
            f"{situation.thresholds.headroom} x the {most.active} sessions active at once {when}",
        )


def _sessions_told(situation: Situation) -> Iterator[Seen]:
    for most, when in watched_sessions(situation):
        idle = f"{most.idle:,} idle, {most.idle_in_transaction:,} idle in transactions"
        words = f"at most {most.active:,} active, {idle}, {most.waiting:,} waiting for locks at once"
        quiet = why_not_the_peak(situation)
        yield Seen(words=f"{words} {when}{f': {quiet}' if quiet else ''}", enough=not quiet)
        return
    match situation.server:
        case PostgresServer(window=Known(value=Window(sessions=Known()) as window)):
            enough = in_words(situation.thresholds.session_time)
            yield Seen(
                words=f"too little was seen: sessions {watched(window)}, {enough} needed", enough=False
            )
        case _:
            pass


SESSIONS = Witness(of="sessions active, idle and waiting for locks, while watched", look=_sessions_told)


def idles_long(situation: Situation) -> Iterator[str]:
    """That sessions keep transactions open without working."""
    for sessions in _looks(situation):
        if sessions.longest_idle_in_transaction >= situation.thresholds.long_idle.seconds:
            time = in_words(Duration(sessions.longest_idle_in_transaction * 1_000))
            yield f"a session was idle in its transaction for {time}"
            return


def never_idles_long(situation: Situation) -> Iterator[str]:
    """That no session did so while the server was watched for long enough."""
    for most, when in watched_sessions(situation):
        if not any(idles_long(situation)):
            time = in_words(Duration(most.longest_idle_in_transaction * 1_000))
            yield f"no session was idle in its transaction for longer than {time} {when}"


def _looks(situation: Situation) -> Iterator[Sessions]:
    if isinstance(situation.server, PostgresServer):
        match situation.server.window:
            case Known(value=Window(sessions=Known(value=most))):
                yield most
            case _:
                pass
        if isinstance(situation.server.sessions, Known):
            yield situation.server.sessions.value


def _idle_told(situation: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for words in (*idles_long(situation), *never_idles_long(situation)))


IDLE = Witness(of="how long sessions stay idle in a transaction", look=_idle_told)


def jit_share(situation: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of all statements' time that compilation took, from 15 on."""
    for statement in _statements(situation):
        if statement.calls >= situation.thresholds.statements and statement.run_ms > 0:
            share = Fraction(statement.jit_ms, statement.run_ms)
            yield (
                share,
                f"compilation took {shortly(100 * share)} % of the time of {statement.calls:,} statements",
            )


def _statements(situation: Situation) -> Iterator[Statements]:
    match situation.server:
        case PostgresServer(statements=Known(value=statements)) if situation.major >= V15:
            yield statements
        case _:
            pass


def _jit_told(situation: Situation) -> Iterator[Seen]:
    for _, words in jit_share(situation):
        yield Seen(words=words)
        return
    for statement in _statements(situation):
        words = (
            f"too little was seen: {statement.calls:,} statements, {situation.thresholds.statements:,} needed"
        )
        yield Seen(words=words, enough=False)


JIT = Witness(of="share of time spent on JIT compilation (pg_stat_statements, 15 and newer)", look=_jit_told)


def _wal_needs(situation: Situation) -> Needs:
    return Needs(
        names=("wal_bytes", "full_pages"),
        enough=situation.thresholds.wal.count,
        unit="bytes of WAL",
        weigh=first_of,
    )


def full_page_share(situation: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of full-page images in the WAL: as counted from 19 on, otherwise at most 8 kB for each."""
    for statistics in enough_seen(situation, _wal_needs(situation)):
        wal, pages = statistics.values
        share, most = min(Fraction(1), Fraction(pages * PAGE.count, wal)), "at most "
        exact = Needs(names=("wal_bytes", "full_page_bytes"), enough=1, unit="", weigh=first_of)
        for entry in enough_seen(situation, exact):
            share, most = min(Fraction(1), Fraction(entry.values[1], entry.values[0])), ""
        yield (
            share,
            (
                f"full-page images: {most}{shortly(100 * share)} % of {Bytes(wal).short()} "
                f"of WAL {statistics.when}"
            ),
        )


def few_full_pages(situation: Situation) -> Iterator[str]:
    """That full-page images are a small part of the WAL: rarer checkpoints or compression save little."""
    for share, words in full_page_share(situation):
        if share <= situation.thresholds.few_full_pages:
            yield words


def _full_pages_told(situation: Situation) -> Iterator[Seen]:
    for _, words in full_page_share(situation):
        yield Seen(words=words)
        return
    yield from too_little(situation, _wal_needs(situation))


FULL_PAGES = Witness(of="full-page images in the WAL (pg_stat_wal, 14 and newer)", look=_full_pages_told)


def _buffer_needs(situation: Situation) -> Needs:
    return Needs(
        names=("seconds", "wal_buffers_full"),
        enough=situation.thresholds.wal_time.seconds,
        unit="seconds",
        weigh=first_of,
    )


def wal_buffers_fill(situation: Situation) -> Iterator[tuple[bool, str]]:
    """Whether sessions, while watched, often wrote WAL themselves because its buffers were full."""
    for statistics in enough_seen(situation, _buffer_needs(situation)):
        seconds, full = statistics.values
        often = full * HOUR >= situation.thresholds.wal_buffers_full * seconds
        yield (
            often and statistics.period == "watched",
            f"WAL buffers were full {full * HOUR // seconds:,} times an hour {statistics.when}",
        )


def _wal_buffers_told(situation: Situation) -> Iterator[Seen]:
    for _, words in wal_buffers_fill(situation):
        yield Seen(words=words)
        return
    yield from too_little(situation, _buffer_needs(situation))


WAL_BUFFERS = Witness(
    of="how often WAL buffers were full (pg_stat_wal, 14 and newer)", look=_wal_buffers_told
)
