"""The transaction status caches (SLRU), whose sizes are settings from PostgreSQL 17 on."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.slru import SlruCache
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Declined, Proposal, Verdict
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.rounding import shortly
from tunewiz.core.values.units import KIB, MIB, Bytes

SHARE = Fraction(1, 512)
MOST = Bytes(8 * MIB)
STEP = Bytes(128 * KIB)
"""The server's automatic size for the status of transactions: 1/512 of shared_buffers in banks of sixteen
pages, at most 1,024 pages (seen on 17 and 18: shared_buffers of 128MB show transaction_buffers of 256kB)."""

MANY = 100_000
OFTEN = Fraction(1, 100)
"""Of all lookups, in a cache that should hold what is in use. Both are rules of thumb."""


def its_own_size(situation: Situation) -> Bytes:
    """The size that the server would choose."""
    return max(STEP, min(MOST, situation.will_be_size("shared_buffers") * SHARE).down_to(STEP))


def own_size(situation: Situation, name: str) -> Verdict:
    """For a cache that sizes itself at 0: 0, where somebody made it smaller."""
    current, own = situation.will_be_size(name), its_own_size(situation)
    if current and current < own:
        return Proposal(
            value="0",
            because=f"set to {current.pg()}: the server itself would choose {own.pg()}",
            computed=f"1/512 of shared_buffers, at most {MOST.pg()}: {own.pg()}",
            ticked=False,
        )
    size = f"set to {current.pg()}" if current else f"it sizes itself: {own.pg()}"
    for slru_cache in _read_often(situation, name):
        return Declined(
            because=f"{size}; {_in_words(slru_cache)}: look for long transactions first (pg_stat_activity)"
        )
    return Declined(because=size, kind="keep")


def by_reads(situation: Situation, name: str) -> Verdict:
    """For a cache of a fixed size: as large as those that size themselves, if it missed often."""
    current, own = situation.will_be_size(name), its_own_size(situation)
    for slru_cache in _read_often(situation, name):
        if own <= current:
            break
        return Proposal(
            value=own.pg(),
            because=f"{_in_words(slru_cache)} with {current.pg()}",
            computed=f"like the automatic transaction_buffers: 1/512 of shared_buffers in steps of "
            f"{STEP.pg()}, at most {MOST.pg()}",
            ticked=False,
        )
    counted = isinstance(situation.server, PostgresServer) and isinstance(situation.server.slru, Known)
    why = "it seldom missed" if counted else "pg_stat_slru shows whether that is enough"
    return Declined(because=f"{current.pg()}: {why}", kind="keep")


def witness_of(name: str) -> Witness:
    """How often one of these caches missed."""

    def look(situation: Situation) -> Iterator[Seen]:
        for count in _counts(situation, name):
            if count.hit + count.read < MANY:
                few = f"{how_many(count.hit + count.read, 'lookup')}, {MANY:,} needed"
                yield Seen(words=f"too little was seen: {few}", enough=False)
            else:
                yield Seen(words=_in_words(count))

    return Witness(of="lookups that this cache missed (pg_stat_slru)", look=look)


def _counts(situation: Situation, name: str) -> Iterator[SlruCache]:
    if isinstance(situation.server, PostgresServer):
        for slru_cache in known_or(situation.server.slru, ()):
            if f"{slru_cache.name}_buffers" == name:
                yield slru_cache


def _read_often(situation: Situation, name: str) -> Iterator[SlruCache]:
    """Its counts, if it missed often."""
    for count in _counts(situation, name):
        if count.read >= MANY and count.read >= (count.hit + count.read) * OFTEN:
            yield count


def _in_words(slru_cache: SlruCache) -> str:
    share = shortly(100 * Fraction(slru_cache.read, slru_cache.hit + slru_cache.read))
    return f"{share} % of {slru_cache.hit + slru_cache.read:,} lookups missed"
