"""Troubles that no setting mends: what counts as one, what does not, and which comes first."""

import dataclasses

import pytest

from small_health import DUPLICATE, HEALTHY, HOUR, INVALID, OUTDATED, PREPARED, SEQUENCE, SESSION, SICK
from small_plans import small_answers, small_facts
from small_tables import database
from tunewiz.collect.postgres.table_queries import table_queries
from tunewiz.core.facts.health import MOST_OUTDATED, DatabaseHealth, Health
from tunewiz.core.facts.tables import DatabaseTables
from tunewiz.core.health.held_back import is_forgotten
from tunewiz.core.health.troubles import Checkup, checkup
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import make_plan
from watched import activity


def looked_at(health: Health = HEALTHY, *databases: DatabaseTables, major: str = "16") -> Checkup:
    facts = small_facts(Given(major=major), health=Known(health, "a look"), tables=Known(databases, "a look"))
    return checkup(make_plan(facts, small_answers(), load_knowledge()), load_minor_fixes())


def kinds(result: Checkup) -> list[str]:
    return [trouble.kind for trouble in result.troubles]


def changed(**values: object) -> Health:
    return dataclasses.replace(HEALTHY, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"age": 0}, True),
        ({"age": 5, "idle_seconds": 599}, False),
        ({"age": 5, "state": "idle in transaction (aborted)", "idle_seconds": 600}, True),
        ({"age": 5, "state": "active", "idle_seconds": 0, "seconds": 5 * HOUR}, False),
        ({"age": 5, "state": "active", "idle_seconds": 0, "seconds": 6 * HOUR}, True),
        ({"age": 10_000_000, "state": "active", "idle_seconds": 0, "seconds": 9}, True),
        ({"age": 5, "kind": "prepared transaction", "state": "", "seconds": HOUR - 1}, False),
        ({"age": 5, "kind": "prepared transaction", "state": "", "seconds": HOUR}, True),
        ({"age": 9_999_999, "kind": "standby", "state": "active", "seconds": 0}, False),
        ({"age": 10_000_000, "kind": "standby", "state": "active", "seconds": 0}, True),
    ],
)
def test_a_transaction_is_forgotten_when_no_work_takes_so_long(
    changes: dict[str, object], *, expected: bool
) -> None:
    assert is_forgotten(dataclasses.replace(SESSION, **changes)) is expected  # type: ignore[arg-type]


def test_a_healthy_server_has_no_trouble() -> None:
    result = looked_at(HEALTHY, database())
    assert (result.troubles, result.unseen) == ((), ("indexes in shop: it was not looked for",))
    checked = dataclasses.replace(database(), invalid_indexes=Known((), ""))
    result = looked_at(HEALTHY, checked)
    assert (result.troubles, result.unseen) == ((), ())


def test_the_statements_name_exactly_what_was_seen() -> None:
    (session,) = looked_at(changed(transactions=(SESSION,))).troubles
    assert session.do == ("SELECT pg_terminate_backend(4711);",)
    assert "12.3 million transactions" in session.because
    (prepared,) = looked_at(changed(transactions=(PREPARED,))).troubles
    assert (prepared.do, prepared.database) == (("ROLLBACK PREPARED 'it''s';",), "shop")


def test_waits_for_locks_are_a_trouble_from_half_a_minute_on() -> None:
    waits = changed(lock_waits=3, longest_lock_wait=29, lock_waiter=99)
    assert kinds(looked_at(waits)) == []
    (trouble,) = looked_at(dataclasses.replace(waits, longest_lock_wait=30)).troubles
    assert trouble.do == ("SELECT pg_blocking_pids(99);",)
    (old,) = looked_at(dataclasses.replace(waits, longest_lock_wait=30), major="9.5").troubles
    assert old.do == ()


@pytest.mark.parametrize(
    ("transactions", "multixacts", "expected"),
    [
        (2**30, 2**30, []),
        (
            2**30 + 1,
            1,
            ["transaction id that is not frozen is 1,073,741,825 ids old: after 1,070,741,823 more"],
        ),
        (1, 2**31 - 2, ["multixact id that is not frozen is 2,147,483,646 ids old: now the server refuses"]),
    ],
)
def test_ids_run_out_where_more_than_half_are_used(
    transactions: int, multixacts: int, expected: list[str]
) -> None:
    entry = DatabaseHealth(database="shop", transaction_age=transactions, multixact_age=multixacts)
    result = looked_at(changed(databases=(entry,))).troubles
    assert len(result) == len(expected)
    for trouble, because in zip(result, expected, strict=True):
        assert because in trouble.because


def test_facts_of_before_such_looks_still_tell_that_ids_run_out() -> None:
    facts = small_facts(activity=activity(transaction_age=2**30 + 1))
    result = checkup(make_plan(facts, small_answers(), load_knowledge()), load_minor_fixes())
    assert kinds(result) == ["transaction ids run out"]
    assert "sessions and databases: it was not looked for" in result.unseen


@pytest.mark.parametrize(
    ("recorded", "actual", "expected"),
    [("2.31", "2.36", 1), ("2.36", "2.36", 0), ("", "2.36", 0), ("2.36", "", 0)],
)
def test_a_collation_has_changed_when_both_versions_are_known_and_differ(
    recorded: str, actual: str, expected: int
) -> None:
    entry = dataclasses.replace(HEALTHY.databases[0], collation_recorded=recorded, collation_actual=actual)
    assert kinds(looked_at(changed(databases=(entry,)))) == ["collation has changed"] * expected


