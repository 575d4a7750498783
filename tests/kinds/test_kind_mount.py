"""A mount option: in force at once, written to /etc/fstab, and put back in both."""

import json
from pathlib import Path

import pytest

from faulty_programs import kill_before_moving, shim
from pretend_root import PretendRoot, make_root
from small_host import host_bundle, put_program
from tunewiz.kinds.mount import MountOption

POINT = "/var/lib/postgresql"
FSTAB = (
    "# made by the installer\n"
    "UUID=1 / ext4 defaults 0 1\n"
    "UUID=2\t/var/lib/postgresql  xfs\trw,strictatime,nodev 0 0\n"
    "UUID=3 /srv xfs defaults 0 0\n"
)
EDITED = FSTAB.replace(
    "UUID=2\t/var/lib/postgresql  xfs\trw,strictatime,nodev 0 0",
    "UUID=2 /var/lib/postgresql xfs rw,noatime,nodev 0 0",
)
MOUNTED = (
    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
    "30 22 8:2 / /var/lib/postgresql rw,nodev{} shared:2 - xfs /dev/sdb1 rw,attr2\n"
)
MOUNT = r"""#!/bin/sh
[ ! -e "${TUNEWIZ_ROOT%/*}/fail" ] || { echo 'mount: busy' >&2; exit 32; }
[ "$1 $2 $3" = '--options-source=mtab --options-source-force -o' ] || exit 1
file=$TUNEWIZ_ROOT/proc/self/mountinfo
case $4 in
    remount,noatime) word=,noatime ;;
    remount,atime,relatime) word=,relatime ;;
    remount,atime,strictatime) word= ;;
    *) exit 1 ;;
esac
sed -e "2s/,nodev[^ ]*/,nodev$word/" "$file" >"$file.new" && cat "$file.new" >"$file" && rm "$file.new"
"""


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    made.write("/etc/fstab", FSTAB)
    made.write("/proc/self/mountinfo", MOUNTED.format(""))
    put_program(made, "mount", MOUNT)
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(
        tmp_path / "bundle", MountOption(mount=POINT, instead_of="strictatime", option="noatime")
    )


def test_the_option_is_in_force_written_verified_and_put_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert machine.read("/proc/self/mountinfo") == MOUNTED.format(",noatime")
    assert machine.read("/etc/fstab") == EDITED
    assert machine.run(bundle / "verify.sh").status == 0
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_where_fstab_names_no_word_for_it_the_option_comes_last(machine: PretendRoot, bundle: Path) -> None:
    machine.write("/etc/fstab", FSTAB.replace(",strictatime", ""))
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 0
    assert "UUID=2 /var/lib/postgresql xfs rw,nodev,noatime 0 0\n" in machine.read("/etc/fstab")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_relatime_comes_back_where_it_was_in_force(machine: PretendRoot, tmp_path: Path) -> None:
    machine.write("/proc/self/mountinfo", MOUNTED.format(",relatime"))
    before = machine.tree()
    made = host_bundle(tmp_path / "bundle", MountOption(mount=POINT, instead_of="relatime", option="noatime"))
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_other_fields_of_its_line_are_no_patterns_of_files(machine: PretendRoot, bundle: Path) -> None:
    machine.write("/etc/fstab", FSTAB.replace("UUID=2", "/de[v]/null"))
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 0
    assert machine.read("/etc/fstab") == EDITED.replace("UUID=2", "/de[v]/null")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_what_is_so_already_is_not_done(machine: PretendRoot, bundle: Path) -> None:
    machine.write("/etc/fstab", EDITED)
    machine.write("/proc/self/mountinfo", MOUNTED.format(",noatime"))
    before = machine.tree()
    assert machine.run(bundle / "apply.sh").status == 3
    assert machine.tree() == before


def test_what_someone_has_put_back_since_needs_no_undoing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh")
    machine.write("/etc/fstab", FSTAB)
    machine.write("/proc/self/mountinfo", MOUNTED.format(""))
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.tree() == before


def test_a_machine_without_the_program_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path("/usr/bin/mount").unlink()
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "mount was not found" in ran.err) == (4, True)


def test_an_fstab_that_cannot_be_replaced_does_not_keep_the_kernel_from_its_former_option(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    shim(machine, "mv", 'case $* in */etc/fstab) exit 1 ;; esac\nexec /bin/mv "$@"')
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "NOT restored" in ran.err) == (5, False)
    machine.path("/usr/bin/mv").unlink()
    assert {path: entry for path, entry in machine.tree().items() if "tunewiz-new" not in path} == before


