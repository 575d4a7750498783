"""What this server's own counters decide: they come before what documents measured on other systems.

Each function yields at most one observation, and none where too little was seen to decide by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, Weigh, counted, first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.recovery import checkpoint_distance
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import Bytes, Duration

DAY = 86_400
"""Seconds of timed checkpoints that must have been seen: a day has its busiest hour in it."""
RARELY_FORCED = Fraction(1, 100)
MOSTLY_FORCED = Fraction(1, 2)
"""Of all checkpoints."""
ENOUGH_CHECKPOINTS = 10
"""Before forced ones say that max_wal_size does not last: a bulk load forces a few at any size."""

ENOUGH_TRANSACTIONS = 100_000
RARE_SPILLS = Fraction(1, 100_000)
"""Temporary files a transaction: fewer are a report or an index now and then."""
ENOUGH_FILES = 100
IN_MEMORY = 3
"""Times the size of a temporary file that the same rows take in memory: 1.6 to 2.6 for sorts, 3.1 for a hash
aggregate (PostgreSQL 15.18, 400,000 rows of integers and of text, 2026-11)."""

MOST_OF_THEM = Fraction(95, 100)

ENOUGH_PAGES = 1_000_000
NEARLY_ALL = Fraction(999, 1000)
"""Of all pages that were needed, found in shared_buffers."""
FEW_READS = Fraction(1, 10)
"""Pages read a transaction: index roots are found so often that the share alone would hide reads."""

ENOUGH_ROWS = 100_000
FEW_DEAD = Fraction(2, 100)
"""Of all rows; with autovacuum_vacuum_scale_factor at its default, up to a sixth may be dead."""


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


def wal_seen(now: Situation) -> Iterator[WalSeen]:
    """What forced checkpoints, or their absence in a day and more, say about max_wal_size."""
    timeout, size = Duration.parse(_while_counting(now, "checkpoint_timeout")), _size(now, "max_wal_size")
    if timeout.seconds == 0:
        return
    names = "checkpoints_requested", "checkpoints_timed"
    for seen in _counted(now, *names, enough=ENOUGH_CHECKPOINTS):
        if seen.values[0] >= sum(seen.values) * MOSTLY_FORCED:
            yield _wal_seen(now, seen, "fills", size, timeout)
            return
    for seen in _counted(now, *names, enough=DAY, weigh=lambda values: values[1] * timeout.seconds):
        if seen.values[0] <= sum(seen.values) * RARELY_FORCED:
            yield _wal_seen(now, seen, "lasts", size, timeout)


def _wal_seen(
    now: Situation, seen: Counted, what: Literal["lasts", "fills"], size: Bytes, timeout: Duration
) -> WalSeen:
    forced, total = seen.values[0], sum(seen.values)
    distance = checkpoint_distance(now)
    worth = size * Fraction(distance.milliseconds, timeout.milliseconds)
    figure = f"{forced:,} of {total:,} checkpoints {seen.when} were forced"
    lasted = "lasts" if what == "lasts" else "does not last"
    words = f"{figure}: {size.short()} {lasted} {timeout.pg()}"
    if worth != size:
        than = "" if what == "lasts" else "more than "
        words += f", {distance.pg()} take {than}{worth.short()}"
    return WalSeen(figure=figure, what=what, worth=worth, words=words)


def spills_rarely(now: Situation) -> Iterator[str]:
    """That sorts and hashes fit into work_mem as it is."""
    for seen in _counted(now, "commits", "temp_files", enough=ENOUGH_TRANSACTIONS, weigh=first_of):
        commits, files = seen.values
        if files <= commits * RARE_SPILLS:
            named = how_many(files, "temporary file") if files else "no temporary file"
            yield f"{named} in {commits:,} transactions {seen.when}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Spilled:
    """What temporary files say about work_mem."""

    words: str
    worth: Bytes
    """What a sort or hash of the mean size would take in memory."""


def spilled(now: Situation) -> Iterator[Spilled]:
    """The mean temporary file in memory; none where they are rare."""
    if any(spills_rarely(now)):
        return
    if in_log := tuple(_spilled_in_log(now)):
        yield from in_log
        return
    for seen in _counted(now, "temp_files", "temp_bytes", enough=ENOUGH_FILES, weigh=first_of):
        files, size = seen.values
        mean = Bytes(size // files)
        figure = f"{files:,} temporary files {seen.when}, {mean.human()} each"
        yield Spilled(words=f"{figure}, about {IN_MEMORY} times that in memory", worth=mean * IN_MEMORY)


def _spilled_in_log(now: Situation) -> Iterator[Spilled]:
    """What holds nearly all of the files that the log names, which tells more than their mean."""
    for seen, how in server_log(now):
        total = sum(each.files for each in seen.temp_files)
        if total < ENOUGH_FILES:
            return
        reached = 0
        for each in seen.temp_files:
            reached += each.files
            if reached >= total * MOST_OF_THEM:
                share = f"{float(100 * MOST_OF_THEM):g} % of {total:,} temporary files"
                figure = f"{share} in {how} have {each.at_most.human()} or less"
                words = f"{figure}, about {IN_MEMORY} times that in memory"
                yield Spilled(words=words, worth=each.at_most * IN_MEMORY)
                return


def reads_rarely(now: Situation) -> Iterator[str]:
    """That shared_buffers as they are hold nearly all that is used."""
    for seen in _counted(now, "blocks_hit", "blocks_read", "commits", enough=ENOUGH_PAGES, weigh=first_of):
        hit, read, commits = seen.values
        pages = hit + read
        if hit >= pages * NEARLY_ALL and read <= commits * FEW_READS:
            share = f"{float(100 * Fraction(hit, pages)):.2f} %"
            yield f"{share} of {pages:,} pages were found in them {seen.when}"


def vacuum_keeps_up(now: Situation) -> Iterator[str]:
    """That few rows are dead: autovacuum is soon and fast enough as it is."""
    for seen in _counted(now, "dead_rows", "live_rows", enough=ENOUGH_ROWS):
        dead, rows = seen.values[0], sum(seen.values)
        if dead <= rows * FEW_DEAD:
            yield f"{float(100 * Fraction(dead, rows)):.1f} % of {rows:,} rows are dead"


def rather_than(seen: str, prior: str) -> str:
    """What was seen, and the value that would be proposed without it."""
    return f"{seen}; {prior} without that"


def _counted(now: Situation, *names: str, enough: int, weigh: Weigh = sum) -> Iterator[Counted]:
    if isinstance(now.server, PostgresServer):
        yield from counted(now.server, *names, enough=enough, weigh=weigh)


def _while_counting(now: Situation, name: str) -> str:
    """The value while the server counted, whatever the plan has chosen since."""
    return known_or(now.setting(name), now.default(name))


def _size(now: Situation, name: str) -> Bytes:
    return now.settings[name].size(_while_counting(now, name))
