"""Libraries that a bundle has the server load: they do their work, and rollback takes them out again."""

import dataclasses
from pathlib import Path

import pytest

from inherited_state import wait_until
from live_servers import the_server_alone, value
from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, facts_for, machine_of
from small_bundles import bundle_of
from small_plans import small_plan, with_settings
from tunewiz.core.facts.server import Setting

SETTING = "shared_preload_libraries"
BOTH = "pg_stat_statements, pg_prewarm"
FAILED_AND_UNDONE = 5
FIRST_AUTOPREWARM = 11


@pytest.fixture
def machine(database: Cluster, tmp_path: Path) -> PretendRoot:
    return machine_of(database, tmp_path / "state")


def need(database: Cluster, *names: str) -> None:
    installed = database.query("select string_agg(name, ' ') from pg_available_extensions").split()
    missing = [name for name in names if name not in installed]
    if missing:
        pytest.skip(f"not installed beside this server: {', '.join(missing)}")


def loaded(database: Cluster) -> str:
    return database.query(f"SHOW {SETTING}")


def read_back(database: Cluster) -> bool:
    """Whether a start has read the cache back: the worker says so when it is done, and is in no view."""
    return "autoprewarm successfully prewarmed" in database.log_file.read_text()


def test_what_is_installed_is_collected(database: Cluster) -> None:
    need(database, "pg_prewarm", "pg_stat_statements")
    assert value(the_server_alone(database).extensions) == ("pg_prewarm", "pg_stat_statements")


def test_the_libraries_are_loaded_and_gone_again(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need(database, "pg_prewarm", "pg_stat_statements")
    if int(database.programs.major.split(".")[0]) < FIRST_AUTOPREWARM:
        pytest.skip("this PostgreSQL has no autoprewarm")
    bundle = bundle_for(database, tmp_path / "bundle", {f"pg.{SETTING}": BOTH})
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err, loaded(database)) == (0, "", BOTH)
    database.query("create extension pg_stat_statements")
    assert int(database.query("select count(*) from pg_stat_statements")) > 0
    assert machine.run(bundle / "verify.sh").status == 0
    database.restart()
    wait_until(lambda: read_back(database))
    database.query("drop extension pg_stat_statements")
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err, loaded(database)) == (0, "", "")
    assert not (database.data_directory / DROP_IN).exists()


def test_what_somebody_else_loads_stays_in_front_and_comes_back(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need(database, "pg_stat_statements")
    database.config_file.write_text(f"{SETTING} = 'auto_explain'\n{database.config_file.read_text()}")
    database.restart()
    all_three = f"auto_explain, {BOTH}"
    bundle = bundle_for(
        database, tmp_path / "bundle", {f"pg.{SETTING}": all_three}, **{SETTING: "auto_explain"}
    )
    assert machine.run(bundle / "apply.sh").status == 0
    assert loaded(database) == all_three
    assert database.query("SHOW auto_explain.log_min_duration") == "-1"
    assert machine.run(bundle / "rollback.sh").status == 0
    assert loaded(database) == "auto_explain"


def test_one_library_goes_where_alter_system_put_the_list(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need(database, "pg_stat_statements")
    database.query(f"alter system set {SETTING} = auto_explain")
    database.restart()
    automatic = database.data_directory / "postgresql.auto.conf"
    before = automatic.read_bytes()
    set_there = Setting(
        value="auto_explain", source="configuration file", sourcefile="/data/postgresql.auto.conf:3"
    )
    facts = facts_for(database)
    servers = tuple(with_settings(server, **{SETTING: set_there}) for server in facts.postgres)
    plan = small_plan(dataclasses.replace(facts, postgres=servers), {f"pg.{SETTING}": "pg_stat_statements"})
    bundle = bundle_of(plan, tmp_path / "bundle")
    assert machine.run(bundle / "apply.sh").status == 0
    assert loaded(database) == "pg_stat_statements"
    assert machine.run(bundle / "rollback.sh").status == 0
    assert (loaded(database), automatic.read_bytes()) == ("auto_explain", before)


def test_a_library_that_is_not_there_does_not_keep_the_server_down(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {f"pg.{SETTING}": "no_such_library"})
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "no_such_library" in ran.err
    assert loaded(database) == ""
    assert not (database.data_directory / DROP_IN).exists()
