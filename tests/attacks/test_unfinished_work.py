"""A rollback that could not finish says so every time, until the running server has what it had before."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from faulty_programs import at_journal, when_owner_runs
from pretend_root import PretendRoot, Ran
from real_postgres import Cluster, Layout
from real_subject import MakeSubject, Way
from server_in_root import DROP_IN, bundle_for, machine_of
from tools_here import need

pytestmark = pytest.mark.slow

RESTORED, ALREADY, NOT_RESTORED = 0, 3, 5
RELOADED, RESTARTED = {"pg.work_mem": "24MB"}, {"pg.shared_buffers": "192MB"}
LAYOUTS = (
    pytest.param("plain", "drop-in", id="initdb, drop-in"),
    pytest.param("plain", "ALTER SYSTEM", id="initdb, ALTER SYSTEM"),
    pytest.param("debian", "drop-in", id="Debian, drop-in", marks=pytest.mark.slow),
)


def claims(ran: Ran) -> bool:
    """Whether it says that all is well."""
    return ran.status in {RESTORED, ALREADY} or "as it was before" in ran.said


@pytest.mark.parametrize(("layout", "way"), LAYOUTS)
def test_case_85_a_broken_file_of_someone_elses_keeps_it_from_being_called_restored(
    layout: Layout, way: Way, make_subject: MakeSubject
) -> None:
    subject = make_subject(layout, way=way)
    bundle, config = subject.bundle(RELOADED), subject.cluster.config_file
    assert subject.run(bundle / "apply.sh").status == 0
    sound = config.read_text()
    config.write_text(f"{sound}no_such_setting = 1\n")
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh")
        assert (ran.status, claims(ran)) == (NOT_RESTORED, False), ran.said
        assert subject.show()["work_mem"] == "24MB"
    config.write_text(sound)
    finished = subject.run(bundle / "rollback.sh")
    assert (finished.status, finished.err) == (RESTORED, "")
    assert subject.show()["work_mem"] == "4MB"
    assert subject.run(bundle / "rollback.sh").status == ALREADY


def nobody_is_let_in(database: Cluster, _machine: PretendRoot) -> Callable[[], None]:
    need("kill")
    access = database.data_directory / "pg_hba.conf"
    lets_in = access.read_text()
    access.write_text("local other other trust\n")
    subprocess.run(
        ["kill", "-HUP", (database.data_directory / "postmaster.pid").read_text().split()[0]], check=True
    )

    def undo() -> None:
        access.write_text(lets_in)
        database.restart()

    return undo


def the_reload_is_refused(_database: Cluster, machine: PretendRoot) -> Callable[[], None]:
    return when_owner_runs(machine, "pg_reload_conf", "exit 1")


def the_run_is_killed_before_the_reload(_database: Cluster, machine: PretendRoot) -> Callable[[], None]:
    at_journal(machine, "undone*", "kill -KILL $PPID")
    return machine.path("/usr/bin/sync").unlink


WHILE = (nobody_is_let_in, the_reload_is_refused, the_run_is_killed_before_the_reload)


@pytest.mark.parametrize("hinder", WHILE)
def test_case_85_whatever_keeps_it_from_the_reload_is_outstanding_until_the_reload_was_made(
    hinder: Callable[[Cluster, PretendRoot], Callable[[], None]], database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RELOADED),
        machine_of(database, tmp_path / "state"),
    )
    assert machine.run(bundle / "apply.sh").status == 0
    undo = hinder(database, machine)
    first = machine.run(bundle / "rollback.sh")
    assert (first.status in {RESTORED, ALREADY}, "as it was before" in first.said) == (False, False), (
        first.said
    )
    assert not (database.data_directory / DROP_IN).exists()
    undo()
    finished = machine.run(bundle / "rollback.sh")
    assert (finished.status, finished.err) == (RESTORED, "")
    assert database.query("SHOW work_mem") == "4MB"


def test_case_85_a_restart_that_was_refused_is_made_by_the_next_rollback(
    database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RESTARTED),
        machine_of(database, tmp_path / "state"),
    )
    assert machine.run(bundle / "apply.sh").status == 0
    let_it_restart = when_owner_runs(machine, "pg_ctl -s restart", "exit 1")
    for _ in range(2):
        ran = machine.run(bundle / "rollback.sh")
        assert (ran.status, claims(ran)) == (NOT_RESTORED, False), ran.said
        assert database.query("SHOW shared_buffers") == "192MB"
    let_it_restart()
    assert machine.run(bundle / "rollback.sh").status == RESTORED
    assert database.query("SHOW shared_buffers") == "128MB"


@pytest.mark.parametrize("wanted", [RELOADED, RESTARTED], ids=["reload", "restart"])
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-", ">/dev/full 2>&1"])
def test_case_85_a_closed_or_full_output_does_not_keep_it_from_its_work(
    closed: str, wanted: dict[str, str], make_subject: MakeSubject
) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(wanted), subject.show()
    for script in ("apply.sh", "rollback.sh"):
        ran = subject.run(bundle / script, before=("sh", "-c", f'exec "$@" {closed}', "sh"))
        assert ran.status == 0, ran.said
        assert (subject.show() == before) is (script == "rollback.sh")
    assert subject.run(bundle / "rollback.sh").status == ALREADY


def test_case_85_an_apply_that_is_undone_while_nobody_is_let_in_is_not_called_undone(
    database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RELOADED),
        machine_of(database, tmp_path / "state"),
    )
    access = database.data_directory / "pg_hba.conf"
    lets_in = access.read_text()
    at_journal(
        machine,
        "done*",
        f"echo local x x trust >{access}; kill -HUP $(head -n 1 {access.parent}/postmaster.pid); sleep 1",
    )
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "as it was before" in ran.said) == (NOT_RESTORED, False), ran.said
    access.write_text(lets_in)
    database.restart()
    machine.path("/usr/bin/sync").unlink()
    assert machine.run(bundle / "rollback.sh").status == RESTORED
    assert database.query("SHOW work_mem") == "4MB"


def test_a_rollback_of_what_nobody_hinders_needs_no_second_run(database: Cluster, tmp_path: Path) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", RELOADED),
        machine_of(database, tmp_path / "state"),
    )
    assert machine.run(bundle / "apply.sh").status == 0
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, ran.err, ran.out.splitlines()[-1]) == (
        RESTORED,
        "",
        "Everything is as it was before.",
    )
    assert machine.run(bundle / "rollback.sh").status == ALREADY


@pytest.mark.parametrize("wanted", [RELOADED, RESTARTED], ids=["reload", "restart"])
def test_case_93_without_a_restart_what_waits_is_named_and_nothing_is_called_as_before(
    wanted: dict[str, str], database: Cluster, tmp_path: Path
) -> None:
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", wanted),
        machine_of(database, tmp_path / "state"),
    )
    waits = wanted is RESTARTED
    applied = machine.run(bundle / "apply.sh", "--no-restart")
    text = "NOT in force yet, waiting for a restart of the server: shared_buffers"
    assert (applied.status, text in applied.out.splitlines()) == (0, waits)
    assert machine.run(bundle / "rollback.sh").status == RESTORED
    assert machine.run(bundle / "apply.sh").status == 0
    ran = machine.run(bundle / "rollback.sh", "--no-restart")
    assert (ran.status, "as it was before" in ran.said) == (0, not waits)
    left = "Restored, except for what needs a restart of the server, which is left to you: shared_buffers"
    assert (left in ran.out.splitlines()) is waits
    database.restart()
    assert machine.run(bundle / "rollback.sh").status == (RESTORED if waits else ALREADY)
