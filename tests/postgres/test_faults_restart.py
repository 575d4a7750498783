"""A restart that goes wrong or is cut off: the server is up again, and its log is found and read."""

from pathlib import Path

from faulty_programs import at_journal, shim
from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of

FAILED_AND_UNDONE = 5
SECONDS_TO_WAIT = 10
"""For a server to say that it has read its files."""


def gone(database: Cluster) -> str:
    """A command that ends the server, and waits until it has ended."""
    lives = f"read -r postmaster <{database.data_directory}/postmaster.pid && kill -s"
    return f"while {lives} QUIT $postmaster; do sleep 0.1; done 2>/dev/null"


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
    assert database.query("SHOW shared_buffers") == "128MB"
    assert writes_to(database) == database.log_file
    assert not (database.data_directory / DROP_IN).exists()


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
    assert "the server did not take its files; its log says why:" in ran.err
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


def test_the_log_of_a_server_that_collects_it_itself_is_read_from_its_file(
    database: Cluster, tmp_path: Path
) -> None:
    with database.config_file.open("a") as config:
        config.write("logging_collector = on\nlog_directory = 'log'\n")
    database.restart()
    bundle = bundle_for(
        database, tmp_path / "bundle", {"pg.shared_preload_libraries": "nosuchlib"}, logging_collector="on"
    )
    ran = machine_of(database, tmp_path / "state").run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert 'could not access file "nosuchlib"' in ran.err
    assert "NOT restored" not in ran.err
    assert database.query("SHOW shared_preload_libraries") == ""


def test_a_server_whose_errors_go_to_a_program_is_restarted_all_the_same(
    database: Cluster, tmp_path: Path
) -> None:
    database.stop()
    start = f"{database.programs.bin_directory}/pg_ctl -w -D {database.data_directory} start"
    database.run("sh", "-c", f"{start} 2>&1 | (cat >/dev/null 2>&1 &)")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_preload_libraries": "nosuchlib"})
    ran = machine_of(database, tmp_path / "state").run(bundle / "apply.sh")
    assert (ran.status, "its log was not found" in ran.err) == (FAILED_AND_UNDONE, True), ran.said
    assert "NOT restored" not in ran.err
    assert database.query("SHOW shared_preload_libraries") == ""
