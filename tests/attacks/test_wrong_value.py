"""What the server has is told, not what the session that asks has by its role or database."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures_postgres import MakeCluster
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

pytestmark = pytest.mark.slow

OTHERS = (
    "ALTER ROLE {role} SET work_mem = '99MB'",
    "ALTER DATABASE postgres SET work_mem = '98MB'",
    "ALTER ROLE {role} IN DATABASE postgres SET work_mem = '97MB'",
    "ALTER ROLE ALL SET work_mem = '96MB'",
)


def leave_open(_database: Cluster) -> None:
    """A connection for replication tells what the server has."""


def closed_to_replication(database: Cluster) -> None:
    """From then on only the server's files tell what its sessions hide."""
    access = database.data_directory / "pg_hba.conf"
    lines = access.read_text().splitlines(keepends=True)
    access.write_text("".join(line for line in lines if "replication" not in line))
    database.query("SELECT pg_reload_conf()")


@pytest.mark.parametrize("closing", [leave_open, closed_to_replication], ids=["asked", "by its files"])
@pytest.mark.parametrize("other", OTHERS, ids=["role", "database", "both", "all roles"])
def test_case_83_a_value_of_the_role_that_asks_is_not_taken_for_the_servers(
    other: str,
    closing: Callable[[Cluster], None],
    database: Cluster,
    tmp_path: Path,
) -> None:
    closing(database)
    database.query(other.format(role=database.os_user))
    wanted = {"pg.work_mem": "24MB", "pg.random_page_cost": "1.1"}
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", wanted),
        machine_of(database, tmp_path / "state"),
    )
    ran = machine.run(bundle / "apply.sh", "--confirm-within", "5", "--watcher")
    assert (ran.status, ran.err) == (0, "")
    ran = machine.run(bundle / "verify.sh")
    assert (ran.status, ran.err) == (0, "")
    assert "as planned  work_mem: 24MB" in ran.out
    ran = machine.run(bundle / "apply.sh", "--confirm")
    assert (ran.status, ran.err) == (0, "")
    assert machine.run(bundle / "rollback.sh").status == 0


def test_case_83_a_value_of_the_role_does_not_hide_that_the_server_lost_ours(
    database: Cluster, tmp_path: Path
) -> None:
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.work_mem": "24MB"})
    machine = machine_of(database, tmp_path / "state")
    assert machine.run(bundle / "apply.sh").status == 0
    database.query(f"ALTER ROLE {database.os_user} SET work_mem = '24MB'")
    (database.data_directory / "conf.d" / "zz-tunewiz.conf").unlink()
    database.query("SELECT pg_reload_conf()")
    ran = machine.run(bundle / "verify.sh")
    assert (ran.status, "work_mem: planned 24MB, running 4MB" in ran.out) == (1, True), ran.said


def test_case_82_warnings_of_a_program_are_no_part_of_its_answer(
    make_cluster: MakeCluster, tmp_path: Path
) -> None:
    database = make_cluster()
    database.run("mkdir", database.data_directory / "conf.d")
    with database.config_file.open("a") as config:
        config.write("include_if_exists = 'not-there.conf'\ninclude_dir = 'conf.d'\n")
    database.start()
    database.query("UPDATE pg_database SET datcollversion = '0'")
    assert "collation version" in database.run(
        "sh",
        "-c",
        f"{database.programs.psql} -h {database.socket_directory} -p {database.port} postgres -c '' 2>&1",
    )
    wanted = {"pg.work_mem": "24MB", "pg.shared_buffers": "192MB"}
    bundle, machine = (
        bundle_for(database, tmp_path / "bundle", wanted),
        machine_of(database, tmp_path / "state"),
    )
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(bundle / script)
        assert ran.status == 0, ran.said
