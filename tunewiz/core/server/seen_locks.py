"""What this server showed of its locks: how often a session had no fast-path slot of its own left."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.statistics import Counted
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Needs, Seen, Witness, enough_seen, too_little
from tunewiz.core.values.rounding import shortly


def _transactions(situation: Situation) -> Needs:
    return Needs(
        names=("fast_path_exceeded", "commits", "rollbacks"),
        enough=situation.thresholds.transactions,
        unit="transactions",
        weigh=lambda values: values[1] + values[2],
    )


def fast_path_runs_out(situation: Situation) -> Iterator[str]:
    """That transactions often take more locks than a session has slots for (19 and newer)."""
    for statistics in enough_seen(situation, _transactions(situation)):
        if _a_transaction(statistics) >= situation.thresholds.fast_path_exceeded:
            yield _in_words(statistics)


def _a_transaction(statistics: Counted) -> Fraction:
    exceeded, commits, rollbacks = statistics.values
    return Fraction(exceeded, commits + rollbacks)


def _in_words(statistics: Counted) -> str:
    _, commits, rollbacks = statistics.values
    if not _a_transaction(statistics):
        return f"every lock of {commits + rollbacks:,} transactions found a fast-path slot {statistics.when}"
    mean = shortly(_a_transaction(statistics))
    return f"{mean} locks of a transaction, on average, found no fast-path slot left {statistics.when}"


def _fast_path_told(situation: Situation) -> Iterator[Seen]:
    for statistics in enough_seen(situation, _transactions(situation)):
        yield Seen(words=_in_words(statistics))
        return
    yield from too_little(situation, _transactions(situation))


FAST_PATH = Witness(of="locks without a fast-path slot (19 and newer)", look=_fast_path_told)
