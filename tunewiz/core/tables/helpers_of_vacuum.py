"""autovacuum_parallel_workers: a table's own number only lowers the server's (tried with 19rc1, 2026-11)."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.tables import Table
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.seen_indexes import gains_by_helpers, indexes_in_words
from tunewiz.core.tables.items import Relation, Sight, TableDecision
from tunewiz.core.values.identifiers import qualified

OF_THE_SERVER = "autovacuum_max_parallel_workers"
OF_THE_TABLE = "autovacuum_parallel_workers"
AS_THE_SERVER = "-1"


def parallel_vacuum(where: Relation, table: Table, situation: Situation) -> Iterator[TableDecision | Sight]:
    """Of a table with many large indexes: its own number where that is too low, else the server's."""
    if not situation.settings.has(OF_THE_SERVER) or not gains_by_helpers(table):
        return
    most = int(situation.will_be(OF_THE_SERVER))
    own = table.options.get(OF_THE_TABLE, AS_THE_SERVER)
    if not most:
        yield _none_at_all(where, table)
    elif own.isdecimal() and int(own) < min(most, (table.large_indexes or 0) - 1):
        yield _too_low(where, table, own, most)


def _none_at_all(where: Relation, table: Table) -> Sight:
    return Sight(
        kind="parallel vacuum",
        table=where,
        because=f"{indexes_in_words(table)}, and autovacuum cleans one after another: {OF_THE_SERVER} is "
        f"0, and a table's own {OF_THE_TABLE} cannot be more. `tunewiz explain pg.{OF_THE_SERVER}` says when "
        "it pays",
    )


def _too_low(where: Relation, table: Table, own: str, most: int) -> TableDecision:
    name = qualified(where.schema, where.name)
    allowed = "none" if own == "0" else own
    return TableDecision(
        kind="parallel vacuum",
        table=where,
        what=f"{OF_THE_TABLE} {own} -> as the server has it ({most})",
        because=f"{indexes_in_words(table)}, and of the {most} helpers that {OF_THE_SERVER} allows, this "
        f"table takes {allowed}. Find out who lowered it, and why",
        do=(f"ALTER TABLE {name} RESET ({OF_THE_TABLE});",),
        undo=(f"ALTER TABLE IF EXISTS {name} SET ({OF_THE_TABLE} = {own});",),
    )
