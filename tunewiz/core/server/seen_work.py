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


def watched_sessions(now: Situation) -> Iterator[tuple[Sessions, str]]:
    """The most of each kind in any sample, if the server was watched for long enough."""
    match now.server:
        case PostgresServer(window=Known(value=Window(sessions=Known(value=most)) as window)):
            if window.seconds >= now.seen.session_time.seconds:
                yield most, watched(window)
        case _:
            pass


def most_at_work(now: Situation) -> Iterator[tuple[int, str]]:
    """How many active sessions to plan for, with headroom over those that were seen at the peak."""
    if why_not_the_peak(now):
        return
    for most, when in watched_sessions(now):
        counted_on = max(1, most.active * now.seen.headroom)
        yield counted_on, f"{now.seen.headroom} x the {most.active} sessions active at once {when}"


def _sessions_told(now: Situation) -> Iterator[Seen]:
    for most, when in watched_sessions(now):
        idle = f"{most.idle:,} idle, {most.idle_in_transaction:,} idle in transactions"
        words = f"at most {most.active:,} active, {idle}, {most.waiting:,} waiting for locks at once"
        quiet = why_not_the_peak(now)
        yield Seen(words=f"{words} {when}{f': {quiet}' if quiet else ''}", enough=not quiet)
        return
    match now.server:
        case PostgresServer(window=Known(value=Window(sessions=Known()) as window)):
            enough = in_words(now.seen.session_time)
            yield Seen(
                words=f"too little was seen: sessions {watched(window)}, {enough} needed", enough=False
            )
        case _:
            pass


SESSIONS = Witness(of="sessions active, idle and waiting for locks, while watched", look=_sessions_told)


def idles_long(now: Situation) -> Iterator[str]:
    """That sessions keep transactions open without working."""
    for seen in _looks(now):
        if seen.longest_idle_in_transaction >= now.seen.long_idle.seconds:
            time = in_words(Duration(seen.longest_idle_in_transaction * 1_000))
            yield f"a session was idle in its transaction for {time}"
            return


def never_idles_long(now: Situation) -> Iterator[str]:
    """That no session did so while the server was watched for long enough."""
    for most, when in watched_sessions(now):
        if not any(idles_long(now)):
            time = in_words(Duration(most.longest_idle_in_transaction * 1_000))
            yield f"no session was idle in its transaction for longer than {time} {when}"


def _looks(now: Situation) -> Iterator[Sessions]:
    if isinstance(now.server, PostgresServer):
        match now.server.window:
            case Known(value=Window(sessions=Known(value=most))):
                yield most
            case _:
                pass
        if isinstance(now.server.sessions, Known):
            yield now.server.sessions.value


def _idle_told(now: Situation) -> Iterator[Seen]:
    yield from (Seen(words=words) for words in (*idles_long(now), *never_idles_long(now)))


IDLE = Witness(of="how long sessions stay idle in a transaction", look=_idle_told)


def jit_share(now: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of all statements' time that compilation took, from 15 on."""
    for seen in _statements(now):
        if seen.calls >= now.seen.statements and seen.run_ms > 0:
            share = Fraction(seen.jit_ms, seen.run_ms)
            yield (
                share,
                f"compilation took {shortly(100 * share)} % of the time of {seen.calls:,} statements",
            )


def _statements(now: Situation) -> Iterator[Statements]:
    match now.server:
        case PostgresServer(statements=Known(value=seen)) if now.major >= V15:
            yield seen
        case _:
            pass


def _jit_told(now: Situation) -> Iterator[Seen]:
    for _, words in jit_share(now):
        yield Seen(words=words)
        return
    for seen in _statements(now):
        words = f"too little was seen: {seen.calls:,} statements, {now.seen.statements:,} needed"
        yield Seen(words=words, enough=False)


JIT = Witness(of="share of time spent on JIT compilation (pg_stat_statements, 15 and newer)", look=_jit_told)


def _wal_needs(now: Situation) -> Needs:
    return Needs(
        names=("wal_bytes", "full_pages"), enough=now.seen.wal.count, unit="bytes of WAL", weigh=first_of
    )


def full_page_share(now: Situation) -> Iterator[tuple[Fraction, str]]:
    """The share of full-page images in the WAL: as counted from 19 on, otherwise at most 8 kB for each."""
    for seen in enough_seen(now, _wal_needs(now)):
        wal, pages = seen.values
        share, most = min(Fraction(1), Fraction(pages * PAGE.count, wal)), "at most "
        exact = Needs(names=("wal_bytes", "full_page_bytes"), enough=1, unit="", weigh=first_of)
        for told in enough_seen(now, exact):
            share, most = min(Fraction(1), Fraction(told.values[1], told.values[0])), ""
        yield (
            share,
            f"full-page images: {most}{shortly(100 * share)} % of {Bytes(wal).short()} of WAL {seen.when}",
        )


def few_full_pages(now: Situation) -> Iterator[str]:
    """That full-page images are a small part of the WAL: rarer checkpoints or compression save little."""
    for share, words in full_page_share(now):
        if share <= now.seen.few_full_pages:
            yield words


def _full_pages_told(now: Situation) -> Iterator[Seen]:
    for _, words in full_page_share(now):
        yield Seen(words=words)
        return
    yield from too_little(now, _wal_needs(now))


FULL_PAGES = Witness(of="full-page images in the WAL (pg_stat_wal, 14 and newer)", look=_full_pages_told)


def _buffer_needs(now: Situation) -> Needs:
    return Needs(
        names=("seconds", "wal_buffers_full"),
        enough=now.seen.wal_time.seconds,
        unit="seconds",
        weigh=first_of,
    )


def wal_buffers_fill(now: Situation) -> Iterator[tuple[bool, str]]:
    """Whether sessions often wrote WAL themselves because its buffers were full."""
    for seen in enough_seen(now, _buffer_needs(now)):
        seconds, full = seen.values
        often = full * HOUR >= now.seen.wal_buffers_full * seconds
        yield often, f"WAL buffers were full {full * HOUR // seconds:,} times an hour {seen.when}"


def _wal_buffers_told(now: Situation) -> Iterator[Seen]:
    for _, words in wal_buffers_fill(now):
        yield Seen(words=words)
        return
    yield from too_little(now, _buffer_needs(now))


WAL_BUFFERS = Witness(
    of="how often WAL buffers were full (pg_stat_wal, 14 and newer)", look=_wal_buffers_told
)
