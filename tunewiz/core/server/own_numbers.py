"""What this server's own counters decide: they come before what documents measured on other systems.

Each function yields at most one observation, and none where too little was seen to decide by it
(profiles/seen.toml); its witness tells how much was.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tunewiz.core.facts.log import SizeClass
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, first_of
from tunewiz.core.recommendation.forced_checkpoints import Checkpoints, checkpoints_by_reason
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes, Duration


@dataclass(frozen=True, kw_only=True, slots=True)
class WalSeen:
    """How far max_wal_size went, and how far it would have to go."""

    figure: str
    what: Literal["lasts", "fills"]
    """Whether it lasted from one timed checkpoint to the next, or was full before."""
    worth: Bytes
    """The same for the planned distance of checkpoints: enough if it lasts, too little if it fills."""
    words: str
    """The computation."""


FILES_OF_QUERIES = 10_000
"""Temporary files that no building of indexes writes, however many there are. An assumption."""

_CHECKPOINTS = "checkpoints_requested", "checkpoints_timed"


def wal_seen(situation: Situation) -> Iterator[WalSeen]:
    """What forced checkpoints, or their absence in a day and more, say about max_wal_size."""
    timeout, size = (
        Duration.parse(situation.in_force("checkpoint_timeout")),
        situation.size_in_force("max_wal_size"),
    )
    if timeout.seconds == 0:
        return
    few = checkpoints_by_reason(situation, enough=situation.thresholds.checkpoints)
    if few and _fills(situation, few):
        yield _wal_seen(situation, few, "fills", size, timeout)
        return
    many = _day_of_checkpoints(situation, timeout)
    if many and _rarely_forced(situation, many):
        yield _wal_seen(situation, many, "lasts", size, timeout)


def _rarely_forced(situation: Situation, checkpoints: Checkpoints) -> bool:
    """Whether so few were forced, by share and by number, that no busy hour can hide among quiet days."""
    few = checkpoints.by_wal <= checkpoints.total * situation.thresholds.rarely_forced
    return few and checkpoints.by_wal < situation.thresholds.checkpoints


def _fills(situation: Situation, checkpoints: Checkpoints) -> bool:
    """Whether WAL is known to have forced most of them: a backup's checkpoint says nothing of its size."""
    mostly = checkpoints.by_wal >= checkpoints.total * situation.thresholds.mostly_forced
    return mostly and checkpoints.reason != "unknown"


def _day_of_checkpoints(situation: Situation, timeout: Duration) -> Checkpoints | None:
    needs = _timed_checkpoints(situation, timeout)
    return checkpoints_by_reason(situation, enough=needs.enough, weigh=needs.weigh)


def _timed_checkpoints(situation: Situation, timeout: Duration) -> Needs:
    return Needs(
        names=_CHECKPOINTS,
        enough=situation.thresholds.checkpoint_time.seconds,
        unit="seconds of timed checkpoints",
        weigh=lambda values: values[1] * timeout.seconds,
    )


def _wal_seen(
    situation: Situation,
    checkpoints: Checkpoints,
    what: Literal["lasts", "fills"],
    size: Bytes,
    timeout: Duration,
) -> WalSeen:
    distance = checkpoint_distance(situation)
    worth = size * Fraction(distance.milliseconds, timeout.milliseconds)
    figure = checkpoints.in_words
    lasted = "lasts" if what == "lasts" else "does not last"
    words = f"{figure}: {size.short()} {lasted} {timeout.pg()}"
    if worth != size:
        than = "" if what == "lasts" else "more than "
        words += f", {distance.pg()} take {than}{worth.short()}"
    return WalSeen(figure=figure, what=what, worth=worth, words=words)


def _checkpoints_told(situation: Situation) -> Iterator[Seen]:
    result = [Seen(words=wal.words) for wal in wal_seen(situation)]
    if result:
        yield from result
        return
    timeout = Duration.parse(situation.in_force("checkpoint_timeout"))
    if checkpoints := _day_of_checkpoints(situation, timeout):
        unclear = "neither few nor most of them"
        if checkpoints.reason == "unknown":
            unclear = "log_checkpoints names the reason"
        yield Seen(words=f"{checkpoints.in_words}: {unclear}")
        return
    yield from too_little(situation, _timed_checkpoints(situation, timeout))


CHECKPOINTS = Witness(of="share of checkpoints that WAL forced", look=_checkpoints_told)


def _transactions(situation: Situation) -> Needs:
    return Needs(
        names=("commits", "temp_files"),
        enough=situation.thresholds.transactions,
        unit="transactions",
        weigh=first_of,
    )


def spills_rarely(situation: Situation) -> Iterator[str]:
    """That sorts and hashes fit into work_mem as it is: few files, and little in them."""
    if _much_is_spilled(situation):
        return
    for statistics in enough_seen(situation, _transactions(situation)):
        commits, files = statistics.values
        if files <= commits * situation.thresholds.rare_spills:
            named = how_many(files, "temporary file") if files else "no temporary file"
            yield f"{named} in {commits:,} transactions {statistics.when}"


