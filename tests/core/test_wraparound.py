"""A server that is about to refuse writes is warned of that before anything else."""

import dataclasses

import pytest

from small_plans import small_facts
from tunewiz.core.facts.health import DatabaseHealth, Health, OpenTransaction
from tunewiz.core.facts.replication import Replication, Slot
from tunewiz.core.facts.server import ServerRole
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan
from watched import activity

KNOWLEDGE = load_knowledge()
HALF = 2**30


def codes_and_texts(age: int) -> list[tuple[str, str]]:
    facts = small_facts(Given())
    server = dataclasses.replace(facts.postgres[0], activity=activity(transaction_age=age))
    facts = dataclasses.replace(facts, postgres=(server,))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    return [(warning.code, warning.text) for warning in plan.warnings]


@pytest.mark.parametrize("age", [HALF + 1, 1_950_000_000, 2_100_000_000, 2**31 - 1])
def test_beyond_half_of_all_ids_it_is_the_first_warning(age: int) -> None:
    code, text = codes_and_texts(age)[0]
    assert code == "wraparound"
    assert f"{age:,} transactions old" in text
    assert "pg_prepared_xacts" in text


@pytest.mark.parametrize("age", [0, 200_000_000, HALF])
def test_up_to_half_of_them_nothing_is_said(age: int) -> None:
    assert "wraparound" not in dict(codes_and_texts(age))


OTHERS = Health(
    transactions=(),
    hidden_sessions=0,
    lock_waits=0,
    longest_lock_wait=0,
    lock_waiter=0,
    databases=(DatabaseHealth(database="app", transaction_age=1_000, multixact_age=1_000),),
)


def wraparounds(
    health: Health, age: int = 1_000, replication: Fact[Replication] = NOT_LOOKED_FOR
) -> list[str]:
    facts = small_facts(Given())
    seen = dataclasses.replace(
        facts.postgres[0],
        activity=activity(transaction_age=age),
        health=Known(health, "a test"),
        replication=replication,
    )
    facts = dataclasses.replace(facts, postgres=(seen,))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    return [warning.text for warning in plan.warnings if warning.code == "wraparound"]


def with_ages(transactions: int, multixacts: int) -> Health:
    other = DatabaseHealth(database="other", transaction_age=transactions, multixact_age=multixacts)
    return dataclasses.replace(OTHERS, databases=(*OTHERS.databases, other))


@pytest.mark.parametrize("age", [HALF + 1, 2_100_000_000])
def test_multixacts_run_out_too_and_their_database_is_named(age: int) -> None:
    (text,) = wraparounds(with_ages(1_000, age))
    assert f"database other is {age:,} multixacts old" in text
    assert "mxid_age(relminmxid)" in text


def test_the_databases_ages_are_enough_to_know_it() -> None:
    (text,) = wraparounds(with_ages(HALF + 1, 1_000))
    assert f"{HALF + 1:,} transactions old" in text


@pytest.mark.parametrize("ages", [(HALF, HALF), (0, 0)])
def test_up_to_half_of_each_kind_nothing_is_said(ages: tuple[int, int]) -> None:
    assert wraparounds(with_ages(*ages)) == []


HOLDER = OpenTransaction(
    kind="session",
    pid=4711,
    prepared_as="",
    database="app",
    role="batch",
    application="psql",
    state="idle in transaction",
    age=1_500_000_000,
    seconds=900_000,
    idle_seconds=900_000,
)
HOLDERS = {
    "SELECT pg_terminate_backend(4711);": HOLDER,
    "ROLLBACK PREPARED 'gx1';": dataclasses.replace(HOLDER, kind="prepared transaction", prepared_as="gx1"),
    "a query on the standby far": dataclasses.replace(HOLDER, kind="standby", application="far"),
}


@pytest.mark.parametrize(("ends", "holder"), HOLDERS.items())
def test_who_holds_it_back_is_named_with_what_ends_it(ends: str, holder: OpenTransaction) -> None:
    (text,) = wraparounds(dataclasses.replace(OTHERS, transactions=(holder,)), 1_600_000_000)
    assert ends in text
    assert "1,500,000,000 transactions old" in text


@pytest.mark.parametrize(("active", "dropped"), [(False, True), (True, False)])
def test_a_slot_that_holds_it_back_is_named_and_dropped_only_if_nobody_reads_it(
    *,
    active: bool,
    dropped: bool,
) -> None:
    slot = Slot(
        name="old", kind="physical", active=active, held=Bytes(0), status="reserved", age=1_500_000_000
    )
    kept = Replication(
        slots=(slot,),
        archive_failures=0,
        archive_failing=False,
        archive_behind=Unknown("nobody asked"),
        cancelled=0,
    )
    (text,) = wraparounds(OTHERS, 1_600_000_000, replication=Known(kept, "a test"))
    assert "the replication slot old" in text
    assert ("pg_drop_replication_slot('old')" in text) is dropped


def test_a_young_transaction_is_not_said_to_hold_it_back() -> None:
    young = dataclasses.replace(HOLDER, age=50_000)
    (text,) = wraparounds(dataclasses.replace(OTHERS, transactions=(young,)), 1_600_000_000)
    assert "4711" not in text


@pytest.mark.parametrize(("role", "there"), [("standby", True), ("primary", False)])
def test_a_standby_is_told_to_vacuum_on_its_primary(role: ServerRole, *, there: bool) -> None:
    facts = small_facts(Given(role=role))
    server = dataclasses.replace(
        facts.postgres[0],
        activity=activity(transaction_age=1_900_000_000),
        health=Known(with_ages(1_000, HALF + 1), "test"),
    )
    facts = dataclasses.replace(facts, postgres=(server,))
    first, second, *_ = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE).warnings
    assert (first.code, second.code) == ("wraparound", "wraparound")
    assert ("VACUUM as superuser, on the primary," in first.text) is there
    assert ("as superuser there, on the primary, the tables" in second.text) is there
    assert ("as superuser there, the tables" in second.text) is not there