@pytest.mark.parametrize(("failures", "expected"), [(None, 0), (0, 0), (1, 1)])
def test_damaged_pages_are_those_that_were_counted(failures: int | None, expected: int) -> None:
    entry = dataclasses.replace(HEALTHY.databases[0], checksum_failures=failures)
    assert kinds(looked_at(changed(databases=(entry,)))) == ["damaged pages"] * expected


@pytest.mark.parametrize(
    ("name", "major", "statement"),
    [
        ("orders_note", "16", "REINDEX INDEX CONCURRENTLY"),
        ("orders_ccnew_note", "16", "REINDEX INDEX CONCURRENTLY"),
        ("orders_note_ccold", "16", "DROP INDEX CONCURRENTLY"),
        ("orders_note_ccold2", "16", "DROP INDEX CONCURRENTLY"),
        ("orders_note", "11", "DROP INDEX CONCURRENTLY"),
        ("orders_note_ccnew", "16", "DROP INDEX CONCURRENTLY"),
        ("orders_note_ccnew1", "16", "DROP INDEX CONCURRENTLY"),
    ],
)
def test_an_invalid_index_is_rebuilt_where_that_can_be_and_a_remnant_dropped(
    name: str, major: str, statement: str
) -> None:
    indexes = Known((dataclasses.replace(INVALID, name=name),), "")
    damaged = dataclasses.replace(database(), invalid_indexes=indexes)
    (trouble,) = looked_at(HEALTHY, damaged, major=major).troubles
    assert trouble.do == (f'{statement} "public"."{name}";',)


def test_what_loses_data_comes_first_and_what_only_costs_last() -> None:
    objects = dataclasses.replace(
        database(),
        invalid_indexes=Known((INVALID,), ""),
        duplicate_indexes=Known((DUPLICATE,), ""),
        ending_sequences=Known((SEQUENCE,), ""),
        outdated_indexes=Known((OUTDATED,), ""),
    )
    sick = dataclasses.replace(SICK, transactions=(SESSION,))
    assert kinds(looked_at(sick, objects)) == [
        "damaged pages",
        "collation has changed",
        "collation has changed",
        "sequence runs out",
        "vacuum is held back",
        "sessions wait for locks",
        "invalid index",
        "duplicate index",
    ]


@pytest.mark.parametrize(
    ("major", "statement"),
    [("11", "REINDEX INDEX"), ("12", "REINDEX INDEX CONCURRENTLY"), ("19", "REINDEX INDEX CONCURRENTLY")],
)
def test_each_changed_collation_names_its_own_indexes(major: str, statement: str) -> None:
    swedish = dataclasses.replace(OUTDATED, name='a"b', collation="swedish")
    objects = dataclasses.replace(database(), outdated_indexes=Known((swedish, OUTDATED), ""))
    german, other = looked_at(HEALTHY, objects, major=major).troubles
    assert german.what == "public.german in database shop"
    assert german.do == (
        f'{statement} "public"."orders_note";',
        'ALTER COLLATION "public"."german" REFRESH VERSION;',
    )
    assert other.do[0] == f'{statement} "public"."a""b";'


def test_where_not_all_outdated_indexes_are_listed_the_whole_database_is_rebuilt() -> None:
    for count, statement in ((MOST_OUTDATED - 1, "REINDEX INDEX"), (MOST_OUTDATED, "REINDEX DATABASE")):
        objects = dataclasses.replace(database(), outdated_indexes=Known((OUTDATED,) * count, ""))
        (trouble,) = looked_at(HEALTHY, objects).troubles
        assert trouble.do[0].startswith(statement)
        assert trouble.do[-1].startswith("ALTER COLLATION")


def test_a_look_lists_as_many_outdated_indexes_as_the_advice_expects() -> None:
    (query,) = (query for query in table_queries(180_000) if query.columns == ("outdated_indexes",))
    assert f"limit {MOST_OUTDATED})" in query.sql


@pytest.mark.parametrize(
    "definition",
    ["CREATE INDEX a ON t (\n)", "CREATE UNIQUE INDEX a ON t (b)", "DROP TABLE orders; CREATE INDEX a"],
)
def test_no_statement_is_made_of_a_definition_that_is_none(definition: str) -> None:
    index = dataclasses.replace(DUPLICATE, definition=definition)
    objects = dataclasses.replace(
        database(), invalid_indexes=Known((), ""), duplicate_indexes=Known((index,), "")
    )
    assert looked_at(HEALTHY, objects).troubles == ()


def test_what_was_not_seen_is_said() -> None:
    facts = small_facts(
        health=Unknown("permission denied"),
        tables=Unknown("no database"),
    )
    result = checkup(make_plan(facts, small_answers(), load_knowledge()), load_minor_fixes())
    assert result.unseen == (
        "sessions and databases: permission denied",
        "the tables were not read: no database",
    )
    hidden = looked_at(changed(hidden_sessions=2))
    assert hidden.unseen == (
        "2 sessions of others, which this role may not look into (pg_read_all_stats may)",
    )
