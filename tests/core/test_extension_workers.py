"""Extensions' background workers have room beside the parallel ones; servers without them are left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sick_servers import finding_of, plan_of_case
from situations import situation
from small_plans import small_facts, with_settings
from tunewiz.collect.postgres.settings import is_private
from tunewiz.core.facts.server import Setting
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.extension_workers import extension_workers
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, situation_of

KNOWLEDGE = load_knowledge()
OWN = "timescaledb.max_background_workers"


@pytest.mark.parametrize(
    ("libraries", "count"),
    [
        ("", 0),
        ("pg_stat_statements", 0),
        ("pg_stat_monitor", 0),
        ("timescaledb", 19),
        ("pg_stat_statements, '$libdir/timescaledb.so'", 19),
        ("citus", 5),
        ("citus, timescaledb", 24),
    ],
)
def test_loaded_extensions_are_counted(libraries: str, count: int) -> None:
    loaded = situation(Given(settings={"shared_preload_libraries": libraries.replace("'", '"')}))
    assert extension_workers(loaded).count == count


@settings(max_examples=40)
@given(st.integers(1, 64), st.integers(1, 64), st.sampled_from(["citus", "timescaledb"]))
def test_a_plan_has_room_for_them_and_all_parallel_workers(cores: int, processes: int, library: str) -> None:
    machine = Given(
        cores=cores,
        connections=100,
        workload="analytics",
        memory="1024GB",
        settings={"shared_preload_libraries": library, "max_worker_processes": str(processes)},
    )
    end = plan_of(KNOWLEDGE.catalogue, situation(machine)).end
    wanted = int(end.will_be("max_parallel_workers")) + extension_workers(end).count
    assert int(end.will_be("max_worker_processes")) >= wanted


def test_what_the_server_set_itself_counts() -> None:
    facts = small_facts(Given(settings={"shared_preload_libraries": "timescaledb"}))
    (server,) = facts.postgres
    tuned = with_settings(server, **{OWN: Setting(value="40", source="configuration file")})
    start = situation_of(small_facts(settings=tuned.settings), default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    assert extension_workers(start).words == "3 + 40 of TimescaleDB"


def test_the_number_is_read_and_other_settings_of_extensions_stay_private() -> None:
    assert not is_private(OWN)
    assert is_private("timescaledb.license")
    assert is_private("myapp.password")


def test_timescaledb_gets_what_its_documentation_computes() -> None:
    made = plan_of_case("ts-workers")
    assert made.end.will_be("max_worker_processes") == "51"
    assert "3 + 16 of TimescaleDB" in finding_of(made, "pg.max_worker_processes").because
    assert "TimescaleDB locks every chunk" in finding_of(made, "pg.max_locks_per_transaction").because
