"""A restart that goes wrong or is cut off: the server is up again, and its log is found and read."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from faulty_programs import at_journal, become_owner, shim, when_owner_runs
from killed_servers import kill_server, postmaster_of, start_after_kill
from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, gone, machine_of
from small_bundles import give_up_after
from tools_here import path_of

FAILED_AND_UNDONE = 5
SECONDS_TO_WAIT = 10
"""For a server to say that it has read its files."""


def kill_while_it_is_down(database: Cluster, machine: PretendRoot, bundle: Path) -> None:
    at_journal(machine, "server stopping", f"{gone(database)}; kill -KILL $PPID")
    assert machine.run(bundle / "apply.sh").status < 0
    machine.path("/usr/bin/sync").unlink()
    assert not database.is_running()


def writes_to(database: Cluster) -> Path:
    """Where the server's errors go."""
    number = (database.data_directory / "postmaster.pid").read_text().split()[0]
    return Path(f"/proc/{number}/fd/2").readlink()


def test_a_run_that_was_killed_while_the_server_was_down_is_finished_or_taken_back(
    database: Cluster, tmp_path: Path
) -> None:
    with database.config_file.open("a") as config:
        config.write("log_checkpoints = on\n")
    database.restart()
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"}, log_checkpoints="on")
    machine = machine_of(database, tmp_path / "state")
    kill_while_it_is_down(database, machine, bundle)
    finished = machine.run(bundle / "apply.sh")
    assert (finished.status, finished.err) == (0, "")
    assert database.query("SHOW shared_buffers") == "192MB"
    assert writes_to(database) == database.log_file
    assert machine.run(bundle / "rollback.sh").status == 0
    # What could be written while it ran was written before it was stopped.
    log = database.log_file.read_text()
    assert log.rindex("checkpoint starting: immediate force wait") < log.rindex("received fast shutdown")
    kill_while_it_is_down(database, machine, bundle)
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    result = [line for line in restored.out.splitlines() if line.startswith("The server has been down")]
    assert result == ["The server has been down since our restart: starting it with its former files."]
    assert database.query("SHOW shared_buffers") == "128MB"
    assert writes_to(database) == database.log_file
    assert not (database.data_directory / DROP_IN).exists()


def start_and_stop(database: Cluster) -> None:
    database.start()
    database.stop()


def start_and_kill(database: Cluster) -> None:
    database.start()
    kill_server(database)