NOT_AS_PLANNED = {
    "another word is in force": (
        "/proc/self/mountinfo",
        MOUNTED.format(",relatime"),
        "strictatime when planned, found relatime",
    ),
    "it is not mounted": ("/proc/self/mountinfo", MOUNTED.splitlines(keepends=True)[0], "found not mounted"),
    "fstab has no line for it": ("/etc/fstab", "UUID=1 / ext4 defaults 0 1\n", "no line of its own"),
    "its line is a comment": ("/etc/fstab", FSTAB.replace("UUID=2", "#UUID=2"), "no line of its own"),
    "the option is in fstab already": ("/etc/fstab", EDITED, "and noatime in /etc/fstab"),
}


@pytest.mark.parametrize("case", NOT_AS_PLANNED)
def test_what_the_plan_did_not_see_is_refused(case: str, machine: PretendRoot, bundle: Path) -> None:
    path, content, said = NOT_AS_PLANNED[case]
    machine.write(path, content)
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert said in ran.err
    assert machine.tree() == before


def test_a_link_in_the_place_of_fstab_is_refused(machine: PretendRoot, bundle: Path) -> None:
    machine.path("/etc/fstab").rename(machine.path("/etc/fstab.real"))
    machine.path("/etc/fstab").symlink_to("fstab.real")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "/etc/fstab: is a link" in ran.err


def test_where_the_kernel_refuses_fstab_is_not_touched(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    (machine.root.parent / "fail").touch()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "mount: busy" in ran.err
    assert "remounted with noatime, found strictatime" in ran.err
    assert machine.tree() == before


def test_a_new_fstab_that_findmnt_does_not_take_is_not_put_in_place(
    machine: PretendRoot, bundle: Path
) -> None:
    put_program(machine, "findmnt", '#!/bin/sh\n! grep -q noatime "$3"\n')
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "findmnt --verify does not accept the new /etc/fstab" in ran.err
    assert machine.tree() == before


@pytest.mark.parametrize("takes", ["true", "false"])
def test_one_that_it_takes_is_put_in_place_and_so_is_one_that_is_no_worse_than_it_was(
    takes: str, machine: PretendRoot, bundle: Path
) -> None:
    put_program(machine, "findmnt", f"#!/bin/sh\n{takes}\n")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, ran.err) == (0, "")
    assert machine.read("/etc/fstab") == EDITED


def test_other_lines_that_someone_changed_since_stay(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    machine.write("/etc/fstab", EDITED.replace("UUID=3", "UUID=4"))
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.read("/etc/fstab") == FSTAB.replace("UUID=3", "UUID=4")


def test_a_line_that_someone_changed_since_is_left_alone_and_listed(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh")
    machine.write("/etc/fstab", EDITED.replace("noatime,nodev", "noatime,nodev,nosuid"))
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == 4
    assert "/var/lib/postgresql noatime (noatime, /etc/fstab: UUID=2 /var/lib/postgresql xfs" in ran.err
    assert "nosuid" in machine.read("/etc/fstab")


def test_a_dry_run_tells_it_and_changes_nothing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--dry-run")
    assert f"would mount {POINT} with noatime instead of strictatime" in ran.out
    assert machine.tree() == before
    machine.run(bundle / "apply.sh")
    applied = machine.tree()
    assert f"would mount {POINT} as before" in machine.run(bundle / "rollback.sh", "--dry-run").out
    assert machine.tree() == applied


def told(machine: PretendRoot, bundle: Path) -> tuple[str | None, str | None]:
    """What is in force and what the next boot gives, as verify.sh tells it."""
    (item,) = json.loads(machine.run(bundle / "verify.sh", "--json").out)["items"]
    return item["running"], item["configured"]


def test_what_is_in_force_is_told_and_what_the_next_boot_gives(machine: PretendRoot, bundle: Path) -> None:
    assert told(machine, bundle) == ("strictatime", None)
    machine.run(bundle / "apply.sh")
    assert told(machine, bundle) == ("noatime", "noatime")
    machine.write("/proc/self/mountinfo", "")
    assert told(machine, bundle) == (None, "noatime")


def test_case_6_an_fstab_that_a_killed_run_had_not_put_in_place_leaves_nothing_behind(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    kill_before_moving(machine, bundle / "apply.sh", "/etc/fstab")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before
