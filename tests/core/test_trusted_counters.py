"""Counters that do not count speak for nothing: switched off, just reset, or a standby's own."""

import dataclasses

import pytest

from sick_servers import finding_of, plan_of_case, texts_of
from small_plans import small_facts
from small_tables import database, table, unused_index
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.statistics import of_activity, of_window
from tunewiz.core.facts.trusted_counters import DAY, NOT_COUNTING, ON_A_STANDBY, with_trusted_counters
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.tables.items import TableAdvice
from tunewiz.core.tables.tables import advice_on_tables
from tunewiz.core.values.known import Known
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.report import plan_table
from watched import activity, window

TRACKED = {
    *("commits", "rollbacks", "rows_read", "rows_written", "blocks_hit", "blocks_read"),
    *("temp_files", "temp_bytes", "live_rows", "dead_rows"),
}
WRITTEN = {"rows_written", "live_rows", "dead_rows"}
COUNTED = {**dict.fromkeys(sorted(TRACKED), 10**9), "transaction_age": 10**8, "checkpoints_timed": 900}
TABLES = Known((database(tables=(table(dead_rows=9 * 10**6),), unused=(unused_index(),)),), "test")
OFF = Given(settings={"track_counts": "off"}, connections=100)
USUAL = Given(connections=100)


def a_server(machine: Given, seconds: int = 90 * DAY) -> PostgresServer:
    facts = small_facts(
        machine,
        activity=activity(seconds=seconds, checkpoints_requested=1, **COUNTED),
        window=window(7200, **COUNTED),
        tables=TABLES,
    )
    return facts.postgres[0]


def known(server: PostgresServer) -> tuple[set[str], set[str]]:
    """The names of counters that are left, since the reset and while watched."""
    assert isinstance(server.activity, Known)
    assert isinstance(server.window, Known)
    periods = (of_activity(server.activity.value), of_window(server.window.value))
    since, watched = (
        {name for name, fact in period.items() if isinstance(fact, Known)} for period in periods
    )
    return since, watched


@pytest.mark.parametrize(
    ("machine", "missing", "why"),
    [
        (OFF, TRACKED, NOT_COUNTING),
        (dataclasses.replace(USUAL, role="standby"), WRITTEN, ON_A_STANDBY),
        (USUAL, set[str](), ""),
    ],
)
def test_what_does_not_count_is_unknown_and_everything_else_stays(
    machine: Given, missing: set[str], why: str
) -> None:
    before = a_server(machine)
    after = with_trusted_counters(before)
    for had, has in zip(known(before), known(after), strict=True):
        assert had - has == missing & had
    assert isinstance(after.tables, Known)
    assert isinstance(after.tables.value[0].tables, Known) is (why == "")


@pytest.mark.parametrize("seconds", [0, 3600, DAY - 1])
def test_statistics_that_were_just_reset_are_not_taken_for_usual_work(seconds: int) -> None:
    since, watched = known(with_trusted_counters(a_server(USUAL, seconds)))
    assert since & (TRACKED | {"checkpoints_timed", "checkpoints_requested"}) == set()
    assert "transaction_age" in since
    assert watched >= TRACKED - {"live_rows", "dead_rows"}


def test_a_day_of_counting_is_enough() -> None:
    server = a_server(USUAL, DAY)
    assert with_trusted_counters(server) == server


def tables_of(machine: Given) -> TableAdvice:
    facts = small_facts(machine, tables=TABLES)
    return advice_on_tables(make_plan(facts, default_answers(facts, load_knowledge()), load_knowledge()))


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (OFF, "track_counts is off"),
        (
            dataclasses.replace(USUAL, settings={"synchronous_standby_names": "one"}),
            "standbys follow this server",
        ),
    ],
)
def test_no_index_is_called_unused_where_not_all_scans_were_counted(machine: Given, reason: str) -> None:
    said = tables_of(machine)
    assert said.decisions == ()
    (why,) = (sight.because for sight in said.sights if sight.kind == "not judged")
    assert reason in why
    assert "No DROP INDEX is proposed" in why


def test_an_index_is_called_unused_where_all_scans_were_counted() -> None:
    assert [decision.kind for decision in tables_of(USUAL).decisions] == ["unused index"]


def test_a_server_without_counters_is_told_first_that_autovacuum_does_not_run() -> None:
    made: Plan = plan_of_case("50-trackcounts")
    assert made.warnings[0].text.startswith("track_counts = off: autovacuum does not run")
    autovacuum = finding_of(made, "pg.autovacuum")
    assert (autovacuum.state, "does not run at all" in autovacuum.because) == ("advise", True)
    assert "looks after" not in finding_of(made, "host.vacuum_schedule").because
    assert advice_on_tables(made).decisions == ()
    assert texts_of(made, "work_stops")
    assert "First: track_counts = off" in " ".join(plan_table(made, answered=True).split())