@pytest.mark.parametrize("persons_do", [start_and_stop, start_and_kill])
@pytest.mark.parametrize(
    ("script", "says"),
    [
        (
            "rollback.sh",
            "Restored. The server was running when this was applied, and someone else has stopped",
        ),
        ("apply.sh", "The server is down: the settings take effect when it is started."),
    ],
)
def test_a_server_that_persons_started_after_such_a_run_and_that_is_down_again_is_left_down(
    script: str, says: str, persons_do: Callable[[Cluster], None], database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    kill_while_it_is_down(database, machine, bundle)
    persons_do(database)
    ran = machine.run(bundle / script)
    assert (ran.status, says in ran.out) == (0, True), ran.said
    assert postmaster_of(database) is None
    start_after_kill(database)
    assert database.query("SHOW shared_buffers") == {"rollback.sh": "128MB", "apply.sh": "192MB"}[script]
    assert machine.run(bundle / "rollback.sh").status in {0, 3}
    assert database.query("SHOW shared_buffers") == "128MB"


def start_that_fails(database: Cluster) -> None:
    """Its process has written that it starts, and ends before it has touched the data."""
    settings = database.data_directory / "postgresql.auto.conf"
    before = settings.read_text()
    settings.write_text(before + "shared_preload_libraries = 'no_such_library'\n")
    with pytest.raises(AssertionError):
        database.start()
    settings.write_text(before)


def nothing(_: Cluster) -> None:
    """Nobody looked after it."""


@pytest.mark.parametrize("persons_do", [start_that_fails, nothing])
def test_a_server_that_has_not_run_since_such_a_run_is_started(
    persons_do: Callable[[Cluster], None], database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    kill_while_it_is_down(database, machine, bundle)
    persons_do(database)
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, ""), ran.said
    assert "The server has been down since our restart" in ran.out
    assert database.query("SHOW shared_buffers") == "128MB"


@pytest.mark.slow
def test_a_server_that_does_not_take_its_files_is_given_its_time_and_then_named(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    assert machine.run(bundle / "apply.sh").status == 0
    with database.config_file.open("a") as config:
        config.write("no_such_setting = 1\n")
    waited = tmp_path / "waited"
    shim(machine, "sleep", f'echo "$1" >>{waited}')
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "the server did not accept its files; its log says why:" in ran.err
    assert 'unrecognized configuration parameter "no_such_setting"' in ran.err
    assert "NOT restored: the server does not run as before" in ran.err
    assert round(sum(map(float, waited.read_text().split()))) == SECONDS_TO_WAIT
    assert not (database.data_directory / DROP_IN).exists()


def test_a_dry_run_does_not_even_have_the_server_read_its_files(database: Cluster, tmp_path: Path) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    loaded = database.query("SELECT pg_conf_load_time()")
    assert machine.run(bundle / "apply.sh", "--dry-run").status == 0
    assert database.query("SELECT pg_conf_load_time()") == loaded
    assert machine.run(bundle / "apply.sh").status == 0
    loaded = database.query("SELECT pg_conf_load_time()")
    assert machine.run(bundle / "rollback.sh", "--dry-run").status == 0
    assert database.query("SELECT pg_conf_load_time()") == loaded
    assert database.query("SHOW work_mem") == "24MB"


def library_that_goes_with_the_stop(database: Cluster) -> str:
    """Found by a start that is only tried, and gone at the real one; the server is started after this."""
    packaged = database.query("SELECT setting FROM pg_config WHERE name = 'PKGLIBDIR'")
    library = database.directory / "gone.so"
    database.run("cp", f"{packaged}/auto_explain.so", library)
    with database.config_file.open("a") as config:
        config.write(f"archive_mode = on\narchive_command = 'rm -f {library}'\n")
    return str(library)


def test_the_log_of_a_server_that_collects_it_itself_is_read_from_its_file(
    database: Cluster, tmp_path: Path
) -> None:
    with database.config_file.open("a") as config:
        config.write("logging_collector = on\nlog_directory = 'log'\n")
    library = library_that_goes_with_the_stop(database)
    database.restart()
    bundle = bundle_for(
        database, tmp_path / "bundle", {"pg.shared_preload_libraries": library}, logging_collector="on"
    )
    ran = machine_of(database, tmp_path / "state").run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "the server did not come up: " in ran.err
    assert f'could not access file "{library}"' in ran.err
    assert "NOT restored" not in ran.err
    assert database.query("SHOW shared_preload_libraries") == ""


@pytest.mark.slow
def test_a_server_whose_errors_go_to_a_program_is_restarted_all_the_same(
    database: Cluster, tmp_path: Path
) -> None:
    library = library_that_goes_with_the_stop(database)
    database.stop()
    start = f"{database.programs.bin_directory}/pg_ctl -w -D {database.data_directory} start"
    database.run("sh", "-c", f"{start} 2>&1 | (cat >/dev/null 2>&1 &)")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_preload_libraries": library})
    ran = machine_of(database, tmp_path / "state").run(bundle / "apply.sh")
    assert (ran.status, "its log was not found" in ran.err) == (FAILED_AND_UNDONE, True), ran.said
    assert "NOT restored" not in ran.err
    assert database.query("SHOW shared_preload_libraries") == ""


def test_a_server_whose_control_program_refuses_runs_on_with_its_former_files(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine, started = machine_of(database, tmp_path / "state"), start_of(database)
    when_owner_runs(machine, "pg_ctl -s restart", "echo I will not; exit 1")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "the server was not restarted: I will not" in ran.err) == (FAILED_AND_UNDONE, True)
    assert "did not come up" not in ran.err
    assert "NOT restored" not in ran.err
    assert start_of(database) == started
    assert not (database.data_directory / DROP_IN).exists()
    at_journal(machine, "undo*", "kill -KILL $PPID")
    assert machine.run(bundle / "apply.sh").status < 0
    # From here on it is not we who stopped it.
    database.stop()
    shutil.rmtree(machine.path("/usr"))
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    assert not database.is_running()
    assert not (database.data_directory / DROP_IN).exists()


def start_of(database: Cluster) -> str:
    return database.query("SELECT pg_postmaster_start_time()")


@pytest.mark.slow
def test_a_server_that_takes_no_connection_at_first_is_waited_for(database: Cluster, tmp_path: Path) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine, access = machine_of(database, tmp_path / "state"), database.data_directory / "pg_hba.conf"
    at_journal(machine, "server stopping", f"cp -p {access} {access}.away; echo local x x trust >{access}")
    number = f"$(head -n 1 {database.data_directory}/postmaster.pid)"
    shim(machine, "sleep", f'mv {access}.away {access}; kill -HUP {number}; exec /bin/sleep "$@"')
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert database.query("SHOW shared_buffers") == "192MB"


def test_a_value_that_the_server_does_not_take_though_its_files_gave_it_is_taken_back(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    # After the files were proved to give it, and before the server reads them.
    line = f"echo work_mem = 7MB >>{database.data_directory}/postgresql.auto.conf"
    when_owner_runs(machine, "pg_reload_conf", line)
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "work_mem: planned 24MB, the server has 7MB" in ran.err
    assert not (database.data_directory / DROP_IN).exists()
    assert database.query("SHOW work_mem") == "7MB"


def test_what_the_role_that_asks_has_in_its_own_sessions_is_not_taken_for_the_servers(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    where = f"-h {database.socket_directory} -p {database.port} -U {database.os_user} -d postgres"
    sql = f"ALTER ROLE {database.os_user} SET work_mem = '7MB'"
    at_journal(machine, "done*", f'{database.programs.psql} {where} -qc "{sql}"')
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.run(bundle / "verify.sh").status == 0
    assert database.query("SHOW work_mem") == "7MB"


@pytest.mark.slow
def test_a_server_that_never_answers_is_given_up_and_gets_its_former_files(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine, number = machine_of(database, tmp_path / "state"), database.data_directory / "postmaster.pid"
    give_up_after(bundle, 20)
    first = tmp_path / "first"
    first.touch()
    # Nothing says where it listens, until its log is looked into.
    hides = f"[ ! -e {first} ] || {{ rm {first}; cp -p {number} {number}.away; sed -i '2,$d' {number}; }}"
    for text in become_owner():
        owner = path_of(text)
        shim(
            machine,
            text,
            f'case "$*" in *"pg_ctl -s restart"*) {owner} "$@"; {hides}; exit ;;'
            f' *"tail -n 20"*) mv {number}.away {number} ;; esac\nexec {owner} "$@"',
        )
    shim(machine, "sleep", ":")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "the server did not come up" in ran.err) == (FAILED_AND_UNDONE, True), ran.said
    assert ran.err.endswith("Undoing what was done.\nEverything is as it was before.\n")
    assert not (database.data_directory / DROP_IN).exists()
    assert database.query("SHOW shared_buffers") == "128MB"
    assert machine.run(bundle / "rollback.sh").status == 3
