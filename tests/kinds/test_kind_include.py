"""One line in postgresql.conf, where no drop-in is read and ALTER SYSTEM is forbidden."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from faulty_programs import kill_before_moving, without_shims
from pretend_root import DATA, FILES, PretendRoot, make_root
from small_bundles import small_bundle
from small_plans import small_facts, with_settings
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Setting
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Absent

CONF = f"{DATA}/postgresql.conf"
OWN = "# the DBA's own file, caf\u00e9\nport = 5433"
"""Without an end of its last line."""
DROP_IN = f"{DATA}/zz-tunewiz.conf"
LINE = "include = 'zz-tunewiz.conf'"
WANTED: Mapping[str, str] = {"pg.work_mem": "24MB"}


def forbidding(**settings: Setting) -> Facts:
    """A server of 17 that takes no ALTER SYSTEM and includes no directory."""
    facts = small_facts(Given(major="17"), include_directory=Absent("no include_dir"))
    off = Setting(value="off", source="configuration file")
    (server,) = facts.postgres
    return small_facts(
        Given(major="17"),
        include_directory=Absent("no include_dir"),
        settings=with_settings(server, allow_alter_system=off, **settings).settings,
    )


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path, {**FILES, f"{DATA}/PG_VERSION": "17\n", CONF: OWN})
    made.path(CONF).write_bytes(OWN.encode("latin-1"))
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle", WANTED, facts=forbidding())


def test_the_line_is_added_verified_and_taken_out_to_the_byte(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert machine.path(CONF).read_bytes() == f"{OWN}\n{LINE}\n".encode("latin-1")
    assert machine.read(DROP_IN).splitlines()[1:] == ["work_mem = '24MB'"]
    assert machine.run(bundle / "verify.sh").status == 0
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_a_dry_run_tells_it_and_changes_nothing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    assert f"would add the line {LINE} to {CONF}" in machine.run(bundle / "apply.sh", "--dry-run").out
    assert machine.tree() == before
    machine.run(bundle / "apply.sh")
    applied = machine.tree()
    assert f"would remove the line {LINE} from {CONF}" in machine.run(bundle / "rollback.sh", "--dry-run").out
    assert machine.tree() == applied


def test_a_line_that_someone_has_put_there_since_the_plan_is_told(machine: PretendRoot, bundle: Path) -> None:
    machine.write(CONF, f"{LINE}\n")
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, f"{LINE}: no such line when planned, found the line" in ran.err) == (4, True)
    assert machine.tree() == before


def test_owner_and_mode_of_the_file_stay(machine: PretendRoot, bundle: Path) -> None:
    machine.path(CONF).chmod(0o640)
    if os.geteuid() == 0:
        os.chown(machine.path(CONF), 101, 104)
    before = machine.path(CONF).stat()
    machine.run(bundle / "apply.sh")
    after = machine.path(CONF).stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_what_its_owner_wrote_since_stays(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    with machine.path(CONF).open("a") as conf:
        conf.write("log_connections = on\n")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.path(CONF).read_bytes().decode("latin-1") == f"{OWN}\nlog_connections = on\n"
    assert not machine.path(DROP_IN).exists()


@pytest.mark.parametrize("what", ["a link", "a hard link"])
def test_a_file_with_two_names_is_refused(what: str, machine: PretendRoot, bundle: Path) -> None:
    other = machine.path("/etc/postgresql.conf")
    if what == "a link":
        machine.path(CONF).rename(other)
        machine.path(CONF).symlink_to(other)
    else:
        other.hardlink_to(machine.path(CONF))
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert what in ran.err
    assert machine.tree() == before


def test_a_line_that_someone_took_out_differs(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.path(CONF).write_bytes(OWN.encode("latin-1"))
    ran = machine.run(bundle / "verify.sh", "--json")
    assert ran.status == 1
    (item,) = (load for load in json.loads(ran.out)["items"] if load["kind"] == "include")
    assert (item["configured"], item["survives_reboot"]) == (None, False)


def test_what_alter_system_has_set_is_out_of_reach_where_it_is_forbidden(tmp_path: Path) -> None:
    auto = Setting(value="4096", unit="kB", source="configuration file", sourcefile="postgresql.auto.conf:3")
    made = small_bundle(tmp_path / "bundle", WANTED, facts=forbidding(work_mem=auto))
    assert "it was set with ALTER SYSTEM" in (made / "REVIEW.md").read_text()
    assert "setting|" not in (made / "steps.txt").read_text()


def test_case_6_a_line_that_a_killed_run_had_not_put_in_place_leaves_nothing_behind(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    kill_before_moving(machine, bundle / "apply.sh", CONF)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before
