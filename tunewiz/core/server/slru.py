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


def its_own_size(now: Situation) -> Bytes:
    """The size that the server would choose."""
    return max(STEP, min(MOST, now.will_be_size("shared_buffers") * SHARE).down_to(STEP))


def own_size(now: Situation, name: str) -> Verdict:
    """For a cache that sizes itself at 0: 0, where somebody made it smaller."""
    current, own = now.will_be_size(name), its_own_size(now)
    if current and current < own:
        return Proposal(
            value="0",
            because=f"set to {current.pg()}: the server itself would choose {own.pg()}",
            computed=f"1/512 of shared_buffers, at most {MOST.pg()}: {own.pg()}",
            ticked=False,
        )
    size = f"set to {current.pg()}" if current else f"it sizes itself: {own.pg()}"
    for seen in _read_often(now, name):
        return Declined(
            because=f"{size}; {_in_words(seen)}: look for long transactions first (pg_stat_activity)"
        )
    return Declined(because=size, kind="keep")


def by_reads(now: Situation, name: str) -> Verdict:
    """For a cache of a fixed size: as large as those that size themselves, if it missed often."""
    current, own = now.will_be_size(name), its_own_size(now)
    for seen in _read_often(now, name):
        if own <= current:
            break
        return Proposal(
            value=own.pg(),
            because=f"{_in_words(seen)} with {current.pg()}",
            computed=f"like the automatic transaction_buffers: 1/512 of shared_buffers in steps of "
            f"{STEP.pg()}, at most {MOST.pg()}",
            ticked=False,
        )
    counted = isinstance(now.server, PostgresServer) and isinstance(now.server.slru, Known)
    why = "it seldom missed" if counted else "pg_stat_slru shows whether that is enough"
    return Declined(because=f"{current.pg()}: {why}", kind="keep")


def witness_of(name: str) -> Witness:
    """How often one of these caches missed."""

    def look(now: Situation) -> Iterator[Seen]:
        for seen in _counts(now, name):
            if seen.hit + seen.read < MANY:
                few = f"{how_many(seen.hit + seen.read, 'lookup')}, {MANY:,} needed"
                yield Seen(words=f"too little was seen: {few}", enough=False)
            else:
                yield Seen(words=_in_words(seen))

    return Witness(of="lookups that this cache missed (pg_stat_slru)", look=look)


def _counts(now: Situation, name: str) -> Iterator[SlruCache]:
    if isinstance(now.server, PostgresServer):
        for seen in known_or(now.server.slru, ()):
            if f"{seen.name}_buffers" == name:
                yield seen


def _read_often(now: Situation, name: str) -> Iterator[SlruCache]:
    """Its counts, if it missed often."""
    for seen in _counts(now, name):
        if seen.read >= MANY and seen.read >= (seen.hit + seen.read) * OFTEN:
            yield seen


def _in_words(seen: SlruCache) -> str:
    share = shortly(100 * Fraction(seen.read, seen.hit + seen.read))
    return f"{share} % of {seen.hit + seen.read:,} lookups missed"
