"""Which setting takes most of the shared memory beside the buffers, where that is much."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.shared_memory import SMALL_CACHES, shared_overhead
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes

MUCH = Fraction(1, 16)
"""Of memory: as much as buffers of a quarter of it would miss. An assumption."""

TAKING = (
    "min_dynamic_shared_memory",
    "track_activity_query_size",
    "max_locks_per_transaction",
    "max_prepared_transactions",
    "wal_buffers",
    *SMALL_CACHES,
)
SESSIONS = "max_connections"
"""Multiplies some of these: it is named only where none of them is the cause."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Taker:
    """A setting, and what its default would free."""

    name: str
    value: str
    size: Bytes

    @property
    def words(self) -> str:
        """As part of a sentence."""
        return f"{self.size.human()} of that for {self.name} = {self.value}"


def largest_beside(situation: Situation) -> Taker | None:
    """The setting; None where none takes much."""
    if not isinstance(situation.facts.memory.total, Known):
        return None
    takers = [_taker(situation, name) for name in TAKING if situation.settings.has(name)]
    by_size = sorted(takers, key=lambda taker: -taker.size.count)
    much = situation.memory * MUCH
    return next((taker for taker in (*by_size, _taker(situation, SESSIONS)) if taker.size >= much), None)


def _taker(situation: Situation, name: str) -> Taker:
    buffers = situation.will_be_size("shared_buffers")
    usual = situation.with_chosen(name, situation.default(name))
    freed = shared_overhead(situation, buffers) - shared_overhead(usual, buffers)
    return Taker(name=name, value=situation.will_be(name), size=max(Bytes(0), freed))
