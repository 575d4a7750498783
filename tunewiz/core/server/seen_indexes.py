"""Tables whose indexes keep a vacuum busy for long: helpers clean several at once (19 and newer)."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.tables import Table
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.witness import Seen, Witness
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.units import GIB, Bytes

MANY = 3
"""Large indexes: with fewer, a helper saves less than half of the time."""

LARGE = Bytes(16 * GIB)
"""In these indexes: what vacuum's cost limit lets it read in minutes, not seconds. An assumption."""

ENOUGH_DEAD = 500_000
"""Rows updated or deleted since the reset: without dead rows vacuum does not read the indexes."""


def gains_by_helpers(table: Table) -> bool:
    """Whether it has many large indexes, and rows that die."""
    many = (table.large_indexes or 0) >= MANY and (table.large_index_bytes or 0) >= LARGE.count
    return many and table.updated + table.deleted >= ENOUGH_DEAD


def indexes_in_words(table: Table) -> str:
    """How many large indexes it has, and what they hold."""
    size = Bytes(table.large_index_bytes or 0).human()
    return f"{how_many(table.large_indexes or 0, 'large index')} hold {size}"


def table_that_gains(situation: Situation) -> str | None:
    """The one with the largest indexes of those that gain by helpers, in words; None if there is none."""
    match situation.server:
        case PostgresServer(tables=Known(value=databases)):
            tables = (table for database in databases for table in known_or(database.tables, ()))
            gaining = filter(gains_by_helpers, tables)
            table = max(gaining, key=lambda table: table.large_index_bytes or 0, default=None)
            return None if table is None else f"{indexes_in_words(table)} of table {table.name}"
        case _:
            return None


def _indexes_told(situation: Situation) -> Iterator[Seen]:
    if table := table_that_gains(situation):
        yield Seen(words=table)


INDEXES = Witness(of="large indexes of a table (19 and newer)", look=_indexes_told)
