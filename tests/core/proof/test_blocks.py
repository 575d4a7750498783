"""What two adjacent blocks of a live server show: an index of the same queries, or why they show nothing."""

import dataclasses
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.proof.blocks import (
    LEAST_CALLS,
    SHARED,
    TIME,
    WAL,
    Block,
    BlockSeen,
    NotSeen,
    drawn,
    has_too_many_left_out,
    pair_of_blocks,
)
from tunewiz.core.proof.index_numbers import Spent
from tunewiz.core.proof.proof import Pair


def spent(calls: int, mean: float) -> Spent:
    """The work of a query that returns three rows."""
    return Spent(calls=calls, ms=calls * mean, rows=3 * calls)


SPENT = st.builds(spent, st.integers(LEAST_CALLS, 10**6), st.floats(1e-3, 1e4))
SIDES = st.lists(st.tuples(SPENT, SPENT), min_size=1, max_size=6)


def block(*queries: Spent, **changes: object) -> Block:
    """Of queries 0, 1 … of one role in one database."""
    keyed = {(str(number), "shop", "app"): query for number, query in enumerate(queries)}
    whole = Block(
        spent=keyed,
        ms=sum(query.ms for query in queries),
        evicted=0,
        transactions=1000,
        wal_bytes=5_000_000,
        started="2026-11-25T10:00:00Z",
    )
    return dataclasses.replace(whole, **changes)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType] - by name


def usual(calls: int = 1000, mean: float = 2.0) -> Spent:
    return Spent(calls=calls, ms=calls * mean, rows=calls)


def ratio(before: BlockSeen, after: BlockSeen) -> float:
    pair = pair_of_blocks("before first", before, after)
    assert isinstance(pair, Pair), pair
    return pair.after.figures[TIME] / pair.before.figures[TIME]


def why(before: BlockSeen, after: BlockSeen) -> str:
    pair = pair_of_blocks("after first", before, after)
    assert isinstance(pair, NotSeen), pair
    return pair.why


@given(SIDES)
def test_exchanging_the_sides_inverts_the_ratio(sides: list[tuple[Spent, Spent]]) -> None:
    before, after = block(*(one for one, _ in sides)), block(*(other for _, other in sides))
    assert isclose(ratio(before, after), 1 / ratio(after, before), rel_tol=1e-6)


@given(SIDES, st.floats(0.2, 5))
def test_the_mix_of_queries_and_their_load_do_not_matter(
    sides: list[tuple[Spent, Spent]], factor: float
) -> None:
    before = [one for one, _ in sides]
    after = [spent(other.calls, one.mean * factor) for one, other in sides]
    assert isclose(ratio(block(*before), block(*after)), factor, rel_tol=1e-6)


def test_a_query_of_one_side_counts_for_nothing_while_the_others_are_most_of_the_work() -> None:
    few = usual(calls=50)
    assert isclose(ratio(block(usual(), few), block(usual(mean=3.0))), 1.5)


def test_a_query_that_returns_other_rows_is_not_the_same_work() -> None:
    changed = Spent(calls=100, ms=1e3, rows=100_000)
    before, after = block(usual(10_000), usual(100)), block(usual(10_000, 1.0), changed)
    assert isclose(ratio(before, after), 0.5)


def test_wal_per_transaction_is_there_once_there_are_transactions() -> None:
    both = pair_of_blocks("before first", block(usual()), block(usual(), wal_bytes=10_000_000))
    assert isinstance(both, Pair)
    assert (both.before.figures[WAL], both.after.figures[WAL]) == (5_000, 10_000)
    idle = pair_of_blocks("before first", block(usual(), transactions=0), block(usual()))
    assert isinstance(idle, Pair)
    assert WAL not in idle.before.figures


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (block(usual(), started="2026-11-25T11:00:00Z"), "restarted"),
        (block(usual(), evicted=1), "increase pg_stat_statements.max"),
        (block(usual(LEAST_CALLS - 1)), f"{LEAST_CALLS - 1} calls"),
        (block(usual(), ms=usual().ms / (SHARED - 0.01)), "79% of the time"),
        (block(), "0 calls"),
        (NotSeen(why="it could not be watched"), "could not be watched"),
    ],
)
def test_a_pair_that_shows_nothing_is_left_out_whichever_side_it_is(changed: BlockSeen, told: str) -> None:
    assert told in why(block(usual()), changed)
    assert told in why(changed, block(usual()))


def test_blocks_at_the_limits_are_kept() -> None:
    assert ratio(block(usual(LEAST_CALLS)), block(usual(LEAST_CALLS), ms=usual(LEAST_CALLS).ms / SHARED)) == 1


@given(st.integers(0, 10**9))
def test_the_order_is_drawn_evenly_and_the_same_again_for_the_same_seed(seed: int) -> None:
    orders = [drawn(seed, number) for number in range(400)]
    assert orders == [drawn(seed, number) for number in range(400)]
    assert 120 < orders.count("before first") < 280


@pytest.mark.parametrize(("pairs", "left_out", "expected"), [(12, 4, False), (11, 5, True), (0, 0, False)])
def test_more_than_a_quarter_left_out_says_that_nothing_is_concluded(
    pairs: int, left_out: int, *, expected: bool
) -> None:
    assert has_too_many_left_out(pairs, left_out) is expected
