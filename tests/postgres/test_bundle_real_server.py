"""Bundles applied to real servers and taken back: what the server has, and every byte of its files."""

import dataclasses
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, get_args

import pytest

from fixtures_postgres import MakeCluster
from pretend_root import Entry, Ran, entry
from real_postgres import Cluster, Layout
from small_plans import identity, small_answers, small_facts, small_plan, with_settings
from tunewiz.bundle import write_bundle
from tunewiz.core.examples import Given
from tunewiz.core.facts import Facts
from tunewiz.core.facts_server import Setting
from tunewiz.core.known import Absent, Known
from tunewiz.records import answers_to_toml, facts_to_json

WANTED = {"pg.shared_buffers": "192MB", "pg.work_mem": "24MB", "pg.random_page_cost": "1.1"}
SHOWN = {"shared_buffers": "192MB", "work_mem": "24MB", "random_page_cost": "1.1"}
BEFORE = {"shared_buffers": "128MB", "work_mem": "4MB", "random_page_cost": "4"}
STOPS_THE_START = {"pg.shared_preload_libraries": "nosuchlib", "pg.work_mem": "24MB"}
"""ALTER SYSTEM and `postgres -C` take it; only a start tells."""

Way = Literal["drop-in", "ALTER SYSTEM"]
WAYS: tuple[Way, ...] = get_args(Way)


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Subject:
    """A cluster, the directory that its configuration includes, and where bundles keep what they found."""

    cluster: Cluster
    included: Path | None
    state: Path
    bundles: Path

    def facts(self, **settings: Setting) -> Facts:
        """As they would be read from the running server."""
        cluster = self.cluster
        machine_id = Path("/etc/machine-id").read_text().strip()
        facts = small_facts(
            Given(major=cluster.programs.major, settings={"shared_buffers": "128MB"}),
            data_directory=Known(str(cluster.data_directory), "test"),
            config_file=Known(str(cluster.config_file), "test"),
            owner="debian" if cluster.layout == "debian" else "source",
            running=cluster.is_running(),
            system_identifier=Known(system_identifier(cluster), "pg_controldata"),
            include_directory=Absent("test") if self.included is None else Known(str(self.included), "test"),
        )
        host = dataclasses.replace(facts.host, identity=Known(identity(machine_id), "/etc/machine-id"))
        servers = tuple(with_settings(each, **settings) for each in facts.postgres)
        return dataclasses.replace(facts, host=host, postgres=servers)

    def bundle(self, wanted: Mapping[str, str] = WANTED, **settings: Setting) -> Path:
        """A bundle for the cluster as it is."""
        facts = self.facts(**settings)
        directory = self.bundles / f"bundle-{len(list(self.bundles.iterdir()))}"
        write_bundle(
            small_plan(facts, wanted), directory, facts_to_json(facts), answers_to_toml(small_answers())
        )
        return directory

    def run(self, script: Path, *arguments: str, before: tuple[str, ...] = ()) -> Ran:
        """Runs a script as root would (or as the owner, where nobody is root)."""
        environment = {"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": str(self.state)}
        done = subprocess.run(
            [*before, "sh", script, *arguments],
            env={**environment, **self.cluster.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )
        return Ran(status=done.returncode, out=done.stdout, err=done.stderr)

    def configuration(self) -> dict[str, Entry]:
        """Every configuration file of the server: content, mode, owner."""
        places = {self.cluster.config_file.parent, self.cluster.data_directory, self.included}
        files = (file for place in places if place for file in place.iterdir())
        return {str(file): entry(file) for file in files if file.suffix in {".conf", ".tunewiz-new"}}

    def started(self) -> str:
        """When the server was started: another time after a restart."""
        return self.cluster.query("SELECT pg_postmaster_start_time()")

    def show(self) -> dict[str, str]:
        """What the running server has."""
        return {name: self.cluster.query(f"SHOW {name}") for name in SHOWN}


def system_identifier(cluster: Cluster) -> str:
    told = cluster.run(cluster.programs.bin_directory / "pg_controldata", "-D", cluster.data_directory)
    lines = dict(line.split(":", 1) for line in told.splitlines())
    return lines["Database system identifier"].strip()


MakeSubject = Callable[..., Subject]


@pytest.fixture
def make_subject(make_cluster: MakeCluster, tmp_path: Path) -> MakeSubject:
    def make(layout: Layout = "plain", *, way: Way = "drop-in") -> Subject:
        cluster = make_cluster(layout)
        included = cluster.config_file.parent / "conf.d" if way == "drop-in" else None
        if included is not None and layout == "plain":
            cluster.run("mkdir", included)
            with cluster.config_file.open("a") as config:
                config.write("include_dir = 'conf.d'\n")
        (tmp_path / "bundles").mkdir()
        cluster.start()
        return Subject(
            cluster=cluster, included=included, state=tmp_path / "state", bundles=tmp_path / "bundles"
        )

    return make


LAYOUTS: tuple[tuple[Layout, Way], ...] = (
    ("plain", "drop-in"),
    ("plain", "ALTER SYSTEM"),
    ("debian", "drop-in"),
)


@pytest.mark.parametrize(("layout", "way"), LAYOUTS)
def test_case_44_from_a_bad_state_to_a_good_one_and_back_to_the_byte(
    layout: Layout,
    way: Way,
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(layout, way=way)
    bundle, before = subject.bundle(), subject.configuration()
    assert subject.show() == BEFORE
    applied = subject.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert subject.show() == SHOWN
    verified = subject.run(bundle / "verify.sh")
    assert (verified.status, verified.err) == (0, "")
    restored = subject.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert subject.show() == BEFORE
    assert subject.configuration() == before
    assert subject.run(bundle / "rollback.sh").status == 3


def test_a_dry_run_touches_neither_files_nor_server(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before, started = subject.bundle(), subject.configuration(), subject.started()
    ran = subject.run(bundle / "apply.sh", "--dry-run")
    assert ran.status == 0
    assert "would restart the server" in ran.out
    assert (subject.configuration(), subject.started()) == (before, started)
    assert not subject.state.exists()


def test_what_needs_no_restart_gets_none(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, started = subject.bundle({"pg.work_mem": "24MB"}), subject.started()
    assert subject.run(bundle / "apply.sh").status == 0
    assert subject.show()["work_mem"] == "24MB"
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.show()["work_mem"] == "4MB"
    assert subject.started() == started


@pytest.mark.parametrize("way", WAYS)
def test_case_59_a_server_that_does_not_come_up_is_back_with_its_old_files_at_once(
    way: Way,
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way=way)
    bundle = subject.bundle(STOPS_THE_START)
    before = subject.configuration()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 5
    assert 'could not access file "nosuchlib"' in ran.err
    assert "Everything is as it was before." in ran.err
    assert subject.show() == BEFORE
    assert subject.configuration() == before
    assert subject.run(bundle / "rollback.sh").status == 3


def test_a_value_that_the_server_refuses_never_reaches_a_restart(make_subject: MakeSubject) -> None:
    subject = make_subject()
    with subject.cluster.config_file.open("a") as config:
        config.write("work_mem = '4MB'\n")
    bundle, before, started = subject.bundle(), subject.configuration(), subject.started()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "another line wins over ours" in ran.err
    assert (subject.configuration(), subject.started()) == (before, started)


def test_case_61_without_a_restart_the_rest_is_in_force_and_verify_says_what_waits(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle, before, started = subject.bundle(), subject.configuration(), subject.started()
    assert subject.run(bundle / "apply.sh", "--no-restart").status == 0
    assert subject.show() == {**SHOWN, "shared_buffers": "128MB"}
    verified = subject.run(bundle / "verify.sh")
    assert verified.status == 1
    differing = [line for line in verified.out.splitlines() if line.startswith("DIFFERS")]
    assert len(differing) == 1
    assert "shared_buffers" in differing[0]
    assert "waits for a restart" in differing[0]
    assert subject.run(bundle / "apply.sh").status == 3
    assert subject.run(bundle / "rollback.sh", "--no-restart").status == 0
    assert subject.show() == BEFORE
    assert (subject.configuration(), subject.started()) == (before, started)


def test_a_rollback_without_a_restart_is_finished_by_one_with(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(), subject.configuration()
    subject.run(bundle / "apply.sh")
    ran = subject.run(bundle / "rollback.sh", "--no-restart")
    assert ran.status == 0
    assert "Waiting for a restart of the server: shared_buffers" in ran.out
    assert subject.configuration() == before
    assert subject.show() == {**BEFORE, "shared_buffers": "192MB"}
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.show() == BEFORE
    assert subject.run(bundle / "rollback.sh").status == 3


@pytest.mark.parametrize("way", WAYS)
def test_rollback_works_while_the_server_is_down(
    way: Way,
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way=way)
    bundle, before = subject.bundle(), subject.configuration()
    subject.run(bundle / "apply.sh")
    subject.cluster.stop()
    ran = subject.run(bundle / "rollback.sh")
    assert ran.status == 0
    assert subject.configuration() == before
    assert not subject.cluster.is_running()
    subject.cluster.start()
    assert subject.show() == BEFORE


@pytest.mark.parametrize("way", WAYS)
def test_case_58_a_stopped_server_gets_its_files_and_is_not_started(
    way: Way,
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way=way)
    subject.cluster.stop()
    bundle, before = subject.bundle(), subject.configuration()
    assert subject.run(bundle / "apply.sh").status == 0
    assert not subject.cluster.is_running()
    assert subject.run(bundle / "verify.sh").status == 0
    subject.cluster.start()
    assert subject.show() == SHOWN
    assert subject.run(bundle / "verify.sh").status == 0
    subject.cluster.stop()
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.configuration() == before


def test_a_setting_that_someone_changed_since_is_refused_by_name(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    subject.cluster.query("ALTER SYSTEM SET work_mem = '8MB'")
    subject.cluster.query("SELECT pg_reload_conf()")
    before, started = subject.configuration(), subject.started()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "work_mem: planned on 4096, found 8192" in ran.err
    assert (subject.configuration(), subject.started()) == (before, started)


def test_case_49_another_cluster_in_the_same_place_is_refused(make_subject: MakeSubject) -> None:
    subject = make_subject()
    facts = subject.facts()
    (server,) = facts.postgres
    other = dataclasses.replace(server, system_identifier=Known("1234567890123456789", "test"))
    facts = dataclasses.replace(facts, postgres=(other,))
    bundle = subject.bundles / "other"
    write_bundle(small_plan(facts, WANTED), bundle, facts_to_json(facts), answers_to_toml(small_answers()))
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "system identifier" in ran.err


def test_case_42_a_setting_on_the_command_line_is_refused(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, cluster = subject.bundle({"pg.work_mem": "24MB"}), subject.cluster
    cluster.stop()
    pg_ctl = cluster.programs.bin_directory / "pg_ctl"
    log = ("-w", "-l", cluster.log_file)
    cluster.run(pg_ctl, "-D", cluster.data_directory, *log, "-o", "-c work_mem=4MB", "start")
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "command line" in ran.err


def test_case_61_a_restart_that_would_put_the_changes_of_others_in_force_is_refused(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    with subject.cluster.config_file.open("a") as config:
        config.write("max_connections = '50'\n")
    subject.cluster.query("SELECT pg_reload_conf()")
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "max_connections" in ran.err
    assert subject.run(bundle / "apply.sh", "--no-restart").status == 0


def test_case_60_files_that_are_broken_already_are_refused_before_anything_is_changed(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    with subject.cluster.config_file.open("a") as config:
        config.write("no_such_setting = 1\n")
    before = subject.configuration()
    ran = subject.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "no_such_setting" in ran.err
    assert subject.configuration() == before


def test_case_41_a_setting_that_alter_system_has_set_is_changed_where_it_stands(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    subject.cluster.query("ALTER SYSTEM SET work_mem = '8MB'")
    subject.cluster.query("SELECT pg_reload_conf()")
    auto = subject.cluster.data_directory / "postgresql.auto.conf"
    there = Setting(value="8192", unit="kB", source="configuration file", sourcefile=f"{auto}:3")
    bundle, before = subject.bundle(work_mem=there), subject.configuration()
    assert subject.run(bundle / "apply.sh").status == 0
    assert subject.show() == SHOWN
    assert "work_mem = '24MB'" in auto.read_text()
    assert subject.run(bundle / "verify.sh").status == 0
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.show() == {**BEFORE, "work_mem": "8MB"}
    assert subject.configuration() == before


def test_what_others_set_with_alter_system_meanwhile_survives_the_rollback(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject(way="ALTER SYSTEM")
    bundle = subject.bundle({"pg.work_mem": "24MB"})
    subject.run(bundle / "apply.sh")
    subject.cluster.query("ALTER SYSTEM SET maintenance_work_mem = '128MB'")
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.show()["work_mem"] == "4MB"
    assert subject.cluster.query("SHOW maintenance_work_mem") == "128MB"


def test_the_owner_of_the_server_needs_no_root_for_its_settings(make_subject: MakeSubject) -> None:
    subject = make_subject()
    if os.geteuid() != 0:
        pytest.skip("only root can become the owner; everyone else is the owner already")
    place = subject.cluster.directory
    own = dataclasses.replace(subject, state=place / "state", bundles=place / "bundles")
    own.bundles.mkdir()
    become = ("setpriv", f"--reuid={own.cluster.os_user}", f"--regid={own.cluster.os_user}", "--init-groups")
    bundle, before = own.bundle(), own.configuration()
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = own.run(bundle / script, before=become)
        assert (ran.status, ran.err) == (0, "")
    assert own.configuration() == before


def test_verify_says_that_a_server_that_should_run_is_down(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    subject.run(bundle / "apply.sh")
    subject.cluster.stop()
    ran = subject.run(bundle / "verify.sh")
    assert ran.status == 1
    assert "the server is down" in ran.out


@pytest.mark.kernel
def test_case_63_a_server_moves_to_huge_pages_and_back_and_the_pool_with_it(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject()
    pool = Path("/proc/sys/vm/nr_hugepages")
    reserved = int(pool.read_text())
    facts = subject.facts()
    settings = {**facts.kernel.settings, "vm.nr_hugepages": Known(reserved, "test")}
    facts = dataclasses.replace(facts, kernel=dataclasses.replace(facts.kernel, settings=settings))
    bundle = subject.bundles / "huge"
    wanted = {"kernel.nr_hugepages": str(reserved + 150), "pg.huge_pages": "on"}
    write_bundle(small_plan(facts, wanted), bundle, facts_to_json(facts), answers_to_toml(small_answers()))
    before = subject.configuration()
    try:
        applied = subject.run(bundle / "apply.sh")
        assert (applied.status, applied.err) == (0, "")
        assert subject.cluster.query("SHOW huge_pages") == "on"
        assert int(pool.read_text()) == reserved + 150
        assert subject.run(bundle / "verify.sh").status == 0
        restored = subject.run(bundle / "rollback.sh")
        assert (restored.status, restored.err) == (0, "")
        assert int(pool.read_text()) == reserved
        assert subject.cluster.query("SHOW huge_pages") == "try"
        assert subject.configuration() == before
    finally:
        subject.run(bundle / "rollback.sh")
        pool.write_text(str(reserved))
