"""A setting of one role on a real server: made, verified, taken back to what its catalogues had."""

import dataclasses
from pathlib import Path
from typing import Literal

import pytest

from pretend_root import PretendRoot, Ran
from real_postgres import Cluster
from server_in_root import facts_for, machine_of
from shells import EVERY_SHELL
from small_bundles import bundle_of
from small_host import host_change
from small_plans import small_plan
from tunewiz.kinds.role import RoleSetting

pytestmark = pytest.mark.postgres

APPLIED, ALREADY, REFUSED, FAILED = 0, 3, 4, 5
ALL = """SELECT coalesce(r.rolname, '?'), coalesce(d.datname, '-'), s.setconfig FROM pg_db_role_setting AS s
    LEFT JOIN pg_roles AS r ON r.oid = s.setrole LEFT JOIN pg_database AS d ON d.oid = s.setdatabase
    ORDER BY 1, 2"""
"""Every setting of a role or a database, as the server keeps it."""
REPORTS = RoleSetting(role="reports", database="", name="work_mem", value="256MB", before="")
ODD = ('it\'s "their" $(id) role', "größe\\n `id` | 100 %", "; DROP ROLE reports; --", ":role")
"""Names that a shell, psql or the server could take for something else."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Subject:
    """A server in a pretend root, and bundles for its roles."""

    cluster: Cluster
    machine: PretendRoot
    bundles: Path

    def bundle(self, *actions: RoleSetting, **wanted: str) -> Path:
        """The bundle of these, and of settings of the server beside them."""
        directory = self.bundles / f"bundle-{len(list(self.bundles.iterdir()))}"
        settings = {f"pg.{name}": value for name, value in wanted.items()}
        change = host_change(*(actions or (REPORTS,)))
        return bundle_of(small_plan(facts_for(self.cluster), settings, more=(change,)), directory)

    def run(self, bundle: Path, script: Literal["apply", "verify", "rollback"], *options: str) -> Ran:
        """Runs a script of a bundle."""
        return self.machine.run(bundle / f"{script}.sh", *options)

    def settings(self) -> str:
        """What the server keeps of all roles and databases, in order."""
        return self.cluster.query(ALL)

    def works(self, bundle: Path) -> None:
        """It is applied, verified and taken back, and twice is no more than once."""
        before = self.settings()
        applied = self.run(bundle, "apply")
        assert (applied.status, applied.err) == (APPLIED, ""), applied.said
        assert self.settings() != before
        assert self.run(bundle, "verify").status == 0
        assert self.run(bundle, "apply").status == ALREADY
        restored = self.run(bundle, "rollback")
        assert (restored.status, restored.err) == (0, ""), restored.said
        assert self.settings() == before
        assert self.run(bundle, "rollback").status == ALREADY


def subject_of(cluster: Cluster, directory: Path) -> Subject:
    cluster.run("mkdir", "-p", cluster.data_directory / "conf.d")
    bundles = directory / "bundles"
    bundles.mkdir()
    return Subject(cluster=cluster, machine=machine_of(cluster, directory / "state"), bundles=bundles)


@pytest.fixture
def subject(running_cluster: Cluster, tmp_path: Path) -> Subject:
    running_cluster.query("CREATE ROLE reports LOGIN", "CREATE DATABASE shop")
    return subject_of(running_cluster, tmp_path)


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_a_role_has_its_setting_and_loses_it_again(shell: tuple[str, ...], subject: Subject) -> None:
    machine = dataclasses.replace(subject.machine, shell=shell)
    dataclasses.replace(subject, machine=machine).works(subject.bundle())


def test_a_new_session_has_it_and_one_that_was_there_is_told_of(subject: Subject) -> None:
    ran = subject.run(subject.bundle(), "apply")
    assert "reports: work_mem: sessions that are connected already keep their value." in ran.out
    assert "reports: work_mem -> 256MB" in ran.out
    assert subject.cluster.query("SHOW work_mem") == "4MB"
    session = ("-U", "reports", "-h", subject.cluster.socket_directory, "-p", str(subject.cluster.port))
    assert subject.cluster.run("psql", "-XAtq", *session, "-d", "shop", "-c", "SHOW work_mem") == "256MB\n"


def test_the_former_value_comes_back_to_the_letter_among_others(subject: Subject) -> None:
    subject.cluster.query(
        "ALTER ROLE reports SET jit = off",
        "ALTER ROLE reports SET work_mem = '65536'",
        "ALTER ROLE reports SET search_path = 'a b', public",
        "ALTER ROLE reports IN DATABASE shop SET work_mem = '1GB'",
        "ALTER DATABASE shop SET work_mem = '9MB'",
        "ALTER ROLE ALL SET work_mem = '5MB'",
    )
    before = subject.settings()
    action = dataclasses.replace(REPORTS, before="65536")
    subject.works(subject.bundle(action))
    assert subject.settings() == before


def test_a_setting_in_one_database_stands_beside_that_for_all(subject: Subject) -> None:
    in_shop = dataclasses.replace(REPORTS, database="shop", name="statement_timeout", value="15min")
    subject.cluster.query("ALTER ROLE reports SET statement_timeout = '1h'")
    bundle = subject.bundle(REPORTS, in_shop)
    assert subject.run(bundle, "apply").status == APPLIED
    assert subject.settings() == (
        "reports|-|{statement_timeout=1h,work_mem=256MB}\nreports|shop|{statement_timeout=15min}"
    )
    assert subject.run(bundle, "rollback").status == 0
    assert subject.settings() == "reports|-|{statement_timeout=1h}"


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_odd_names_are_data(shell: tuple[str, ...], subject: Subject) -> None:
    for name in ODD:
        quoted = name.replace('"', '""')
        subject.cluster.query(f'CREATE ROLE "{quoted}" LOGIN', f'CREATE DATABASE "{quoted}"')
    machine = dataclasses.replace(subject.machine, shell=shell)
    actions = [dataclasses.replace(REPORTS, role=name, database=name) for name in ODD]
    dataclasses.replace(subject, machine=machine).works(subject.bundle(*actions))
    assert subject.cluster.query("SELECT count(*) FROM pg_roles WHERE rolname = 'reports'") == "1"


def test_a_dry_run_changes_nothing(subject: Subject) -> None:
    bundle, before = subject.bundle(), subject.settings()
    ran = subject.run(bundle, "apply", "--dry-run")
    assert (ran.status, subject.settings()) == (0, before)
    assert "would ALTER ROLE reports SET work_mem = '256MB'" in ran.out
    assert not subject.machine.state.exists()
    subject.run(bundle, "apply")
    applied = subject.settings()
    assert "would ALTER ROLE reports RESET work_mem" in subject.run(bundle, "rollback", "--dry-run").out
    assert subject.settings() == applied


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("ALTER ROLE reports SET work_mem = '1GB'", "1GB"),
        ("ALTER ROLE reports RESET work_mem", ""),
        ("DROP ROLE reports", "no such role or database"),
        ("DROP ROLE reports; CREATE ROLE reports LOGIN", "no such role or database"),
    ],
)
def test_case_146_what_others_made_of_it_is_left_alone(statement: str, found: str, subject: Subject) -> None:
    bundle = subject.bundle()
    assert subject.run(bundle, "apply").status == APPLIED
    subject.cluster.query(*statement.split("; "))
    others = subject.settings()
    assert subject.run(bundle, "verify").status == 1
    ran = subject.run(bundle, "rollback")
    assert subject.settings() == others
    if found:
        assert (
            ran.status,
            f"left alone, changed by someone else since: reports: work_mem ({found})" in ran.err,
        ) == (
            REFUSED,
            True,
        ), ran.said
    else:
        assert ran.status == 0, ran.said


def test_case_147_a_role_that_was_renamed_is_found_again(subject: Subject) -> None:
    bundle = subject.bundle(dataclasses.replace(REPORTS, database="shop"))
    assert subject.run(bundle, "apply").status == APPLIED
    subject.cluster.query(
        'ALTER ROLE reports RENAME TO "its new name"', "ALTER DATABASE shop RENAME TO store"
    )
    subject.cluster.query("CREATE ROLE reports LOGIN", "CREATE DATABASE shop")
    subject.cluster.query("ALTER ROLE reports IN DATABASE shop SET work_mem = '256MB'")
    assert subject.run(bundle, "rollback").status == 0
    assert subject.settings() == "reports|shop|{work_mem=256MB}"


def test_case_146_a_database_that_was_dropped_is_told(subject: Subject) -> None:
    bundle = subject.bundle(dataclasses.replace(REPORTS, database="shop"), REPORTS)
    assert subject.run(bundle, "apply").status == APPLIED
    subject.cluster.query("DROP DATABASE shop")
    ran = subject.run(bundle, "rollback")
    assert (ran.status, "reports in shop: work_mem (no such role or database)" in ran.err) == (REFUSED, True)
    assert subject.settings() == ""


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("ALTER ROLE reports SUPERUSER", "reports is a superuser"),
        ("ALTER ROLE reports NOLOGIN", "reports cannot log in"),
        ("ALTER ROLE reports SET work_mem = '1GB'", "not set when planned, found 1GB"),
        ("DROP ROLE reports", "not set when planned, found no such role or database"),
    ],
)
def test_what_was_not_planned_on_is_refused(statement: str, why: str, subject: Subject) -> None:
    bundle = subject.bundle()
    subject.cluster.query(statement)
    before = subject.settings()
    ran = subject.run(bundle, "apply")
    assert (ran.status, why in ran.err, subject.settings()) == (REFUSED, True, before), ran.said


def test_case_148_a_server_that_is_down_keeps_it_until_it_runs(subject: Subject) -> None:
    bundle, before = subject.bundle(), subject.settings()
    subject.cluster.stop()
    ran = subject.run(bundle, "apply")
    assert (ran.status, "reports: work_mem: the server is down" in ran.err) == (REFUSED, True)
    subject.cluster.start()
    assert subject.run(bundle, "apply").status == APPLIED
    subject.cluster.stop()
    ran = subject.run(bundle, "rollback")
    assert (ran.status, "NOT restored: reports: work_mem (the server is down" in ran.err) == (FAILED, True)
    subject.cluster.start()
    ran = subject.run(bundle, "rollback")
    assert (ran.status, subject.settings()) == (0, before), ran.said


def test_case_148_a_standby_has_it_from_its_primary(subject: Subject) -> None:
    bundle = subject.bundle()
    subject.cluster.stop()
    signal = "recovery.conf" if float(subject.cluster.programs.major) < 12 else "standby.signal"
    text = "standby_mode = on" if signal == "recovery.conf" else ""
    subject.cluster.run("sh", "-c", f"echo '{text}' >'{subject.cluster.data_directory}/{signal}'")
    subject.cluster.start()
    ran = subject.run(bundle, "apply")
    assert ran.status == REFUSED
    assert "the server is a standby" in ran.err


def test_the_guard_at_boot_is_not_armed_for_it(subject: Subject) -> None:
    ran = subject.run(subject.bundle(), "apply", "--confirm-within", "5")
    assert (ran.status, "use --watcher" in ran.err) == (REFUSED, True)


@pytest.mark.slow
def test_every_major_takes_it(matrix_cluster: Cluster, tmp_path: Path) -> None:
    matrix_cluster.start()
    matrix_cluster.query("CREATE ROLE reports LOGIN", "CREATE DATABASE shop")
    subject = subject_of(matrix_cluster, tmp_path)
    subject.works(subject.bundle(REPORTS, dataclasses.replace(REPORTS, database="shop")))
