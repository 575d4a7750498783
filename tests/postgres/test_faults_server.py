"""What a server may do to a change: refuse it, be another one by now, not start for a reason of its own."""

import dataclasses
import shutil
import subprocess
from pathlib import Path

import pytest

from faulty_programs import at_journal, shim
from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, gone, machine_of
from shells import EVERY_SHELL
from small_bundles import reword
from tools_here import need

REFUSED, FAILED_AND_UNDONE = 4, 5


def test_case_40_a_later_line_that_wins_is_found_before_anything_is_restarted(
    database: Cluster, tmp_path: Path
) -> None:
    later = database.data_directory / "conf.d" / "zzz-later.conf"
    database.run("sh", "-c", f"echo \"work_mem = '5MB'\" >{later}")
    database.query("SELECT pg_reload_conf()")
    started = database.query("SELECT pg_postmaster_start_time()")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"}, work_mem="5MB")
    ran = machine_of(database, tmp_path / "state").run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert not (database.data_directory / DROP_IN).exists()
    assert database.query("SHOW work_mem") == "5MB"
    assert database.query("SELECT pg_postmaster_start_time()") == started


def test_case_62_a_server_of_another_major_is_left_alone_by_a_rollback(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    assert machine.run(bundle / "apply.sh").status == 0
    started = database.query("SELECT pg_postmaster_start_time()")
    version = database.data_directory / "PG_VERSION"
    upgraded, was = "99\n", version.read_text()
    version.write_text(upgraded)
    ran = machine.run(bundle / "rollback.sh")
    version.write_text(was)
    assert f"planned for PostgreSQL {was.strip()}, found {upgraded.strip()}" in ran.err
    assert not (database.data_directory / DROP_IN).exists()
    assert database.query("SELECT pg_postmaster_start_time()") == started


def test_a_server_that_went_down_meanwhile_stays_down_with_its_former_files(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    at_journal(machine, "done*", f"{gone(database)}; kill -s TERM $PPID")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "was not started" in ran.out
    assert "NOT restored" not in ran.err
    assert not (database.data_directory / DROP_IN).exists()
    assert not database.is_running()
    database.start()
    assert database.query("SHOW work_mem") == "4MB"


def test_a_run_that_is_told_to_stop_while_the_server_restarts_is_undone(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    at_journal(machine, "server stopping", "kill -TERM $PPID")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert database.query("SHOW shared_buffers") == "128MB"
    assert not (database.data_directory / DROP_IN).exists()


def test_a_server_that_lets_nobody_in_gets_its_files_back_and_is_named(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    assert machine.run(bundle / "apply.sh").status == 0
    access = database.data_directory / "pg_hba.conf"
    lets_in = access.read_text()
    access.write_text("local other other trust\n")
    database.restart()
    more = bundle_for(database, tmp_path / "more", {"pg.work_mem": "48MB"}, work_mem="24MB")
    refused = machine.run(more / "apply.sh")
    assert (refused.status, "accepts no connection: psql: error" in refused.err) == (REFUSED, True), (
        refused.said
    )
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, "The server accepts no connection: " in verified.err) == (1, True)
    assert "not known   work_mem: 24MB as planned in the files" in verified.out
    assert "DIFFERS" not in verified.out
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert ran.err.count("The server accepts no connection: ") == 1
    assert "no pg_hba.conf entry" in ran.err
    assert "NOT restored: the server does not run as before" in ran.err
    assert not (database.data_directory / DROP_IN).exists()
    access.write_text(lets_in)
    database.restart()
    assert machine.run(bundle / "rollback.sh").status == 0
    assert database.query("SHOW work_mem") == "4MB"


def test_a_value_of_someone_elses_that_waits_for_a_restart_gives_way_to_the_planned_one(
    database: Cluster, tmp_path: Path
) -> None:
    database.run("sed", "-i", "s/^shared_buffers = .*/shared_buffers = 160MB/", database.config_file)
    database.query("SELECT pg_reload_conf()")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert database.query("SHOW shared_buffers") == "192MB"


def test_a_setting_that_the_running_server_does_not_have_is_refused(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    reword(bundle, "setting|work_mem|", "setting|no_such|")
    machine = machine_of(database, tmp_path / "state")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "no_such: 4096 when planned, found no such setting" in ran.err) == (REFUSED, True)
    text = "no_such: planned 24MB, running not known, configured not (the server does not report it)"
    assert f"DIFFERS     {text}" in machine.run(bundle / "verify.sh").out.splitlines()


def test_files_that_are_broken_while_a_run_is_at_work_do_not_reach_the_server(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    started = database.query("SELECT pg_postmaster_start_time()")
    at_journal(machine, "done*", f"echo no_such = 1 >>{database.config_file}")
    shim(machine, "sleep", ":")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "PostgreSQL does not accept its files: " in ran.err
    assert 'unrecognized configuration parameter "no_such"' in ran.err
    assert database.query("SELECT pg_postmaster_start_time()") == started
    assert not (database.data_directory / DROP_IN).exists()


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_a_server_is_asked_in_every_shell(shell: tuple[str, ...], database: Cluster, tmp_path: Path) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = dataclasses.replace(machine_of(database, tmp_path / "state"), shell=shell)
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert (ran.status, ran.err) == (0, "")


@pytest.mark.slow
def test_a_server_without_a_socket_is_reached_where_it_listens(database: Cluster, tmp_path: Path) -> None:
    with database.config_file.open("a") as config:
        config.write("listen_addresses = '*'\nunix_socket_directories = ''\n")
    # pg_ctl waits for it to listen; psql knows it by its socket alone.
    database.restart()
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert (ran.status, ran.err) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("lacks", ["runuser", "setpriv"])
def test_a_database_that_was_dropped_and_a_missing_program_do_not_keep_it_from_the_server(
    lacks: str, database: Cluster, tmp_path: Path
) -> None:
    # A server is not restarted into another mount namespace than its own: a reload has to do.
    hidden = f'mount --bind /dev/null "$(command -v {lacks})" && exec sh "$@"'
    shell = ("unshare", "-m", "sh", "-c", hidden, "sh")
    need("unshare", "mount")
    if subprocess.run((*shell, "-c", "true"), capture_output=True, check=False).returncode != 0:
        pytest.skip("a program can only be hidden in a mount namespace, which is not to be had here")
    database.query("DROP DATABASE postgres", database="template1")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "8MB"})
    machine = dataclasses.replace(machine_of(database, tmp_path / "state"), shell=shell)
    for script, value in (("apply.sh", "8MB"), ("rollback.sh", "4MB")):
        ran = machine.run(bundle / script)
        assert (ran.status, ran.err) == (0, "")
        assert database.query("SHOW work_mem", database="template1") == value


@pytest.mark.slow
def test_case_64_a_standby_that_cannot_run_with_less_is_back_at_once(
    database: Cluster, make_cluster: MakeCluster, tmp_path: Path
) -> None:
    standby = make_cluster()
    shutil.rmtree(standby.data_directory)
    where = ("-h", database.socket_directory, "-p", str(database.port))
    basebackup = database.programs.bin_directory / "pg_basebackup"
    database.run(basebackup, *where, "-R", "-c", "fast", "-D", database.directory / "copy")
    shutil.move(database.directory / "copy", standby.data_directory)
    with standby.config_file.open("a") as config:
        config.write(f"port = {standby.port}\nmax_connections = 100\n")
        config.write(f"unix_socket_directories = '{standby.socket_directory}'\n")
    standby.start()
    bundle = bundle_for(standby, tmp_path / "bundle", {"pg.max_connections": "40"}, max_connections="100")
    ran = machine_of(standby, tmp_path / "state").run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert "max_connections" in ran.err
    assert standby.query("SHOW max_connections") == "100"
    assert standby.query("SELECT pg_is_in_recovery()") == "t"
    assert not (standby.data_directory / DROP_IN).exists()


@pytest.mark.slow
def test_case_65_a_server_that_cannot_start_at_all_is_not_started_again_and_again(
    database: Cluster, tmp_path: Path
) -> None:
    # Its log is archived when it is stopped: too late to see that this opens the directory, which
    # PostgreSQL does not start with.
    with database.config_file.open("a") as config:
        config.write("archive_mode = on\narchive_command = 'chmod 0777 .'\n")
    database.restart()
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "NOT restored" in ran.err) == (FAILED_AND_UNDONE, True), ran.said
    assert database.log_file.read_text(errors="replace").count("invalid permissions") <= 2
    assert not (database.data_directory / DROP_IN).exists()
    database.data_directory.chmod(0o700)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert database.query("SHOW shared_buffers") == "128MB"