def _much_is_spilled(situation: Situation) -> bool:
    """Whether few files hold more than a little for each transaction."""
    needs = dataclasses.replace(_transactions(situation), names=("commits", "temp_bytes"))
    return any(
        statistics.values[1] > statistics.values[0] * situation.thresholds.little_spilled.count
        for statistics in enough_seen(situation, needs)
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Spilled:
    """What temporary files say about work_mem."""

    words: str
    size: Bytes
    """Of one file, or of all that one call wrote."""
    worth: Bytes
    """What a sort or hash of that size would take in memory."""


def spilled(situation: Situation) -> Iterator[Spilled]:
    """What holds most temporary files, else their mean, in memory; none where they are rare."""
    if any(spills_rarely(situation)):
        return
    if by_size := (*_spilled_in_log(situation), *_spilled_by_statements(situation)):
        yield by_size[0]
        return
    needs = Needs(
        names=("temp_files", "temp_bytes"),
        enough=situation.thresholds.temp_files,
        unit="temporary files",
        weigh=first_of,
    )
    for statistics in enough_seen(situation, needs):
        files, size = statistics.values
        mean, times = Bytes(size // files), situation.thresholds.in_memory
        if _may_be_maintenance(situation, mean, files):
            return
        figure = f"{files:,} temporary files {statistics.when}, {mean.human()} each"
        yield Spilled(words=f"{figure}, about {times} times that in memory", size=mean, worth=mean * times)


def _may_be_maintenance(situation: Situation, size: Bytes, files: int) -> bool:
    """Whether files are so large and few that building indexes may have written them, not queries."""
    return files < FILES_OF_QUERIES and size > situation.size_in_force("maintenance_work_mem")


def _spilled_in_log(situation: Situation) -> Iterator[Spilled]:
    """What holds nearly all of the files that the log names, which tells more than their mean."""
    for log, how in server_log(situation):
        for spill in _holding_most(situation, log.temp_files, "temporary files", how):
            if not _may_be_maintenance(situation, spill.size, sum(entry.files for entry in log.temp_files)):
                yield spill


def _spilled_by_statements(situation: Situation) -> Iterator[Spilled]:
    """The same of the statements that spilled, by their mean."""
    match situation.server:
        case PostgresServer(statements=Known(value=statements)):
            yield from _holding_most(situation, statements.spills, "calls that spilled", "pg_stat_statements")
        case _:
            pass


def _holding_most(
    situation: Situation, classes: tuple[SizeClass, ...], what: str, how: str
) -> Iterator[Spilled]:
    total = sum(entry.files for entry in classes)
    if total < situation.thresholds.temp_files:
        return
    reached, most = 0, situation.thresholds.most_files
    for size_class in classes:
        reached += size_class.files
        if reached >= total * most:
            share = f"{float(100 * most):g} % of {total:,} {what}"
            verb = "have" if what == "temporary files" else "wrote"
            figure = f"{share} in {how} {verb} {size_class.at_most.human()} or less"
            times = situation.thresholds.in_memory
            words = f"{figure}, about {times} times that in memory"
            yield Spilled(words=words, size=size_class.at_most, worth=size_class.at_most * times)
            return


def _spills_told(situation: Situation) -> Iterator[Seen]:
    result = (*spills_rarely(situation), *(spill.words for spill in spilled(situation)))
    if result:
        yield from (Seen(words=words) for words in result)
        return
    for statistics in enough_seen(situation, _transactions(situation)):
        yield Seen(
            words=f"{statistics.values[1]:,} temporary files {statistics.when}: neither rare nor telling"
        )
        return
    yield from too_little(situation, _transactions(situation))


SPILLS = Witness(of="number and size of temporary files", look=_spills_told)


def _pages(situation: Situation) -> Needs:
    return Needs(
        names=("blocks_hit", "blocks_read", "commits"),
        enough=situation.thresholds.pages,
        unit="pages",
        weigh=lambda values: values[0] + values[1],
    )


def reads_rarely(situation: Situation) -> Iterator[str]:
    """That shared_buffers as they are hold nearly all that is used."""
    for statistics in enough_seen(situation, _pages(situation)):
        hit, read, commits = statistics.values
        if (
            hit >= (hit + read) * situation.thresholds.nearly_all
            and read <= commits * situation.thresholds.few_reads
        ):
            yield _hits_in_words(statistics)
            return
    yield from has_free_buffers(situation)


def _hits_in_words(statistics: Counted) -> str:
    hit, read, _ = statistics.values
    share = f"{float(100 * Fraction(hit, hit + read)):.2f} %"
    return f"{share} of {hit + read:,} page lookups were hits {statistics.when}"


def has_free_buffers(situation: Situation) -> Iterator[str]:
    """That a large share of the buffers was never needed, although the server has read a lot."""
    match situation.server:
        case PostgresServer(buffers=Known(value=buffers)) if any(enough_seen(situation, _pages(situation))):
            free = buffers.pages - buffers.used
            if free > 0 and free >= buffers.pages * situation.thresholds.free_buffers:
                share = float(100 * Fraction(free, buffers.pages))
                yield f"{share:.0f} % of the buffers have never been needed (pg_buffercache)"
        case _:
            pass


def _hits_told(situation: Situation) -> Iterator[Seen]:
    for statistics in enough_seen(situation, _pages(situation)):
        yield Seen(words=_hits_in_words(statistics))
        yield from (Seen(words=words) for words in (*has_free_buffers(situation), *_often_used(situation)))
        return
    yield from too_little(situation, _pages(situation))


def _often_used(situation: Situation) -> Iterator[str]:
    """How much of what is in the buffers is used again and again."""
    match situation.server:
        case PostgresServer(buffers=Known(value=buffers)) if buffers.used > 0:
            share = float(100 * Fraction(buffers.popular, buffers.used))
            yield f"{share:.0f} % of the buffers in use were used three times or more (pg_buffercache)"
        case _:
            pass


HITS = Witness(of="share of pages found in shared_buffers; buffers in use (pg_buffercache)", look=_hits_told)


def rather_than(observation: str, prior: str) -> str:
    """What was seen, and the value that would be proposed without it."""
    return f"{observation}; {prior} without that"
