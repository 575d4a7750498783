"""Whatever is collected of a server at work is decided with or shown: nothing is asked in vain."""

import dataclasses
from collections.abc import Iterator
from typing import Any, get_args

from noticed import is_a, noticed, start_noticing, what_was_read
from small_health import DUPLICATE, INVALID, OUTDATED, SEQUENCE, SICK
from told_everything import told_everything
from tunewiz.core.facts.design import DesignFlaw, DesignFlawKind
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.health import Replay
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.tables import BareForeignKey, DatabaseTables, Table, UnusedIndex
from tunewiz.core.health.troubles import checkup
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.known import NOT_LOOKED_FOR, Known
from tunewiz.core.values.units import GIB
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import default_answers
from tunewiz.text.counters import counters
from tunewiz.text.health import health_text
from tunewiz.text.measuring import log_in_words, probed_in_words
from tunewiz.text.tables import tables_text
from tunewiz.text.watching import seen_in_words

KNOWLEDGE = load_knowledge()
COMPARED = {"Window.began", "Window.server_started", "Window.statements"}
"""What `tunewiz prove compare` reads, of two windows."""
CONFIGURED = ("PostgresServer.", "Setting.", "Override.", "FileError.")
"""How a server is set up, which is no matter of its work."""
ARCHIVING = {"archive_mode": "on", "archive_command": "cp %p /archive/%f"}
MONTHS = 90 * 86_400
INDEX = UnusedIndex(
    schema="public", table="orders", name="old", bytes=GIB, definition="CREATE INDEX old", tablespace=""
)
KEY = BareForeignKey(
    schema="public",
    table="orders",
    name="key",
    bytes=GIB,
    columns=("customer",),
    referenced_schema="public",
    referenced="customers",
    referenced_deleted=1_000_000,
    referenced_updated=1_000_000,
)


FLAWS = tuple(
    DesignFlaw(kind=kind, schema="public", name="log", bytes=0, count=2_000)
    for kind in get_args(DesignFlawKind)
)


def suffering(table: Table) -> Table:
    """The same, of which everything is wrong that can be."""
    return dataclasses.replace(
        table,
        dead_rows=9_000_000,
        updated=2_000_000,
        new_page_updated=1_900_000,
        row_width=100,
        main_bytes=100 * GIB,
        bytes=100 * GIB,
        sequential_scans=1_000_000,
        rows_by_sequential_scans=10**12,
        changed_since_analyze=9_000_000,
        large_indexes=5,
        large_index_bytes=100 * GIB,
    )


def at_work(database: DatabaseTables) -> DatabaseTables:
    assert isinstance(database.tables, Known)
    tables = tuple(map(suffering, database.tables.value))
    return dataclasses.replace(
        database,
        tables=Known(tables, "test"),
        counted_seconds=Known(MONTHS, "test"),
        unused_indexes=Known((INDEX,), "test"),
        bare_foreign_keys=Known((KEY,), "test"),
        invalid_indexes=Known((INVALID,), "test"),
        duplicate_indexes=Known((DUPLICATE,), "test"),
        ending_sequences=Known((SEQUENCE,), "test"),
        outdated_indexes=Known((OUTDATED,), "test"),
        redundant_indexes=Known((DUPLICATE,), "test"),
        design_flaws=Known(FLAWS, "test"),
    )


def telling_all(situation: Situation) -> Situation:
    """A server of which everything is known, and much is wrong."""
    assert isinstance(situation.server, PostgresServer)
    assert isinstance(situation.server.tables, Known)
    assert isinstance(situation.server.replication, Known)
    kept = dataclasses.replace(
        situation.server.replication.value, archive_failing=situation.server.replication.value.cancelled > 3
    )
    by_itself = 1_200 if kept.archive_failing else None
    replay = Replay(pause="not paused", behind=3 * GIB, caught_up_seconds=by_itself, commit_seconds=1_200)
    server = dataclasses.replace(
        situation.server,
        tables=Known(tuple(map(at_work, situation.server.tables.value)), "test"),
        replication=Known(kept, "test"),
        health=Known(dataclasses.replace(SICK, replay=replay), "test"),
    )
    return dataclasses.replace(
        situation, server=server, facts=dataclasses.replace(situation.facts, postgres=(server,))
    )


def situations() -> Iterator[Situation]:
    for given in (Given(settings=ARCHIVING), Given(role="standby")):
        for situation in told_everything(given):
            if isinstance(situation.server, PostgresServer) and isinstance(situation.server.tables, Known):
                yield telling_all(situation)


def everybody_reads(situation: Situation) -> None:
    """What decides and what shows, on a server."""
    server = situation.server
    assert isinstance(server, PostgresServer)
    made = plan_of(KNOWLEDGE.catalogue, situation)
    for recommendation in KNOWLEDGE.catalogue:
        for witness in recommendation.witnesses:
            tuple(witness.look(situation))
    tables_text(advice_on_tables(made), situation.facts)
    health_text(checkup(made, load_minor_fixes()), situation.facts)
    counters(server)
    without_settings = dataclasses.replace(server, settings=NOT_LOOKED_FOR)
    default_answers(dataclasses.replace(situation.facts, postgres=(without_settings,)), KNOWLEDGE)
    assert isinstance(made.warnings, tuple)
    for text in (probed_in_words(server.probe), log_in_words(server.log)):
        assert text
    if isinstance(server.window, Known):
        seen_in_words(server.window.value)


def fields_of(value: Any) -> Iterator[str]:  # noqa: ANN401 - any fact, or a value in one
    """The fields of a fact and of all within: `Window.commits`."""
    if is_a(value, Known):
        yield from fields_of(value.value)
    elif is_a(value, tuple):
        for entry in value:
            yield from fields_of(entry)
    elif dataclasses.is_dataclass(value) and type(value).__module__.startswith("tunewiz.core.facts"):
        for field in dataclasses.fields(value):
            yield f"{type(value).__name__}.{field.name}"
            yield from fields_of(getattr(value, field.name))


def collected(facts: Facts) -> set[str]:
    named = {*fields_of(facts.postgres), *fields_of(facts.memory.strain)}
    return {text for text in named if not text.startswith(CONFIGURED)}


def test_whatever_is_collected_of_a_server_at_work_is_decided_with_or_shown() -> None:
    start_noticing()
    results = set[str]()
    for situation in situations():
        results |= collected(situation.facts)
        everybody_reads(noticed(situation))
    assert len(results) > len(COMPARED)
    assert results - what_was_read() - COMPARED == set()
    assert results >= COMPARED
