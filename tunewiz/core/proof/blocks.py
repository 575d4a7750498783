"""Two adjacent blocks of a live server, one with each value: what they show, or why they show nothing.

The load is no reason to leave a pair out: a faster setting lets waiting clients do more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from random import Random
from types import MappingProxyType
from typing import TypeAlias

from tunewiz.core.proof.index_numbers import Spent, basket
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Arm, Pair, PairOrder
from tunewiz.core.values.record import dataclass

TIME: MetricName = "query_time_ideal"
WAL: MetricName = "wal_per_transaction"
LEAST_CALLS = 100
"""Calls of the basket in each block, by convention: the mean of fewer says little."""
SHARED = 0.8
"""The least share of the time that the queries of both blocks must take in each: by convention."""
MOST_LEFT_OUT = 0.25
"""Share of the pairs: if more show nothing, those that do may be no fair sample (by convention)."""

QueryKey: TypeAlias = tuple[str, str, str]
"""queryid, database, role."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """What a server did in the measured part of a block."""

    spent: Mapping[QueryKey, Spent]
    ms: float
    """Of all statements, listed or not."""
    evicted: int
    """Entries that pg_stat_statements discarded."""
    transactions: int
    wal_bytes: int
    started: str
    """When the server was started."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NotSeen:
    """The block shows nothing."""

    why: str


BlockSeen: TypeAlias = Block | NotSeen


def drawn(seed: int, pair: int) -> PairOrder:
    """Which value a pair begins with; the same again for the same seed."""
    first = Random(f"{seed} pair {pair}").random() < 1 / 2  # noqa: S311 - nothing secret
    return "before first" if first else "after first"


def pair_of_blocks(order: PairOrder, before: BlockSeen, after: BlockSeen) -> Pair | NotSeen:
    """The pair's figures, or why it is left out; swapping the sides inverts every ratio."""
    if isinstance(before, NotSeen):
        return before
    if isinstance(after, NotSeen):
        return after
    shared = [key for key in sorted(before.spent.keys() & after.spent.keys()) if _same(key, before, after)]
    if why := _why_not(before, after, shared):
        return NotSeen(why=why)
    result = basket((before.spent[key], after.spent[key]) for key in shared)
    # Fisher's ideal index: the geometric mean of both weightings.
    return Pair(
        order=order,
        before=_arm(before, sqrt(result.before * result.reverse_before)),
        after=_arm(after, sqrt(result.after * result.reverse_after)),
    )


def _same(key: QueryKey, before: Block, after: Block) -> bool:
    return not before.spent[key].does_other_work(after.spent[key])


def _why_not(before: Block, after: Block, shared: Sequence[QueryKey]) -> str:
    if before.started != after.started:
        return "the server was restarted between its blocks"
    if before.evicted or after.evicted:
        return "pg_stat_statements discarded entries, so calls are missing: increase pg_stat_statements.max"
    calls = min(sum(side.spent[key].calls for key in shared) for side in (before, after))
    if calls < LEAST_CALLS:
        return f"{calls} calls of the same queries in one of its blocks, expected {LEAST_CALLS} or more"
    share = min(sum(side.spent[key].ms for key in shared) / max(side.ms, 1e-6) for side in (before, after))
    if share < SHARED:
        return (
            f"the queries that did the same work in both blocks took {share:.0%} of the time in one of them, "
            f"expected {SHARED:.0%} or more"
        )
    return ""


def _arm(block: Block, ms: float) -> Arm:
    figures: dict[MetricName, float] = {TIME: ms}
    if block.transactions:
        figures[WAL] = block.wal_bytes / block.transactions
    return Arm(figures=MappingProxyType(figures))


def has_too_many_left_out(pairs: int, left_out: int) -> bool:
    """Whether nothing may be concluded from the rest."""
    return left_out > MOST_LEFT_OUT * (pairs + left_out)
