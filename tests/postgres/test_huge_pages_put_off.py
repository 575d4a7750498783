"""Without a restart no huge pages are reserved: the running server could not use them."""

import json
from pathlib import Path

import pytest

from pretend_root import SYSCTL_FILE, PretendRoot
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

POOL = "/proc/sys/vm/nr_hugepages"
WANTED = {"kernel.nr_hugepages": "200", "pg.shared_buffers": "256MB", "pg.work_mem": "24MB"}
BEFORE = ("128MB", "4MB")
AFTER = ("256MB", "24MB")
WAITING = ("128MB", "24MB")


@pytest.fixture
def machine(database: Cluster, tmp_path: Path) -> PretendRoot:
    return machine_of(database, tmp_path / "state")


@pytest.fixture
def bundle(database: Cluster, tmp_path: Path) -> Path:
    return bundle_for(database, tmp_path / "bundle", WANTED)


def shown(database: Cluster) -> tuple[str, ...]:
    return tuple(database.query(f"SHOW {name}") for name in ("shared_buffers", "work_mem"))


def pool(machine: PretendRoot) -> str:
    return machine.read(POOL).strip()


def waiting(machine: PretendRoot, bundle: Path) -> list[str]:
    """What verify.sh says waits for a restart."""
    items = json.loads(machine.run(bundle / "verify.sh", "--json").out)["items"]
    return [item["name"] for item in items if item["pending_restart"]]


def test_without_a_restart_no_page_is_reserved_and_both_scripts_say_what_waits(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    applied = machine.run(bundle / "apply.sh", "--no-restart")
    assert (applied.status, applied.err) == (0, "")
    assert (pool(machine), shown(database)) == ("0", WAITING)
    assert "vm.nr_hugepages = 200" in machine.read(SYSCTL_FILE)
    assert "waiting for a restart of the server: shared_buffers, vm.nr_hugepages" in applied.out
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, verified.out.count("waits for")) == (1, 2)
    assert waiting(machine, bundle) == ["vm.nr_hugepages", "shared_buffers"]
    again = machine.run(bundle / "apply.sh", "--no-restart")
    assert (again.status, again.err) == (3, "Applied already, nothing done.\n")


def test_apply_without_the_option_takes_up_what_waits_and_restarts_the_server(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--no-restart")
    dry = machine.run(bundle / "apply.sh", "--dry-run")
    assert (dry.status, pool(machine)) == (0, "0")
    assert dry.out.index("would write 200 to") < dry.out.index("would restart the server")
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert applied.out.index("write 200 to") < applied.out.index("restart the server")
    assert (pool(machine), shown(database)) == ("200", AFTER)
    assert machine.run(bundle / "verify.sh").status == 0
    assert machine.run(bundle / "apply.sh").status == 3
    assert machine.run(bundle / "rollback.sh").status == 0
    assert (pool(machine), shown(database)) == ("0", BEFORE)


@pytest.mark.parametrize("finished", [False, True])
def test_it_is_rolled_back_to_the_byte_whether_taken_up_or_not(
    database: Cluster, machine: PretendRoot, bundle: Path, *, finished: bool
) -> None:
    places = [path for path in machine.root.rglob("*.conf") if path.is_file()]
    before = {path: path.read_bytes() for path in places}
    machine.run(bundle / "apply.sh", "--no-restart")
    if finished:
        machine.run(bundle / "apply.sh")
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert (pool(machine), shown(database)) == ("0", BEFORE)
    assert {path: path.read_bytes() for path in machine.root.rglob("*.conf") if path.is_file()} == before
    assert machine.run(bundle / "rollback.sh").status == 3
    assert machine.run(bundle / "apply.sh").status == 0
    assert (pool(machine), shown(database)) == ("200", AFTER)


def test_pages_that_a_boot_has_reserved_meanwhile_are_as_planned_and_taken_back(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--no-restart")
    database.stop()
    machine.write(POOL, "200\n")
    database.start()
    assert machine.run(bundle / "verify.sh").status == 0
    started = database.query("SELECT pg_postmaster_start_time()")
    assert machine.run(bundle / "apply.sh").status == 3
    assert database.query("SELECT pg_postmaster_start_time()") == started
    assert machine.run(bundle / "rollback.sh").status == 0
    assert (pool(machine), shown(database)) == ("0", BEFORE)


def test_a_server_restarted_by_hand_still_gets_its_pages(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--no-restart")
    database.stop()
    database.start()
    assert waiting(machine, bundle) == ["vm.nr_hugepages"]
    started = database.query("SELECT pg_postmaster_start_time()")
    assert machine.run(bundle / "apply.sh").status == 0
    assert pool(machine) == "200"
    assert database.query("SELECT pg_postmaster_start_time()") != started


def test_a_pool_that_someone_else_changed_meanwhile_is_refused_and_left(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--no-restart")
    machine.write(POOL, "77\n")
    refused = machine.run(bundle / "apply.sh")
    assert (refused.status, pool(machine)) == (4, "77")
    assert machine.run(bundle / "rollback.sh").status == 4
    assert pool(machine) == "77"


def test_a_server_that_insists_on_the_pages_is_not_left_without_them(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    made = bundle_for(database, tmp_path / "insists", {**WANTED, "pg.huge_pages": "on"})
    refused = machine.run(made / "apply.sh", "--no-restart")
    assert (refused.status, pool(machine), shown(database)) == (4, "0", BEFORE)
    assert "would not start without them" in refused.err
    assert not machine.path(SYSCTL_FILE).exists()


def test_a_server_that_is_down_gets_its_pages_before_it_is_started(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    database.stop()
    assert machine.run(bundle / "apply.sh", "--no-restart").status == 0
    assert pool(machine) == "200"
    database.start()
    assert shown(database) == AFTER


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_run_that_is_killed_while_it_takes_up_what_waits_is_finished_or_taken_back(
    database: Cluster, machine: PretendRoot, bundle: Path
) -> None:
    for then, status, expected in (("apply.sh", 0, ("200", AFTER)), ("rollback.sh", 0, ("0", BEFORE))):
        machine.run(bundle / "apply.sh", "--no-restart")
        (journal,) = machine.state.glob("????????????????/journal")
        waited = journal.read_text()
        assert machine.run(bundle / "apply.sh").status == 0
        words = journal.read_text().removeprefix(waited).splitlines(keepends=True)
        (journal.parent / "applied").unlink()
        journal.write_text(waited + "".join(words[: words.index("begin\n") + 2]))
        assert machine.run(bundle / then).status == status
        assert (pool(machine), shown(database)) == expected
        machine.run(bundle / "rollback.sh")
        assert (pool(machine), shown(database)) == ("0", BEFORE)
