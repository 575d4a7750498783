"""What this server's own counters decide: they come before what documents measured on other systems.

Each function yields at most one observation, and none where too little was seen to decide by it
(profiles/seen.toml); its witness tells how much was.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.log import SizeClass
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import Counted, first_of
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.server.server_log import server_log
from tunewiz.core.values.known import Known
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

FILES_OF_QUERIES = 10_000
"""Temporary files that no building of indexes writes, however many there are. An assumption."""


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
