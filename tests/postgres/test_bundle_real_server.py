"""Bundles applied to real servers and taken back: what the server has, and every byte of its files."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from real_postgres import Layout
from real_subject import SHOWN, WAYS, MakeSubject, Way
from small_plans import small_answers, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_to_json

BEFORE = {"shared_buffers": "128MB", "work_mem": "4MB", "random_page_cost": "4"}
STOPS_THE_START = {"pg.shared_preload_libraries": "nosuchlib", "pg.work_mem": "24MB"}
"""ALTER SYSTEM and `postgres -C` take it; only a start tells."""


LAYOUTS = (
    ("plain", "drop-in"),
    pytest.param("plain", "ALTER SYSTEM", marks=pytest.mark.slow),
    pytest.param("debian", "drop-in", marks=pytest.mark.slow),
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
    items = json.loads(subject.run(bundle / "verify.sh", "--json").out)["items"]
    assert [item["name"] for item in items if item["pending_restart"]] == ["shared_buffers"]
    places = [item["from"] for item in items if not item["pending_restart"]]
    assert all(place.startswith(f"{subject.included}/zz-tunewiz.conf:") for place in places)
    assert subject.run(bundle / "apply.sh").status == 3
    assert subject.run(bundle / "rollback.sh", "--dry-run").out.count("would restart the server") == 1
    assert subject.run(bundle / "rollback.sh", "--no-restart").status == 0
    assert subject.show() == BEFORE
    assert (subject.configuration(), subject.started()) == (before, started)


@pytest.mark.parametrize(
    ("line", "status"),
    [("shared_buffers = '3MB'", 4), ("work_mem = '9MB'", 4), ("cpu_tuple_cost = '0.02'", 3)],
)
def test_what_others_will_put_in_force_with_the_next_start_is_not_called_applied(
    line: str, status: int, make_subject: MakeSubject
) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    assert subject.run(bundle / "apply.sh").status == 0
    with (subject.cluster.data_directory / "postgresql.auto.conf").open("a") as later:
        later.write(f"{line}\n")
    then = subject.configuration()
    ran = subject.run(bundle / "apply.sh")
    assert (ran.status, "changed by someone since" in ran.err) == (status, status == 4), ran.said
    assert (subject.show(), subject.configuration()) == (SHOWN, then)


@pytest.mark.slow
def test_a_rollback_without_a_restart_is_finished_by_one_with(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle, before = subject.bundle(), subject.configuration()
    subject.run(bundle / "apply.sh")
    for _ in range(2):
        ran = subject.run(bundle / "rollback.sh", "--no-restart")
        assert ran.status == 0
        assert "Waiting for a restart of the server: shared_buffers" in ran.out.splitlines()
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


@pytest.mark.slow
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
    bundle, before = subject.bundle({"pg.work_mem": "24MB"}), subject.configuration()
    run = subject.run(bundle / "apply.sh", "--dry-run")
    assert (run.status, run.err) == (0, "")
    assert subject.configuration() == before
    assert subject.run(bundle / "apply.sh").status == 0
    assert subject.show()["work_mem"] == "24MB"
    subject.cluster.query("ALTER SYSTEM SET maintenance_work_mem = '128MB'")
    assert subject.run(bundle / "rollback.sh").status == 0
    assert subject.show()["work_mem"] == "4MB"
    assert subject.cluster.query("SHOW maintenance_work_mem") == "128MB"


@pytest.mark.slow
def test_a_cluster_of_debian_is_restarted_with_the_environment_it_has_there(
    make_subject: MakeSubject,
) -> None:
    subject = make_subject("debian")
    data, bundle = subject.cluster.data_directory, subject.bundle()
    for script, observation in (("apply.sh", "one"), ("rollback.sh", "two")):
        (subject.cluster.config_file.parent / "environment").write_text(f"SEEN = '{observation}'\n")
        ran = subject.run(bundle / script)
        assert (ran.status, "restart the server (pg_ctlcluster)" in ran.out) == (0, True), ran.said
        number = (data / "postmaster.pid").read_text().split()[0]
        assert f"SEEN={observation}" in Path(f"/proc/{number}/environ").read_text().split("\0")


@pytest.mark.slow
def test_the_owner_of_the_server_needs_no_root_for_its_settings(make_subject: MakeSubject) -> None:
    subject = make_subject()
    if os.geteuid() != 0:
        pytest.skip("only root can become the owner; everyone else is the owner already")
    place = subject.cluster.directory
    own = dataclasses.replace(subject, state=place / "state", bundles=place / "bundles")
    own.bundles.mkdir()
    become = ("setpriv", f"--reuid={own.cluster.os_user}", f"--regid={own.cluster.os_user}", "--init-groups")
    bundle, before = own.bundle(), own.configuration()
    timed = own.run(bundle / "apply.sh", "--confirm-within", "10", before=become)
    assert (timed.status, "only root can set a timer and a guard" in timed.err) == (4, True)
    assert own.configuration() == before
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
    settings = [line for line in ran.out.splitlines() if "(the server is down)" in line]
    assert len(settings) == len(SHOWN)
    assert all(line.startswith("not known   ") for line in settings)
    assert "DIFFERS" not in ran.out


def test_verify_says_that_the_files_differ_though_the_server_is_down(make_subject: MakeSubject) -> None:
    subject = make_subject()
    bundle = subject.bundle()
    subject.cluster.stop()
    ran = subject.run(bundle / "verify.sh")
    assert ran.status == 1
    assert "DIFFERS     work_mem: planned " in ran.out


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
