"""Locks that find no slot of their session speak for more locks, and for nothing else."""

import pytest

from shown_servers import Shown, seen
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.verdicts import Declined, Proposal
from tunewiz.core.words.weighing import weighing_in_words
from tunewiz.knowledge.loading import load_knowledge
from watched import activity

CATALOGUE = load_knowledge().catalogue
NAME = "max_locks_per_transaction"
ENOUGH = 1_000_000


def finding(exceeded: int, value: str = "128", transactions: int = ENOUGH, major: str = "19") -> Finding:
    """What becomes of the setting where so many locks found no slot."""
    counted = activity(fast_path_exceeded=exceeded, commits=transactions, rollbacks=0)
    situation = seen(Given(major=major, settings={NAME: value}), Shown(activity=counted))
    return next(
        entry for entry in plan_of(CATALOGUE, situation).findings if entry.recommendation.id == f"pg.{NAME}"
    )


@pytest.mark.parametrize(("value", "proposed"), [("128", "256"), ("200", "400"), ("1023", "2046")])
def test_more_slots_are_proposed_where_transactions_usually_find_none_left(value: str, proposed: str) -> None:
    result = finding(3 * ENOUGH, value)
    assert isinstance(result.verdict, Proposal)
    assert (result.verdict.value, result.verdict.ticked) == (proposed, False)
    assert "3 locks of a transaction, on average, found no fast-path slot left" in result.because
    assert "Drop unused indexes first" in result.because


@pytest.mark.parametrize(
    ("exceeded", "value", "transactions"),
    [
        (0, "128", ENOUGH),
        (ENOUGH - 1, "128", ENOUGH),
        (3 * ENOUGH, "1024", ENOUGH),
        (300_000, "128", 99_999),
    ],
)
def test_it_is_left_alone_where_slots_suffice_or_little_was_seen(
    exceeded: int, value: str, transactions: int
) -> None:
    result = finding(exceeded, value, transactions)
    assert isinstance(result.verdict, Declined)
    assert result.state == "keep"


def test_slots_that_suffice_are_told() -> None:
    assert "every lock of 1,000,000 transactions found a fast-path slot" in weighing_in_words(finding(0))
    assert "too little was seen: 99 transactions" in weighing_in_words(finding(0, transactions=99))


def test_a_lowered_value_is_put_back_first() -> None:
    verdict = finding(3 * ENOUGH, "64").verdict
    assert isinstance(verdict, Proposal)
    assert verdict.value == "128"
