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
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.extension_workers import extension_workers
from tunewiz.core.server.shared_memory import shared_overhead
from tunewiz.core.values.units import MIB
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
        ("pg_cron", 1),
        ("pg_squeeze", 2),
        ("pg_partman_bgw", 2),
        ("pg_cron, pg_stat_statements, pg_squeeze, pg_partman_bgw, citus", 10),
    ],
)
def test_loaded_extensions_are_counted(libraries: str, count: int) -> None:
    loaded = situation(Given(settings={"shared_preload_libraries": libraries.replace("'", '"')}))
    assert extension_workers(loaded).count == count


LIBRARIES = ("citus", "timescaledb", "pg_cron", "pg_squeeze", "pg_partman_bgw", "pg_stat_statements")


@settings(max_examples=40)
@given(
    st.integers(1, 64), st.integers(1, 64), st.lists(st.sampled_from(LIBRARIES), unique=True).map(",".join)
)
def test_a_plan_has_room_for_them_and_all_parallel_workers(
    cores: int, processes: int, libraries: str
) -> None:
    machine = Given(
        cores=cores,
        connections=100,
        workload="analytics",
        memory="1024GB",
        settings={"shared_preload_libraries": libraries, "max_worker_processes": str(processes)},
    )
    end = plan_of(KNOWLEDGE.catalogue, situation(machine)).end
    wanted = int(end.will_be("max_parallel_workers")) + extension_workers(end).count
    assert int(end.will_be("max_worker_processes")) >= wanted


def test_what_the_server_set_itself_counts() -> None:
    assert extension_workers(of_server("timescaledb", {OWN: "40"})).words == "3 + 40 of TimescaleDB"


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"cron.use_background_workers": "on"}, "33 of pg_cron"),
        ({"cron.use_background_workers": "on", "cron.max_running_jobs": "5"}, "6 of pg_cron"),
        ({"cron.use_background_workers": "off", "cron.max_running_jobs": "5"}, "1 of pg_cron"),
        ({"cron.max_running_jobs": "5"}, "1 of pg_cron"),
        ({"cron.use_background_workers": "on", "cron.max_running_jobs": "x"}, "33 of pg_cron"),
        ({}, "1 of pg_cron"),
    ],
)
def test_a_job_of_pg_cron_counts_only_where_it_is_a_worker(own: dict[str, str], words: str) -> None:
    assert extension_workers(of_server("pg_cron", own)).words == words


@pytest.mark.parametrize(
    ("libraries", "own", "mebibytes"),
    [
        ("pg_stat_monitor", {}, 276),
        ("pg_cron,pg_stat_monitor", {"pg_stat_monitor.pgsm_max": "1024"}, 1044),
        ("pg_stat_monitor", {"pg_stat_monitor.pgsm_query_shared_buffer": "100"}, 356),
        ("pg_stat_statements", {"pg_stat_monitor.pgsm_max": "1024"}, 0),
        ("", {}, 0),
    ],
)
def test_the_memory_of_pg_stat_monitor_lies_beside_the_buffers(
    libraries: str, own: dict[str, str], mebibytes: int
) -> None:
    start = of_server(libraries, own)
    without = of_server("", {})
    buffers = start.will_be_size("shared_buffers")
    more = shared_overhead(start, buffers) - shared_overhead(without, buffers)
    assert more.count == mebibytes * MIB


def of_server(libraries: str, own: dict[str, str]) -> Situation:
    facts = small_facts(Given(settings={"shared_preload_libraries": libraries}))
    (server,) = facts.postgres
    tuned = with_settings(
        server, **{name: Setting(value=value, source="configuration file") for name, value in own.items()}
    )
    return situation_of(small_facts(settings=tuned.settings), default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def test_the_number_is_read_and_other_settings_of_extensions_stay_private() -> None:
    assert not is_private(OWN)
    assert not any(map(is_private, ("cron.max_running_jobs", "squeeze.workers_per_database")))
    assert is_private("timescaledb.license")
    assert is_private("cron.host")
    assert is_private("myapp.password")


def test_timescaledb_gets_what_its_documentation_computes() -> None:
    made = plan_of_case("ts-workers")
    assert made.end.will_be("max_worker_processes") == "51"
    assert "3 + 16 of TimescaleDB" in finding_of(made, "pg.max_worker_processes").because
    assert "TimescaleDB locks every chunk" in finding_of(made, "pg.max_locks_per_transaction").because
