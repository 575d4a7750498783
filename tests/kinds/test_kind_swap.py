"""A swap file: made, switched on, listed, and taken away without a trace."""

import json
import os
from pathlib import Path

import pytest

from faulty_programs import shim, without_shims
from pretend_root import PretendRoot, make_root
from small_host import host_bundle, put_program
from tunewiz.kinds.swap import SwapFile

SWAP = "/swapfile"
LINE = "/swapfile none swap sw 0 0\n"
FSTAB = "# the machine's own\n/dev/sda1 / ext4\tdefaults 0 1"
"""Without an end of its last line, as people leave it."""
HEAD = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

SWAPON = """#!/bin/sh
[ ! -e "${TUNEWIZ_ROOT%/*}/fail" ] || { echo 'swapon: Invalid argument' >&2; exit 255; }
printf '%s file 1020 0 -2\\n' "${1#"$TUNEWIZ_ROOT"}" >>"$TUNEWIZ_ROOT/proc/swaps"
"""
SWAPOFF = """#!/bin/sh
grep -v "^${1#"$TUNEWIZ_ROOT"} " "$TUNEWIZ_ROOT/proc/swaps" >"$TUNEWIZ_ROOT/proc/swaps.new"
cat "$TUNEWIZ_ROOT/proc/swaps.new" >"$TUNEWIZ_ROOT/proc/swaps" && rm "$TUNEWIZ_ROOT/proc/swaps.new"
"""


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    made.write("/etc/fstab", FSTAB)
    made.write("/proc/swaps", HEAD)
    for name, text in (("mkswap", '#!/bin/sh\ntest -s "$1"\n'), ("swapon", SWAPON), ("swapoff", SWAPOFF)):
        put_program(made, name, text)
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return host_bundle(tmp_path / "bundle", SwapFile(path=SWAP, mebibytes=1))


