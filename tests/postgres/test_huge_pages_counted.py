"""The planned pool is held against PostgreSQL's own count, before anything is changed."""

import re
from pathlib import Path
from tempfile import gettempdir

import pytest

from fixtures_postgres import MakeCluster
from pretend_root import PretendRoot
from real_postgres import Cluster
from server_in_root import bundle_for, machine_of

POOL = "/proc/sys/vm/nr_hugepages"
BUFFERS = {"pg.shared_buffers": "256MB", "pg.max_connections": "300"}
COUNTS_FROM = 15


@pytest.fixture
def cluster(make_cluster: MakeCluster) -> Cluster:
    made = make_cluster()
    made.run("mkdir", made.data_directory / "conf.d")
    with made.config_file.open("a") as config:
        config.write("include_dir = 'conf.d'\n")
    made.start()
    return made


@pytest.fixture
def machine(cluster: Cluster, tmp_path: Path) -> PretendRoot:
    return machine_of(cluster, tmp_path / "state")


def counts(cluster: Cluster) -> bool:
    """Whether this PostgreSQL can tell."""
    return int(cluster.programs.major.split(".")[0]) >= COUNTS_FROM


def need_a_count(cluster: Cluster) -> None:
    if not counts(cluster):
        pytest.skip("this PostgreSQL does not count its huge pages")
    if cluster.query("SHOW shared_memory_size_in_huge_pages") == "-1":
        pytest.skip("this kernel has no huge pages")


def bundle(cluster: Cluster, directory: Path, pages: int, **more: str) -> Path:
    return bundle_for(cluster, directory, {"kernel.nr_hugepages": str(pages), **BUFFERS, **more})


def counted(told: str) -> int:
    """The number in what apply.sh says."""
    (number,) = re.findall(r"PostgreSQL counts (\d+)", told)
    return int(number)


def test_a_pool_one_page_too_small_is_refused_and_the_right_one_is_what_the_server_takes(
    cluster: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(cluster)
    far_too_few = machine.run(bundle(cluster, tmp_path / "wrong", 64) / "apply.sh", "--dry-run")
    right = counted(far_too_few.err)
    short = machine.run(bundle(cluster, tmp_path / "short", right - 1) / "apply.sh")
    assert (short.status, machine.read(POOL)) == (4, "0\n")
    assert f"plan again with {right}" in short.err
    assert cluster.query("SHOW shared_buffers") == "128MB"
    applied = machine.run(bundle(cluster, tmp_path / "right", right) / "apply.sh")
    assert (applied.status, applied.err, machine.read(POOL)) == (0, "", f"{right}\n")
    assert cluster.query("SHOW shared_memory_size_in_huge_pages") == str(right)


def test_more_pages_than_it_counts_are_as_reviewed_and_told(
    cluster: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(cluster)
    applied = machine.run(bundle(cluster, tmp_path / "more", 400) / "apply.sh")
    assert (applied.status, machine.read(POOL)) == (0, "400\n")
    assert counted(applied.out) < 400
    assert "400 are planned for it" in applied.out


def test_the_count_is_of_what_is_planned_and_not_of_what_runs(
    cluster: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    need_a_count(cluster)
    running = int(cluster.query("SHOW shared_memory_size_in_huge_pages"))
    dry = machine.run(bundle(cluster, tmp_path / "more", 400) / "apply.sh", "--dry-run")
    assert counted(dry.out) > running


def test_asking_leaves_nothing_behind(cluster: Cluster, machine: PretendRoot, tmp_path: Path) -> None:
    made = bundle(cluster, tmp_path / "bundle", 400)
    before = {each: each.lstat().st_mtime_ns for each in cluster.data_directory.glob("*.*")}
    assert machine.run(made / "apply.sh", "--dry-run").status == 0
    assert {each: each.lstat().st_mtime_ns for each in cluster.data_directory.glob("*.*")} == before
    assert not [each for each in Path(gettempdir()).glob("tmp.*/global/pg_control") if owned(each, cluster)]


def owned(path: Path, cluster: Cluster) -> bool:
    """Whether it is a copy of this cluster's."""
    try:
        return path.read_bytes() == (cluster.data_directory / "global/pg_control").read_bytes()
    except FileNotFoundError:  # another run's, which has just ended
        return False


def test_what_keeps_postgresql_from_counting_is_told_and_no_refusal(
    cluster: Cluster, machine: PretendRoot, tmp_path: Path
) -> None:
    made = bundle(cluster, tmp_path / "bundle", 400, **{"pg.shared_preload_libraries": "nosuchlib"})
    told = machine.run(made / "apply.sh", "--dry-run")
    assert told.status == 0
    assert "vm.nr_hugepages: not compared with PostgreSQL's own count" in told.out


def test_without_a_pool_nothing_is_counted(cluster: Cluster, machine: PretendRoot, tmp_path: Path) -> None:
    told = machine.run(bundle_for(cluster, tmp_path / "bundle", BUFFERS) / "apply.sh", "--dry-run")
    assert (told.status, "counts" in told.said, "own count" in told.said) == (0, False, False)
