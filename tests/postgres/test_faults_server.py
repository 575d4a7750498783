"""What a server may do to a change: refuse it, be another one by now, not start for a reason of its own."""

import shutil
from pathlib import Path

import pytest

from faulty_programs import at_journal
from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of

FAILED_AND_UNDONE = 5


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
    lives = f"read -r postmaster <{database.data_directory}/postmaster.pid && kill -s"
    gone = f"while {lives} QUIT $postmaster; do sleep 0.1; done 2>/dev/null"
    at_journal(machine, "done*", f"{gone}; kill -s TERM $PPID")
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
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert ran.err.count("The server takes no connection: ") == 1
    assert "no pg_hba.conf entry" in ran.err
    assert "NOT restored: the server does not run as before" in ran.err
    assert not (database.data_directory / DROP_IN).exists()
    access.write_text(lets_in)
    database.restart()
    assert machine.run(bundle / "rollback.sh").status == 0
    assert database.query("SHOW work_mem") == "4MB"


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
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.shared_buffers": "192MB"})
    machine = machine_of(database, tmp_path / "state")
    # Someone opens the data directory to all while the files are put in place: PostgreSQL refuses such a one.
    opened = f'case "$*" in *zz-tunewiz*) chmod 0777 {database.data_directory} ;; esac'
    machine.write("/usr/bin/mv", f'#!/bin/sh\n/bin/mv "$@" || exit\n{opened}\n')
    machine.path("/usr/bin/mv").chmod(0o755)
    ran = machine.run(bundle / "apply.sh")
    machine.path("/usr/bin/mv").unlink()
    assert (ran.status, "NOT restored" in ran.err) == (FAILED_AND_UNDONE, True), ran.said
    assert database.log_file.read_text(errors="replace").count("invalid permissions") <= 2
    assert not (database.data_directory / DROP_IN).exists()
    database.data_directory.chmod(0o700)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert database.query("SHOW shared_buffers") == "128MB"