def test_a_swap_file_is_made_switched_on_listed_and_taken_away(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    made = machine.path(SWAP).stat()
    assert (made.st_size, made.st_mode & 0o777) == (1 << 20, 0o600)
    assert made.st_blocks * 512 >= 1 << 20, "it has holes"
    assert machine.read("/etc/fstab") == f"{FSTAB}\n{LINE}"
    assert machine.run(bundle / "verify.sh").status == 0
    assert machine.run(bundle / "apply.sh").status == 3
    restored = machine.run(bundle / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_owner_and_mode_of_fstab_stay(machine: PretendRoot, bundle: Path) -> None:
    machine.path("/etc/fstab").chmod(0o664)
    if os.geteuid() == 0:
        os.chown(machine.path("/etc/fstab"), 0, 6)
    before = machine.path("/etc/fstab").stat()
    machine.run(bundle / "apply.sh")
    after = machine.path("/etc/fstab").stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


@pytest.mark.parametrize("there", [SWAP, "/etc/fstab", "/proc/swaps"])
def test_what_is_there_already_is_refused(there: str, machine: PretendRoot, bundle: Path) -> None:
    result = {
        SWAP: "other",
        "/etc/fstab": f"{FSTAB}\n{LINE}",
        "/proc/swaps": f"{HEAD}/swapfile file 9 0 -2\n",
    }
    machine.write(there, result[there])
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "/swapfile: nothing there when planned" in ran.err
    assert machine.tree() == before


@pytest.mark.parametrize("what", ["a link", "a hard link"])
def test_an_fstab_with_two_names_is_refused(what: str, machine: PretendRoot, bundle: Path) -> None:
    fstab, other = machine.path("/etc/fstab"), machine.path("/etc/other")
    if what == "a link":
        fstab.rename(other)
        fstab.symlink_to("other")
    else:
        other.hardlink_to(fstab)
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh")
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert (ran.status, len(result), what in result[0]) == (4, 1, True)
    assert machine.tree() == before


def test_a_place_that_is_not_there_is_refused(machine: PretendRoot, tmp_path: Path) -> None:
    bundle = host_bundle(tmp_path / "bundle", SwapFile(path="/srv/swapfile", mebibytes=1))
    ran = machine.run(bundle / "apply.sh")
    result = [line for line in ran.err.splitlines() if line.startswith("  ")]
    assert (ran.status, result) == (4, ["  /srv/swapfile: its directory is not there"])


@pytest.mark.parametrize("missing", ["mkswap", "swapon", "swapoff"])
def test_a_missing_program_is_refused(missing: str, machine: PretendRoot, bundle: Path) -> None:
    machine.path(f"/usr/bin/{missing}").unlink()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert f"{missing} was not found" in ran.err


def test_too_little_room_is_refused(machine: PretendRoot, bundle: Path) -> None:
    put_program(machine, "df", "#!/bin/sh\necho h\necho /dev/sda1 9999999 1 1024 99% /\n")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "needs 1 MiB" in ran.err) == (0, False)
    machine.run(bundle / "rollback.sh")
    put_program(machine, "df", "#!/bin/sh\necho h\necho /dev/sda1 9999999 1 1023 99% /\n")
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 4
    assert "/swapfile: needs 1 MiB, and 0 MiB are free there" in ran.err


@pytest.mark.parametrize("flag", ["C", "-"])
def test_on_btrfs_the_directory_must_be_marked(flag: str, machine: PretendRoot, bundle: Path) -> None:
    real = "/usr/bin/stat"
    put_program(machine, "stat", f'#!/bin/sh\n[ "$1" != -f ] || {{ echo btrfs; exit; }}\nexec {real} "$@"\n')
    put_program(machine, "lsattr", f"#!/bin/sh\necho '---------------{flag}------ /'\n")
    ran = machine.run(bundle / "apply.sh")
    assert (ran.status, "chattr +C" in ran.err) == ((0, False) if flag == "C" else (4, True))


def test_a_kernel_that_refuses_it_leaves_nothing_behind(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    (machine.root.parent / "fail").touch()
    ran = machine.run(bundle / "apply.sh")
    assert ran.status == 5
    assert "swapon: Invalid argument" in ran.err
    assert machine.tree() == before


@pytest.mark.parametrize(
    ("program", "what"), [("sync", "*/swapfile*"), ("dd", "*/swapfile*")], ids=["sync", "dd"]
)
def test_a_file_that_is_not_whole_on_disk_is_not_switched_on(
    program: str, what: str, machine: PretendRoot, bundle: Path
) -> None:
    before, mkswap = machine.tree(), machine.root.parent / "mkswap-ran"
    put_program(machine, "mkswap", f'#!/bin/sh\ntrue >"{mkswap}"\n')
    shim(machine, program, f'case $* in {what}) exit 1 ;; esac\nexec /bin/{program} "$@"')
    assert machine.run(bundle / "apply.sh").status == 5
    assert not mkswap.exists()
    assert machine.run(bundle / "verify.sh").status == 1
    assert without_shims(machine.tree()) == without_shims(before)


def test_a_file_that_the_kernel_does_not_let_go_of_stays(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh")
    put_program(machine, "swapoff", "#!/bin/sh\necho 'swapoff: Cannot allocate memory' >&2\nexit 1\n")
    ran = machine.run(bundle / "rollback.sh")
    assert (ran.status, "swapoff: Cannot allocate memory" in ran.err) == (5, True)
    assert machine.path(SWAP).exists()
    assert machine.read("/etc/fstab") == f"{FSTAB}\n{LINE}"
    put_program(machine, "swapoff", SWAPOFF)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_line_that_someone_added_to_fstab_since_stays(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh")
    with machine.path("/etc/fstab").open("a") as fstab:
        fstab.write("/dev/sdb1 /srv xfs noatime 0 2\n")
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.read("/etc/fstab") == f"{FSTAB}\n/dev/sdb1 /srv xfs noatime 0 2\n"
    assert not machine.path(SWAP).exists()


def test_more_in_use_than_memory_can_take_back_is_not_switched_off(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh")
    machine.write("/proc/swaps", f"{HEAD}{SWAP} file 4194304 4194304 -2\n")
    machine.write("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 1048576 kB\n")
    ran = machine.run(bundle / "rollback.sh")
    assert ran.status == 5
    assert "4096 MiB are swapped to it, only 1024 MiB of memory are available" in ran.err
    assert machine.path(SWAP).exists()


def test_after_a_run_that_was_cut_off_everything_goes_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    put_program(machine, "mkswap", '#!/bin/sh\nkill -9 "$(cut -d " " -f 4 /proc/$PPID/stat)" $PPID\n')
    machine.run(bundle / "apply.sh")
    assert machine.path(SWAP).exists()
    put_program(machine, "mkswap", '#!/bin/sh\ntest -s "$1"\n')
    assert machine.run(bundle / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_dry_run_tells_it_and_changes_nothing(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    assert "would make the swap file /swapfile of 1 MiB" in machine.run(bundle / "apply.sh", "--dry-run").out
    assert machine.tree() == before
    machine.run(bundle / "apply.sh")
    applied = machine.tree()
    ran = machine.run(bundle / "rollback.sh", "--dry-run")
    assert f"would switch the swap file {SWAP} off" in ran.out
    assert machine.tree() == applied


def told(machine: PretendRoot, bundle: Path) -> tuple[str | None, str | None, str | None]:
    """Whether it is on and listed, and what else verify.sh says of it."""
    (item,) = json.loads(machine.run(bundle / "verify.sh", "--json").out)["items"]
    return item["running"], item["configured"], item["remark"]


def test_what_is_swapped_to_it_is_told_and_what_is_missing_of_it(machine: PretendRoot, bundle: Path) -> None:
    assert told(machine, bundle) == (None, None, None)
    machine.run(bundle / "apply.sh")
    machine.write("/proc/swaps", f"{HEAD}{SWAP} file 1048576 2048 -2\n")
    assert told(machine, bundle) == ("on", "on", "2 MiB used")
    machine.path("/proc/swaps").unlink()
    assert told(machine, bundle) == (None, "on", None)
