"""What people read at the end of each script: how many changes stand, by a look at the machine alone."""

import dataclasses
import re
from pathlib import Path

import pytest

from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of
from shells import EVERY_SHELL

RESTARTED = {"pg.shared_buffers": "256MB", "pg.work_mem": "24MB"}
RELOADED = {"pg.checkpoint_timeout": "15min", "pg.work_mem": "24MB"}
CHANGES = ["  shared_buffers 128MB -> 256MB", "  work_mem 4MB -> 24MB"]


@pytest.fixture
def machine(database: Cluster, tmp_path: Path) -> PretendRoot:
    return machine_of(database, tmp_path / "state")


def test_all_that_changed_is_told_in_units_with_the_restart_and_a_count(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", RESTARTED)
    *_, first, second, restarted, count, _next = machine.run(bundle / "apply.sh").out.splitlines()
    assert [first, second] == CHANGES
    assert re.fullmatch(r"restarted \(pg_ctl as \w+\): up after \d+\.\d s", restarted)
    assert count == "2 of 2 in force"
    assert machine.run(bundle / "verify.sh").out.splitlines()[-1] == "2 of 2 as planned, also after a reboot"
    *_, restarted, count, _last = machine.run(bundle / "rollback.sh").out.splitlines()
    assert re.fullmatch(r"restarted \(pg_ctl as \w+\): up after \d+\.\d s", restarted)
    assert count == "2 of 2 as before"


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_no_restart_is_told_where_none_was_made(
    shell: tuple[str, ...], database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    bundle = bundle_for(database, tmp_path / "bundle", RELOADED)
    assert machine.run(bundle / "apply.sh").out.splitlines()[-4:-1] == [
        "  checkpoint_timeout 5min -> 15min",
        "  work_mem 4MB -> 24MB",
        "2 of 2 in force",
    ]
    undone = machine.run(bundle / "rollback.sh")
    assert (undone.out.splitlines()[-2], "restarted" in undone.out) == ("2 of 2 as before", False)


@pytest.mark.parametrize("shell", EVERY_SHELL)
@pytest.mark.parametrize(("prefix", "told"), [("%m [%p] ", "'%m [%p] '"), ("%m [%p]:", "%m [%p]:")])
def test_a_value_that_ends_with_a_blank_is_told_in_quotes(
    prefix: str, told: str, shell: tuple[str, ...], database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    config = database.config_file
    config.write_text(f"log_line_prefix = 'x '\n{config.read_text()}")
    database.query("SELECT pg_reload_conf()")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.log_line_prefix": prefix}, log_line_prefix="x ")
    applied = machine.run(bundle / "apply.sh")
    assert f"  log_line_prefix 'x ' -> {told}" in applied.out.splitlines(), applied.said


def test_what_waits_for_a_restart_is_not_counted_as_in_force(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", RESTARTED)
    applied = machine.run(bundle / "apply.sh", "--no-restart").out.splitlines()
    assert applied[-3:-1] == [CHANGES[1], "1 of 2 in force; not yet: shared_buffers"]
    assert machine.run(bundle / "verify.sh").out.splitlines()[-1] == "1 of 2 as planned"


def test_a_run_that_goes_on_after_a_cut_tells_what_was_there_before_the_first(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", RELOADED)
    assert machine.run(bundle / "apply.sh").status == 0
    (own,) = (journal.parent for journal in machine.state.glob("*/journal"))
    whole = (own / "journal").read_text()
    (own / "journal").write_text(whole.removesuffix("applied\n"))
    (own / "applied").unlink()
    assert machine.run(bundle / "apply.sh").out.splitlines()[-3:-1] == [
        "  work_mem 4MB -> 24MB",
        "2 of 2 in force",
    ]


def test_no_count_says_as_before_where_others_have_changed_a_value(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", RELOADED)
    assert machine.run(bundle / "apply.sh").status == 0
    database.query("ALTER SYSTEM SET work_mem = '99MB'")
    database.query("SELECT pg_reload_conf()")
    assert machine.run(bundle / "verify.sh").out.splitlines()[-1] == "1 of 2 as planned"
    undone = machine.run(bundle / "rollback.sh")
    assert (undone.status, "as before" in undone.out) == (4, False)


def test_the_files_of_a_server_that_is_down_are_counted_as_before_and_nothing_is_in_force(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", RELOADED)
    assert machine.run(bundle / "apply.sh").status == 0
    database.stop()
    assert machine.run(bundle / "rollback.sh").out.splitlines()[-2] == "2 of 2 as before"
    assert (
        "0 of 2 in force; not yet: checkpoint_timeout, work_mem"
        in machine.run(bundle / "apply.sh").out.splitlines()
    )
