"""What stands in the way of a file, and what a file carries besides its content."""

import dataclasses
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from behind_mounts import behind, read_only
from pretend_root import DATA, DROP_IN, SYSCTL_FILE, Entry, PretendRoot, make_bundle, make_root
from shells import EVERY_SHELL
from tools_here import needs

AUTO = f"{DATA}/postgresql.auto.conf"
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="mounts and other people's files need root")
REFUSED, FAILED_AND_UNDONE = 4, 5


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle")


@pytest.fixture
def without_drop_in(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle", {"pg.work_mem": "24MB"}, drop_in=False)


@AS_ROOT
@pytest.mark.parametrize("inside", ["/etc/sysctl.d", f"{DATA}/conf.d", "/proc/sys", "/sys"])
def test_cases_22_71_what_is_read_only_is_refused_before_anything_is_changed(
    inside: str, machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    ran = behind(machine, read_only(machine, inside)).run(bundle / "apply.sh")
    assert ran.status == REFUSED, ran.said
    assert inside.lstrip("/").split("/")[0] in ran.err
    assert machine.tree() == before
    assert not any(machine.state.glob("*/kept"))


@AS_ROOT
@needs("chattr")
def test_case_23_a_file_that_may_not_be_changed_keeps_everything_as_it_was(
    machine: PretendRoot, without_drop_in: Path
) -> None:
    auto = machine.path(AUTO)
    before = machine.tree()
    if subprocess.run(["chattr", "+i", auto], check=False, capture_output=True).returncode != 0:
        pytest.skip("this file system knows no immutable files")
    try:
        ran = machine.run(without_drop_in / "apply.sh")
    finally:
        subprocess.run(["chattr", "-i", auto], check=True)
    assert ran.status in {REFUSED, FAILED_AND_UNDONE}, ran.said
    assert machine.tree() == before


@AS_ROOT
def test_case_24_a_file_that_is_a_mount_keeps_everything_as_it_was(
    machine: PretendRoot, without_drop_in: Path
) -> None:
    before, auto = machine.tree(), machine.path(AUTO)
    ran = behind(machine, f"mount --bind '{auto}' '{auto}'").run(without_drop_in / "apply.sh")
    assert ran.status in {REFUSED, FAILED_AND_UNDONE}, ran.said
    assert machine.tree() == before


def test_case_25_a_link_in_the_place_of_what_alter_system_writes_is_refused(
    machine: PretendRoot, without_drop_in: Path
) -> None:
    auto = machine.path(AUTO)
    auto.rename(auto.with_name("elsewhere.conf"))
    auto.symlink_to("elsewhere.conf")
    before = machine.tree()
    assert machine.run(without_drop_in / "apply.sh").status == REFUSED
    assert machine.tree() == before


@pytest.mark.parametrize("way", ["drop-in", "ALTER SYSTEM"])
def test_case_26_a_file_with_a_second_name_is_refused(way: str, machine: PretendRoot, tmp_path: Path) -> None:
    if way == "drop-in":
        machine.run(make_bundle(tmp_path / "first", {"pg.work_mem": "8MB"}) / "apply.sh")
    made = make_bundle(tmp_path / "second", {"pg.random_page_cost": "1.1"}, drop_in=way == "drop-in")
    target = machine.path(DROP_IN if way == "drop-in" else AUTO)
    target.with_name("second name").hardlink_to(target)
    before = machine.tree()
    ran = machine.run(made / "apply.sh")
    assert (ran.status, "has another name" in ran.err) == (REFUSED, True), ran.said
    assert machine.tree() == before


def test_case_29_a_directory_that_became_a_link_gets_nothing(
    machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    included, elsewhere = machine.path(f"{DATA}/conf.d"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    swap = f"/bin/mv {included} {included}.away && /bin/ln -s {elsewhere} {included}"
    machine.write("/usr/bin/mv", f'#!/bin/sh\ncase "$*" in *90-tunewiz*) {swap} ;; esac\nexec /bin/mv "$@"\n')
    machine.path("/usr/bin/mv").chmod(0o755)
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == FAILED_AND_UNDONE, ran.said
    assert f"{DATA}/conf.d: leads elsewhere now" in ran.err
    assert list(elsewhere.iterdir()) == []
    assert not machine.path(SYSCTL_FILE).exists()


def test_case_29_through_a_directory_that_has_become_a_link_nothing_is_taken_away(
    machine: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    machine.run(bundle / "apply.sh")
    included, elsewhere = machine.path(f"{DATA}/conf.d"), tmp_path / "elsewhere"
    included.rename(elsewhere)
    included.symlink_to(elsewhere)
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, f"NOT restored: {DROP_IN}" in ran.err) == (FAILED_AND_UNDONE, True)
    assert (elsewhere / Path(DROP_IN).name).exists()


@AS_ROOT
def test_a_drop_in_belongs_to_whom_the_configuration_belongs_to(machine: PretendRoot, bundle: Path) -> None:
    os.chown(machine.path(f"{DATA}/postgresql.conf"), 4711, 4712)
    assert machine.run(bundle / "apply.sh").status == 0
    made = machine.path(DROP_IN).stat()
    assert (made.st_uid, made.st_gid) == (4711, 4712)


def test_case_30_a_path_longer_than_any_can_be_is_refused(tmp_path: Path) -> None:
    machine = make_root(tmp_path)
    machine.path(f"{DATA}/conf.d/10-site.conf").unlink()
    machine.path(f"{DATA}/conf.d").rmdir()
    deep = machine.path(f"{DATA}/conf.d")
    deep.symlink_to("/".join(["x" * 200] * 19))
    before = machine.tree()
    assert machine.run(make_bundle(tmp_path / "bundle") / "apply.sh").status == REFUSED
    assert machine.tree() == before


OWNED: Mapping[str, str] = {
    "user.note": "kept by hand",
    "security.selinux": "system_u:object_r:postgresql_db_t:s0",
    "security.ima": "signature",
}


@AS_ROOT
@needs("setfacl")
@pytest.mark.parametrize("way", ["drop-in", "ALTER SYSTEM"])
def test_cases_31_32_33_owner_mode_access_lists_and_labels_come_back(
    way: str, machine: PretendRoot, tmp_path: Path
) -> None:
    if way == "drop-in":
        machine.run(make_bundle(tmp_path / "first", {"pg.work_mem": "8MB"}) / "apply.sh")
    made = make_bundle(tmp_path / "second", {"pg.random_page_cost": "1.1"}, drop_in=way == "drop-in")
    target = machine.path(DROP_IN if way == "drop-in" else AUTO)
    os.chown(target, 4711, 4712)
    target.chmod(0o640)
    for name, value in OWNED.items():
        try:
            os.setxattr(target, name, value.encode())
        except OSError as error:
            pytest.skip(f"{name} cannot be set here: {error.strerror}")
    if subprocess.run(["setfacl", "-m", "u:4713:r", target], check=False).returncode != 0:
        pytest.skip("no access list can be set here")
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.tree() != before
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


LINES: Mapping[str, bytes] = {
    "case 34: CR LF": b"port = '5433'\r\nlog_connections = 'on'\r\n",
    "case 35: Latin-1": b"# caf\xe9\nport = '5433'\n",
    "case 36: a byte order mark": b"\xef\xbb\xbf# made by hand\nport = '5433'\n",
    "case 37: no end of the last line": b"# comment\nport = '5433'",
    "case 39: one name twice": b"work_mem = '5MB'\nport = '5433'\nWork_Mem = '6MB'\n",
    "blanks": b"  port   =   '5433'  \n\n\n\t# x\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_cases_34_35_36_37_39_every_byte_of_others_lines_stays_and_comes_back(
    shell: tuple[str, ...], tmp_path: Path, without_drop_in: Path
) -> None:
    for number, (case, content) in enumerate(LINES.items()):
        machine = dataclasses.replace(make_root(tmp_path / str(number)), shell=shell)
        auto = machine.path(AUTO)
        auto.write_bytes(content)
        before = machine.tree()
        if shell == ("yash",) and not content.isascii():
            # It cannot read such a line, and would take its end for the file's.
            assert machine.run(without_drop_in / "apply.sh").status == REFUSED, case
            assert machine.tree() == before, case
            continue
        assert machine.run(without_drop_in / "apply.sh").status == 0, case
        assert others(auto.read_bytes()) == others(content), case
        assert auto.read_bytes().endswith(b"work_mem = '24MB'\n"), case
        assert machine.run(without_drop_in / "rollback.sh").status == 0, case
        assert machine.tree() == before, case


def others(content: bytes) -> list[bytes]:
    return [line for line in content.split(b"\n") if line and not line.lower().startswith(b"work_mem")]


NO_SETTINGS: Mapping[str, bytes] = {"a zero byte": b"port = '5433'\n\0\n", "too long": b"# x\n" * 300_000}


@pytest.mark.parametrize("case", NO_SETTINGS)
def test_case_38_what_is_no_list_of_settings_is_refused(
    case: str, machine: PretendRoot, without_drop_in: Path
) -> None:
    machine.path(AUTO).write_bytes(NO_SETTINGS[case])
    before: Mapping[str, Entry] = machine.tree()
    assert machine.run(without_drop_in / "apply.sh").status == REFUSED
    assert machine.tree() == before
