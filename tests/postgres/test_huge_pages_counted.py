"""The planned pool is held against PostgreSQL's own count, before anything is changed."""

import re
from pathlib import Path
from tempfile import gettempdir

import pytest

from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

POOL = "/proc/sys/vm/nr_hugepages"
BUFFERS = {"pg.shared_buffers": "256MB", "pg.max_connections": "300"}
COUNTS_FROM = 15


@pytest.fixture
def machine(database: Cluster, tmp_path: Path) -> PretendRoot:
    return machine_of(database, tmp_path / "state")


def counts(database: Cluster) -> bool:
    """Whether this PostgreSQL can tell."""
    return int(database.programs.major.split(".")[0]) >= COUNTS_FROM


def need_a_count(database: Cluster) -> None:
    if not counts(database):
        pytest.skip("this PostgreSQL does not count its huge pages")
    if database.query("SHOW shared_memory_size_in_huge_pages") == "-1":
        pytest.skip("this kernel has no huge pages")


def bundle(database: Cluster, directory: Path, pages: int, **more: str) -> Path:
    return bundle_for(database, directory, {"kernel.nr_hugepages": str(pages), **BUFFERS, **more})


def counted(text: str) -> int:
    """The number in what apply.sh says."""
    (number,) = re.findall(r"PostgreSQL counts (\d+)", text)
    return int(number)


def test_a_pool_one_page_too_small_is_refused_and_the_right_one_is_what_the_server_takes(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(database)
    far_too_few = machine.run(bundle(database, tmp_path / "wrong", 64) / "apply.sh", "--dry-run")
    right = counted(far_too_few.err)
    short = machine.run(bundle(database, tmp_path / "short", right - 1) / "apply.sh")
    assert (short.status, machine.read(POOL)) == (4, "0\n")
    assert f"plan again with {right}" in short.err
    assert database.query("SHOW shared_buffers") == "128MB"
    applied = machine.run(bundle(database, tmp_path / "right", right) / "apply.sh")
    assert (applied.status, applied.err, machine.read(POOL)) == (0, "", f"{right}\n")
    assert applied.out.splitlines()[-2] == "3 of 3 in force"
    assert database.query("SHOW shared_memory_size_in_huge_pages") == str(right)


def test_more_pages_than_it_counts_are_as_reviewed_and_told(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(database)
    applied = machine.run(bundle(database, tmp_path / "more", 400) / "apply.sh")
    assert (applied.status, machine.read(POOL)) == (0, "400\n")
    assert counted(applied.out) < 400
    assert "400 are planned for it" in applied.out


def test_the_count_is_of_what_is_planned_and_not_of_what_runs(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(database)
    running = int(database.query("SHOW shared_memory_size_in_huge_pages"))
    dry = machine.run(bundle(database, tmp_path / "more", 400) / "apply.sh", "--dry-run")
    assert counted(dry.out) > running


def test_asking_leaves_nothing_behind(database: Cluster, machine: PretendRoot, tmp_path: Path) -> None:
    made = bundle(database, tmp_path / "bundle", 400)
    before = {path: path.lstat().st_mtime_ns for path in database.data_directory.glob("*.*")}
    assert machine.run(made / "apply.sh", "--dry-run").status == 0
    assert {path: path.lstat().st_mtime_ns for path in database.data_directory.glob("*.*")} == before
    assert not [path for path in Path(gettempdir()).glob("tmp.*/global/pg_control") if owned(path, database)]


def owned(path: Path, database: Cluster) -> bool:
    """Whether it is a copy of this database's."""
    try:
        return path.read_bytes() == (database.data_directory / "global/pg_control").read_bytes()
    except FileNotFoundError:  # another run's, which has just ended
        return False


def test_what_keeps_postgresql_from_counting_is_told_and_no_refusal(
    database: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    made = bundle(database, tmp_path / "bundle", 400, **{"pg.shared_preload_libraries": "nosuchlib"})
    run = machine.run(made / "apply.sh", "--dry-run")
    assert run.status == 0
    assert "vm.nr_hugepages: not compared with PostgreSQL's own count" in run.out


def test_without_a_pool_nothing_is_counted(database: Cluster, machine: PretendRoot, tmp_path: Path) -> None:
    run = machine.run(bundle_for(database, tmp_path / "bundle", BUFFERS) / "apply.sh", "--dry-run")
    assert (run.status, "counts" in run.said, "own count" in run.said) == (0, False, False)
