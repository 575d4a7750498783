"""What this server's own counters decide: they come before what documents measured on other systems.

Each function yields at most one observation, and none where too little was seen to decide by it
(profiles/seen.toml); its witness tells how much was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tunewiz.core.facts.log import SizeClass
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known, known_or
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


_CHECKPOINTS = "checkpoints_requested", "checkpoints_timed"


def wal_seen(now: Situation) -> Iterator[WalSeen]:
    """What forced checkpoints, or their absence in a day and more, say about max_wal_size."""
    timeout, size = Duration.parse(while_counting(now, "checkpoint_timeout")), _size(now, "max_wal_size")
    if timeout.seconds == 0:
        return
    few = Needs(names=_CHECKPOINTS, enough=now.seen.checkpoints, unit="checkpoints")
    for seen in enough_seen(now, few):
        if seen.values[0] >= sum(seen.values) * now.seen.mostly_forced:
            yield _wal_seen(now, seen, "fills", size, timeout)
            return
    for seen in enough_seen(now, _timed_checkpoints(now, timeout)):
        if seen.values[0] <= sum(seen.values) * now.seen.rarely_forced:
            yield _wal_seen(now, seen, "lasts", size, timeout)


def _timed_checkpoints(now: Situation, timeout: Duration) -> Needs:
    return Needs(
        names=_CHECKPOINTS,
        enough=now.seen.checkpoint_time.seconds,
        unit="seconds of timed checkpoints",
        weigh=lambda values: values[1] * timeout.seconds,
    )


def _wal_seen(
    now: Situation, seen: Counted, what: Literal["lasts", "fills"], size: Bytes, timeout: Duration
) -> WalSeen:
    distance = checkpoint_distance(now)
    worth = size * Fraction(distance.milliseconds, timeout.milliseconds)
    figure = _forced_in_words(seen)
    lasted = "lasts" if what == "lasts" else "does not last"
    words = f"{figure}: {size.short()} {lasted} {timeout.pg()}"
    if worth != size:
        than = "" if what == "lasts" else "more than "
        words += f", {distance.pg()} take {than}{worth.short()}"
    return WalSeen(figure=figure, what=what, worth=worth, words=words)


def _forced_in_words(seen: Counted) -> str:
    forced, total = seen.values[0], sum(seen.values)
    return f"{forced:,} of {total:,} checkpoints {seen.when} were forced"


def _checkpoints_told(now: Situation) -> Iterator[Seen]:
    found = [Seen(words=each.words) for each in wal_seen(now)]
    if found:
        yield from found
        return
    timeout = Duration.parse(while_counting(now, "checkpoint_timeout"))
    for seen in enough_seen(now, _timed_checkpoints(now, timeout)):
        yield Seen(words=f"{_forced_in_words(seen)}: neither few nor most of them")
        return
    yield from too_little(now, _timed_checkpoints(now, timeout))


CHECKPOINTS = Witness(of="share of checkpoints that WAL forced", look=_checkpoints_told)


def _transactions(now: Situation) -> Needs:
    return Needs(
        names=("commits", "temp_files"),
        enough=now.seen.transactions,
        unit="transactions",
        weigh=first_of,
    )


def spills_rarely(now: Situation) -> Iterator[str]:
    """That sorts and hashes fit into work_mem as it is."""
    for seen in enough_seen(now, _transactions(now)):
        commits, files = seen.values
        if files <= commits * now.seen.rare_spills:
            named = how_many(files, "temporary file") if files else "no temporary file"
            yield f"{named} in {commits:,} transactions {seen.when}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spilled:
    """What temporary files say about work_mem."""

    words: str
    worth: Bytes
    """What a sort or hash of the mean size would take in memory."""


def spilled(now: Situation) -> Iterator[Spilled]:
    """What holds most temporary files, else their mean, in memory; none where they are rare."""
    if any(spills_rarely(now)):
        return
    if by_size := (*_spilled_in_log(now), *_spilled_by_statements(now)):
        yield by_size[0]
        return
    needs = Needs(
        names=("temp_files", "temp_bytes"),
        enough=now.seen.temp_files,
        unit="temporary files",
        weigh=first_of,
    )
    for seen in enough_seen(now, needs):
        files, size = seen.values
        mean, times = Bytes(size // files), now.seen.in_memory
        figure = f"{files:,} temporary files {seen.when}, {mean.human()} each"
        yield Spilled(words=f"{figure}, about {times} times that in memory", worth=mean * times)


def _spilled_in_log(now: Situation) -> Iterator[Spilled]:
    """What holds nearly all of the files that the log names, which tells more than their mean."""
    for seen, how in server_log(now):
        yield from _holding_most(now, seen.temp_files, "temporary files", how)


def _spilled_by_statements(now: Situation) -> Iterator[Spilled]:
    """The same of the statements that spilled, by their mean."""
    match now.server:
        case PostgresServer(statements=Known(value=seen)):
            yield from _holding_most(now, seen.spills, "calls that spilled", "pg_stat_statements")
        case _:
            pass


def _holding_most(now: Situation, classes: tuple[SizeClass, ...], what: str, how: str) -> Iterator[Spilled]:
    total = sum(each.files for each in classes)
    if total < now.seen.temp_files:
        return
    reached, most = 0, now.seen.most_files
    for each in classes:
        reached += each.files
        if reached >= total * most:
            share = f"{float(100 * most):g} % of {total:,} {what}"
            verb = "have" if what == "temporary files" else "wrote"
            figure = f"{share} in {how} {verb} {each.at_most.human()} or less"
            times = now.seen.in_memory
            words = f"{figure}, about {times} times that in memory"
            yield Spilled(words=words, worth=each.at_most * times)
            return


def _spills_told(now: Situation) -> Iterator[Seen]:
    found = (*spills_rarely(now), *(each.words for each in spilled(now)))
    if found:
        yield from (Seen(words=words) for words in found)
        return
    for seen in enough_seen(now, _transactions(now)):
        yield Seen(words=f"{seen.values[1]:,} temporary files {seen.when}: neither rare nor telling")
        return
    yield from too_little(now, _transactions(now))


SPILLS = Witness(of="number and size of temporary files", look=_spills_told)


def _pages(now: Situation) -> Needs:
    return Needs(
        names=("blocks_hit", "blocks_read", "commits"),
        enough=now.seen.pages,
        unit="pages",
        weigh=lambda values: values[0] + values[1],
    )


def reads_rarely(now: Situation) -> Iterator[str]:
    """That shared_buffers as they are hold nearly all that is used."""
    for seen in enough_seen(now, _pages(now)):
        hit, read, commits = seen.values
        if hit >= (hit + read) * now.seen.nearly_all and read <= commits * now.seen.few_reads:
            yield _hits_in_words(seen)
            return
    yield from has_free_buffers(now)


def _hits_in_words(seen: Counted) -> str:
    hit, read, _ = seen.values
    share = f"{float(100 * Fraction(hit, hit + read)):.2f} %"
    return f"{share} of {hit + read:,} page lookups were hits {seen.when}"


def has_free_buffers(now: Situation) -> Iterator[str]:
    """That a large share of the buffers was never needed, although the server has read a lot."""
    match now.server:
        case PostgresServer(buffers=Known(value=seen)) if any(enough_seen(now, _pages(now))):
            free = seen.pages - seen.used
            if free > 0 and free >= seen.pages * now.seen.free_buffers:
                share = float(100 * Fraction(free, seen.pages))
                yield f"{share:.0f} % of the buffers have never been needed (pg_buffercache)"
        case _:
            pass


def _hits_told(now: Situation) -> Iterator[Seen]:
    for seen in enough_seen(now, _pages(now)):
        yield Seen(words=_hits_in_words(seen))
        yield from (Seen(words=words) for words in (*has_free_buffers(now), *_often_used(now)))
        return
    yield from too_little(now, _pages(now))


def _often_used(now: Situation) -> Iterator[str]:
    """How much of what is in the buffers is used again and again."""
    match now.server:
        case PostgresServer(buffers=Known(value=seen)) if seen.used > 0:
            share = float(100 * Fraction(seen.popular, seen.used))
            yield f"{share:.0f} % of the buffers in use were used three times or more (pg_buffercache)"
        case _:
            pass


HITS = Witness(of="share of pages found in shared_buffers; buffers in use (pg_buffercache)", look=_hits_told)


def rather_than(seen: str, prior: str) -> str:
    """What was seen, and the value that would be proposed without it."""
    return f"{seen}; {prior} without that"


def while_counting(now: Situation, name: str) -> str:
    """The value while the server counted, whatever the plan has chosen since."""
    return known_or(now.setting(name), now.default(name))


def _size(now: Situation, name: str) -> Bytes:
    return now.settings[name].size(while_counting(now, name))
