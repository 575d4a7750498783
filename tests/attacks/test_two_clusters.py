"""Two clusters on one host: each bundle has files of its own, and neither takes the other's pages."""

import dataclasses
from itertools import permutations
from pathlib import Path

import pytest

from pretend_root import DATA, FILES, PretendRoot, make_root
from small_bundles import bundle_of, reword, small_bundle
from small_host import host_bundle, put_systemd
from small_plans import small_facts, small_plan
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Known
from tunewiz.kinds.vacuum import VacuumSchedule

pytestmark = pytest.mark.slow

OTHER = "/var/lib/postgresql/other"
POOL = "/proc/sys/vm/nr_hugepages"
REFUSED = LEFT = 4


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    """With two clusters, both down, and systemd."""
    others = {
        f"{OTHER}{path.removeprefix(DATA)}": text for path, text in FILES.items() if path.startswith(DATA)
    }
    made = make_root(tmp_path, {**FILES, **others})
    put_systemd(made)
    made.path("/etc/cron.d").mkdir()
    return made


def facts_of_cluster(data: str, pool: int = 0) -> Facts:
    facts = small_facts(
        data_directory=Known(data, "test"),
        config_file=Known(f"{data}/postgresql.conf", "test"),
        include_directory=Known(f"{data}/conf.d", "test"),
    )
    settings = {**facts.kernel.settings, "vm.nr_hugepages": Known(pool, "test")}
    return dataclasses.replace(facts, kernel=dataclasses.replace(facts.kernel, settings=settings))


@pytest.mark.parametrize("by", ["systemd", "cron"])
@pytest.mark.parametrize("applied", permutations((DATA, OTHER)), ids=str)
@pytest.mark.parametrize("restored", permutations((DATA, OTHER)), ids=str)
def test_case_110_each_cluster_has_a_vacuum_schedule_of_its_own(
    by: str, applied: tuple[str, str], restored: tuple[str, str], machine: PretendRoot, tmp_path: Path
) -> None:
    before = machine.tree()
    bundles = dict[str, Path]()
    for number, data in enumerate((DATA, OTHER)):
        action = VacuumSchedule(
            by="systemd" if by == "systemd" else "cron",
            hour=3 + number,
            minute=7,
            os_user="postgres",
            port=5432 + number,
            socket_directory="",
        )
        bundles[data] = host_bundle(tmp_path / f"bundle{number}", action, facts=facts_of_cluster(data))
    for data in applied:
        ran = machine.run(bundles[data] / "apply.sh")
        assert (ran.status, ran.err) == (0, "")
    for data in applied:
        assert machine.run(bundles[data] / "verify.sh").status == 0
    for left, data in zip((1, 0), restored, strict=True):
        ran = machine.run(bundles[data] / "rollback.sh")
        assert (ran.status, ran.err) == (0, "")
        assert [machine.run(bundle / "verify.sh").status for bundle in bundles.values()].count(0) == left
    assert machine.tree() == before


PAGES = "kernel.nr_hugepages"


def pool_bundle(directory: Path, data: str, before: int, pages: int) -> Path:
    return small_bundle(directory, {PAGES: str(pages)}, facts=facts_of_cluster(data, before))


def test_case_111_a_pool_that_another_bundle_has_enlarged_is_planned_anew(
    machine: PretendRoot, tmp_path: Path
) -> None:
    first = pool_bundle(tmp_path / "first", DATA, 0, 64)
    second = pool_bundle(tmp_path / "second", OTHER, 0, 100)
    assert machine.run(first / "apply.sh").status == 0
    ran = machine.run(second / "apply.sh")
    assert (ran.status, "vm.nr_hugepages: 0 when planned, found 64" in ran.err) == (REFUSED, True)
    assert machine.read(POOL) == "64\n"


@pytest.mark.parametrize("first_back", ["first", "second"])
def test_case_111_a_rollback_takes_no_pages_that_another_bundle_has_added(
    first_back: str, machine: PretendRoot, tmp_path: Path
) -> None:
    first = pool_bundle(tmp_path / "first", DATA, 0, 64)
    second = pool_bundle(tmp_path / "second", OTHER, 64, 164)
    before = machine.tree()
    for bundle in (first, second):
        assert machine.run(bundle / "apply.sh").status == 0
    assert machine.read(POOL) == "164\n"
    if first_back == "first":
        assert machine.run(first / "rollback.sh").status == LEFT
        assert machine.read(POOL) == "164\n"
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.read(POOL) == "64\n"
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.tree() == before


def pool_of(total: int, free: int, promised: int) -> str:
    pages = f"HugePages_Total: {total}\nHugePages_Free: {free}\nHugePages_Rsvd: {promised}\n"
    return f"{FILES['/proc/meminfo']}{pages}Hugepagesize: 2048 kB\n"


@pytest.mark.parametrize(
    ("free", "promised", "status"), [(40, 0, 0), (40, 1, REFUSED), (39, 0, REFUSED), (64, 24, 0)]
)
def test_case_112_pages_that_others_hold_are_not_counted_on(
    free: int, promised: int, status: int, machine: PretendRoot, tmp_path: Path
) -> None:
    machine.write(POOL, "64\n")
    machine.write("/proc/meminfo", pool_of(64, free, promised))
    bundle = pool_bundle(tmp_path / "bundle", DATA, 64, 124)
    reword(bundle, "|124\n", "|100\n")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == status, ran.said
    assert ("of which this server needs 100, and other programs now hold" in ran.err) == (status == REFUSED)
    assert machine.read(POOL) == ("124\n" if status == 0 else "64\n")


def test_case_112_pages_that_others_took_since_are_left_to_them(machine: PretendRoot, tmp_path: Path) -> None:
    bundle = pool_bundle(tmp_path / "bundle", DATA, 0, 64)
    assert machine.run(bundle / "apply.sh").status == 0
    machine.write("/proc/meminfo", pool_of(64, 44, 10))
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, machine.read(POOL)) == (LEFT, "30\n")
    assert "vm.nr_hugepages (30 pages are held by other programs; it was 0)" in ran.err


def test_case_110_a_directory_that_two_clusters_include_gets_no_file_of_one(tmp_path: Path) -> None:
    shared = Known("/etc/postgresql-common/conf.d", "test")
    facts = facts_of_cluster(DATA)
    mine, other = (dataclasses.replace(server, include_directory=shared) for server in two_servers(facts))
    alone = small_plan(dataclasses.replace(facts, postgres=(mine,)), {"pg.work_mem": "24MB"})
    both = small_plan(dataclasses.replace(facts, postgres=(mine, other)), {"pg.work_mem": "24MB"})
    steps = [
        (bundle_of(plan, tmp_path / name) / "steps.txt").read_text()
        for name, plan in (("a", alone), ("b", both))
    ]
    assert ["|/etc/postgresql-common/conf.d/zz-tunewiz.conf" in step for step in steps] == [True, False]
    assert f"auto|{DATA}/postgresql.auto.conf" in steps[1]


def two_servers(facts: Facts) -> tuple[PostgresServer, PostgresServer]:
    (server,) = facts.postgres
    return server, dataclasses.replace(server, data_directory=Known(OTHER, "test"))
