"""A real server under load, watched before a change and after it: kept if healthy, else rolled back."""

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pretend_root import PretendRoot, Ran
from real_postgres import Cluster
from server_in_root import DROP_IN, bundle_for, machine_of
from watched_changes import once_applied

pytestmark = pytest.mark.slow

OPTIONS = (
    *("--confirm-within", "5", "--watcher", "--guard"),
    *("--guard-baseline", "12", "--guard-window", "24"),
)
LOOKUP = "\\set id random(1, 40000)\nSELECT filler FROM things WHERE id = :id;\n"


@contextmanager
def under_load(cluster: Cluster) -> Generator[None]:
    """Two clients that look up rows by an index, for as long as it lasts."""
    cluster.query(
        "CREATE TABLE things AS SELECT n AS id, repeat('x', 100) AS filler FROM generate_series(1, 40000) n",
        "CREATE UNIQUE INDEX ON things (id)",
        "VACUUM ANALYZE things",
    )
    script = cluster.directory / "lookup.sql"
    script.write_text(LOOKUP)
    script.chmod(0o644)
    over = threading.Event()

    def work() -> None:
        # A restart ends pgbench: it is begun again.
        while not over.is_set():
            command = (cluster.programs.bin_directory / "pgbench", "-n", "-c", "2", "-T", "300", "-R", "150")
            where = ("-h", cluster.socket_directory, "-p", str(cluster.port), "-f", script, "postgres")
            with subprocess.Popen(
                (*command, *where), user=cluster.os_user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as running:
                while running.poll() is None and not over.wait(0.2):
                    pass
                running.kill()
            over.wait(0.3)

    clients = threading.Thread(target=work)
    clients.start()
    try:
        time.sleep(1)
        yield
    finally:
        over.set()
        clients.join()


def apply(machine: PretendRoot, bundle: Path, *more: str) -> Ran:
    return machine.run(bundle / "apply.sh", *OPTIONS, *more)


def figures(ran: Ran, name: str) -> tuple[float, float]:
    """What a line says of before and after."""
    number = r"([0-9.]+)[^0-9]*"
    match = re.search(rf"^  {name} {number} -> {number}$", ran.out, re.MULTILINE)
    assert match, ran.said
    return float(match[1]), float(match[2])


def is_undone(cluster: Cluster, machine: PretendRoot) -> bool:
    return not (cluster.data_directory / DROP_IN).exists() and not (machine.state / "pending").exists()


def test_case_140_a_plan_that_ruins_the_workload_is_rolled_back_by_itself(
    database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.random_page_cost": "100000"})
    with under_load(database):
        ran = apply(machine, bundle, "--confirm-if-healthy")
    assert ran.status == 5, ran.said
    before, after = figures(ran, "time per transaction")
    assert after > 2 * before
    assert "UNHEALTHY: time per transaction" in ran.err
    assert "Rolled back by the guard" in ran.err
    assert is_undone(database, machine)
    assert database.query("SHOW random_page_cost") == "4"
    assert machine.run(bundle / "rollback.sh").status == 3


def test_a_harmless_plan_is_healthy_and_confirmed_where_that_was_asked_for(
    database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.maintenance_work_mem": "96MB"})
    with under_load(database):
        ran = apply(machine, bundle, "--confirm-if-healthy")
    assert (ran.status, ran.err) == (0, "")
    assert "HEALTHY: nothing that is judged became worse." in ran.out
    assert "Confirmed: it stays." in ran.out
    before, after = figures(ran, "transactions")
    assert after > before / 2 > 20
    assert database.query("SHOW maintenance_work_mem") == "96MB"
    assert not (machine.state / "pending").exists()


def crash_of_a_session(cluster: Cluster) -> None:
    number = cluster.query(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'pgbench' ORDER BY 1 LIMIT 1"
    )
    os.kill(int(number), signal.SIGKILL)


def stop_of_the_server(cluster: Cluster) -> None:
    cluster.stop(mode="immediate")


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (crash_of_a_session, "one of its processes had crashed"),
        (stop_of_the_server, "the server is down"),
        (Cluster.restart, "the server was started again"),
    ],
)
def test_a_server_that_does_not_stay_up_is_rolled_back_at_once(
    trouble: Callable[[Cluster], None], why: str, database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.maintenance_work_mem": "96MB"})
    with under_load(database), once_applied(machine, lambda: trouble(database), seconds=5):
        ran = apply(machine, bundle)
    assert (ran.status, f"UNHEALTHY: {why}" in ran.err or why in ran.err) == (5, True), ran.said
    assert is_undone(database, machine)


def test_an_idle_server_is_undecided_and_left_to_a_person_and_the_deadline(
    database: Cluster, tmp_path: Path
) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.maintenance_work_mem": "96MB"})
    ran = apply(machine, bundle, "--confirm-if-healthy")
    assert (ran.status, ran.err) == (0, "")
    assert "UNDECIDED: neither time nor transactions could be compared: too little work" in ran.out
    assert (machine.state / "pending").exists()
    assert machine.run(bundle / "rollback.sh").status == 0


def test_a_person_who_confirms_meanwhile_has_decided(database: Cluster, tmp_path: Path) -> None:
    machine = machine_of(database, tmp_path / "state")
    bundle = bundle_for(database, tmp_path / "bundle", {"pg.maintenance_work_mem": "96MB"})

    def confirm() -> None:
        machine.run(bundle / "apply.sh", "--confirm")

    with once_applied(machine, confirm, seconds=5):
        ran = apply(machine, bundle)
    assert (ran.status, ran.err) == (0, "")
    assert "It was confirmed meanwhile: the watch ends." in ran.out
    assert database.query("SHOW maintenance_work_mem") == "96MB"
