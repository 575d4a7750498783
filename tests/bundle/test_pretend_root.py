"""Bundles applied to a pretend root and taken back: what is compared is state, not words."""

import dataclasses
import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pretend_root import (
    DATA,
    DROP_IN,
    FILES,
    SYSCTL_FILE,
    TMPFILES_FILE,
    Entry,
    PretendRoot,
    make_root,
)
from shells import EVERY_SHELL
from small_plans import THP, WANTED, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.examples import Given
from tunewiz.core.facts import Facts
from tunewiz.core.known import Known, Unknown
from tunewiz.records import answers_to_toml, facts_to_json

MakeBundle = Callable[..., Path]


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def bundle(tmp_path: Path) -> MakeBundle:
    def make(wanted: Mapping[str, str] = WANTED, *, facts: Facts | None = None, name: str = "bundle") -> Path:
        found = facts or small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
        write_bundle(
            small_plan(found, wanted), tmp_path / name, facts_to_json(found), answers_to_toml(small_answers())
        )
        return tmp_path / name

    return make


def in_force(machine: PretendRoot) -> dict[str, str]:
    """What the small plan changes, as it is now."""
    values = {name: machine.read(f"/proc/sys/vm/{name}").strip() for name in ("dirty_bytes", "dirty_ratio")}
    drop_ins = {path: machine.path(path).exists() for path in (SYSCTL_FILE, TMPFILES_FILE, DROP_IN)}
    return {**values, "thp": machine.read(THP).strip(), "drop-ins": str(set(drop_ins.values()))}


AS_PLANNED = {
    "dirty_bytes": "536870912",
    "dirty_ratio": "0",
    "thp": "always madvise [never]",
    "drop-ins": "{True}",
}


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_apply_verify_and_rollback_keep_their_promise_in_every_shell(
    shell: tuple[str, ...], machine: PretendRoot, bundle: MakeBundle
) -> None:
    machine = dataclasses.replace(machine, shell=shell)
    made, before = bundle(), machine.tree()
    applied = machine.run(made / "apply.sh")
    assert (applied.status, applied.err) == (0, "")
    assert in_force(machine) == AS_PLANNED
    assert machine.run(made / "verify.sh").status == 0
    restored = machine.run(made / "rollback.sh")
    assert (restored.status, restored.err) == (0, "")
    assert machine.tree() == before


def test_case_44_a_drop_in_is_readable_by_all_and_belongs_to_whom_the_configuration_belongs(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    if os.geteuid() == 0:
        os.chown(machine.path(f"{DATA}/postgresql.conf"), 101, 104)
    machine.run(bundle() / "apply.sh")
    made, like = machine.path(DROP_IN).stat(), machine.path(f"{DATA}/postgresql.conf").stat()
    assert stat.S_IMODE(made.st_mode) == 0o644
    assert (made.st_uid, made.st_gid) == (like.st_uid, like.st_gid)
    assert machine.read(DROP_IN).splitlines()[1:] == ["shared_buffers = '256MB'", "work_mem = '24MB'"]


def test_what_was_there_before_is_kept_out_of_sight_of_others(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    machine.run(bundle() / "apply.sh")
    assert stat.S_IMODE(machine.state.stat().st_mode) == 0o700
    assert not any(stat.S_IMODE(each.stat().st_mode) & 0o077 for each in machine.state.rglob("*.value"))


def test_a_dry_run_tells_every_step_and_changes_nothing(machine: PretendRoot, bundle: MakeBundle) -> None:
    made, before = bundle(), machine.tree()
    ran = machine.run(made / "apply.sh", "--dry-run")
    assert ran.status == 0
    assert machine.tree() == before
    assert not machine.state.exists()
    for told in ("write 536870912 to /proc/sys/vm/dirty_bytes", f"write never to {THP}", f"put {DROP_IN}"):
        assert f"would {told}" in ran.out


def test_a_dry_rollback_changes_nothing(machine: PretendRoot, bundle: MakeBundle) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    before, kept = machine.tree(), entries(machine.state)
    ran = machine.run(made / "rollback.sh", "--dry-run")
    assert ran.status == 0
    assert "would write 20 to /proc/sys/vm/dirty_ratio" in ran.out
    assert (machine.tree(), entries(machine.state)) == (before, kept)


def entries(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Every file below, with the time it was last written."""
    files = (each for each in directory.rglob("*") if each.is_file())
    return {str(each): (each.stat().st_mtime_ns, each.read_bytes()) for each in files}


def test_case_55_applying_twice_does_nothing_the_second_time(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    written = entries(machine.root) | entries(machine.state)
    again = machine.run(made / "apply.sh")
    assert (again.status, again.said) == (3, "Applied already, nothing done.\n")
    assert entries(machine.root) | entries(machine.state) == written


def test_case_54_rolling_back_twice_does_nothing_the_second_time(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    machine.run(made / "rollback.sh")
    written = entries(machine.root) | entries(machine.state)
    assert machine.run(made / "rollback.sh").status == 3
    assert entries(machine.root) | entries(machine.state) == written


def test_a_bundle_that_was_never_applied_has_nothing_to_take_back(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    before = machine.tree()
    assert machine.run(bundle() / "rollback.sh").status == 3
    assert machine.tree() == before


def test_a_bundle_can_be_applied_again_after_it_was_taken_back(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    for _ in range(2):
        assert machine.run(made / "apply.sh").status == 0
        assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


DRIFT = {
    "another machine": ("/etc/machine-id", "f" * 32 + "\n", "the machine"),
    "no machine id": ("/etc/machine-id", "", "the machine"),
    "another major": (f"{DATA}/PG_VERSION", "16\n", "planned for PostgreSQL 15, found 16"),
    "a value that was changed": ("/proc/sys/vm/dirty_bytes", "4096\n", "vm.dirty_bytes"),
    "a twin that was changed": ("/proc/sys/vm/dirty_ratio", "40\n", "vm.dirty_bytes"),
    "a word that was changed": (THP, "always [madvise] never\n", THP),
    "a file of someone else's": (SYSCTL_FILE, "vm.swappiness = 1\n", SYSCTL_FILE),
    "a later file with the same name": ("/etc/sysctl.d/99-a.conf", "vm.dirty_bytes=1\n", "99-a.conf"),
    "a later file with the twin": ("/usr/lib/sysctl.d/zz.conf", "-vm/dirty_ratio = 5\n", "zz.conf"),
    "an earlier file for the word": ("/etc/tmpfiles.d/a.conf", f"w {THP} - - - - always\n", "a.conf"),
    "too little memory": (
        "/proc/meminfo",
        "MemTotal: 67108864 kB\nMemAvailable: 200000 kB\n",
        "vm.nr_hugepages",
    ),
}


@pytest.mark.parametrize("case", DRIFT)
def test_cases_45_46_49_57_apply_refuses_what_the_plan_did_not_see_and_says_which(
    case: str, machine: PretendRoot, bundle: MakeBundle
) -> None:
    path, content, named = DRIFT[case]
    machine.write(path, content)
    made, before = bundle(), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 4
    assert named in ran.err
    assert machine.tree() == before


def test_a_missing_data_directory_is_refused(machine: PretendRoot, bundle: MakeBundle) -> None:
    shutil.rmtree(machine.path(DATA))
    assert machine.run(bundle() / "apply.sh").status == 4


def test_a_kernel_without_the_setting_is_refused(machine: PretendRoot, bundle: MakeBundle) -> None:
    machine.path(THP).unlink()
    ran = machine.run(bundle() / "apply.sh")
    assert ran.status == 4
    assert THP in ran.err


def test_case_25_a_link_in_the_place_of_a_drop_in_is_refused(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    machine.path(SYSCTL_FILE).symlink_to("10-network.conf")
    before = machine.tree()
    assert machine.run(bundle() / "apply.sh").status == 4
    assert machine.tree() == before


def test_every_difference_is_told_not_only_the_first(machine: PretendRoot, bundle: MakeBundle) -> None:
    machine.write("/proc/sys/vm/dirty_bytes", "4096\n")
    machine.write(THP, "always [madvise] never\n")
    ran = machine.run(bundle() / "apply.sh")
    assert "vm.dirty_bytes: planned on 0, found 4096" in ran.err
    assert f"{THP}: planned on always, found madvise" in ran.err


def test_a_rival_file_that_is_masked_or_earlier_does_not_count(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    machine.write("/usr/lib/sysctl.d/zz.conf", "vm.dirty_bytes = 1\n")
    machine.path("/etc/sysctl.d/zz.conf").symlink_to("/dev/null")
    machine.write("/usr/lib/sysctl.d/50-default.conf", "vm.dirty_bytes = 2\n")
    assert machine.run(bundle() / "apply.sh").status == 0


@pytest.mark.parametrize(
    "hurt", ["steps.txt", "lib/sysctl.sh", "apply.sh", "files/etc/sysctl.d/90-tunewiz.conf"]
)
def test_case_48_a_single_changed_byte_breaks_the_bundle(
    hurt: str, machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    content = bytearray((made / hurt).read_bytes())
    content[-2] ^= 1
    script = made / ("verify.sh" if hurt == "apply.sh" else "apply.sh")
    (made / hurt).write_bytes(content)
    ran = machine.run(script)
    assert ran.status == 2
    assert "SHA256SUMS" in ran.err
    assert machine.tree() == before


def test_case_48_a_bundle_that_lost_a_line_of_its_checksums_is_not_whole(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle()
    sums = (made / "SHA256SUMS").read_text().splitlines(keepends=True)
    (made / "SHA256SUMS").write_text("".join(sums[1:]))
    assert machine.run(made / "apply.sh").status == 2


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh", "verify.sh"])
def test_an_unknown_argument_is_refused_with_the_usage(
    script: str, machine: PretendRoot, bundle: MakeBundle
) -> None:
    ran = machine.run(bundle() / script, "--force")
    assert ran.status == 2
    assert "usage:" in ran.err


def test_a_state_directory_of_no_absolute_path_is_refused(machine: PretendRoot, bundle: MakeBundle) -> None:
    here = dataclasses.replace(machine, environment={"TUNEWIZ_STATE_DIR": "state"})
    assert here.run(bundle() / "apply.sh").status == 2


def test_case_51_a_second_run_does_not_start_while_the_first_holds_the_lock(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    hold_lock(machine, os.getpid())
    for script in ("apply.sh", "rollback.sh"):
        ran = machine.run(made / script)
        assert ran.status == 75
        assert str(os.getpid()) in ran.err
    assert machine.tree() == before


def test_case_51_the_lock_of_a_process_that_is_gone_is_taken_over(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    hold_lock(machine, gone.pid)
    assert machine.run(bundle() / "apply.sh").status == 0
    assert not (machine.state / "lock").exists()


def hold_lock(machine: PretendRoot, pid: int) -> None:
    """A lock as a script takes it: number, boot, start of the process."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    about = Path(f"/proc/{pid}/stat")
    start = about.read_text().rpartition(")")[2].split()[19] if about.exists() else "1"
    (machine.state / "lock").mkdir(parents=True)
    (machine.state / "lock" / "owner").write_text(f"{pid} {boot} {start}\n")


def test_a_step_that_fails_takes_back_those_before_it(machine: PretendRoot, bundle: MakeBundle) -> None:
    machine.write(THP, "[always] madvise\n")
    made, before = bundle(), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 5
    assert f"FAILED: {THP}" in ran.err
    assert machine.tree() == before
    assert machine.run(made / "rollback.sh").status == 3


def test_case_47_rollback_leaves_alone_what_someone_else_changed_since(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", "128\n")
    machine.write(DROP_IN, "work_mem = '1GB'\n")
    for _ in range(2):
        ran = machine.run(made / "rollback.sh")
        assert ran.status == 4
        assert "vm.nr_hugepages" in ran.err
        assert DROP_IN in ran.err
    after = dict(machine.tree())
    assert machine.read("/proc/sys/vm/nr_hugepages") == "128\n"
    assert after.pop(DROP_IN[1:]).content == b"work_mem = '1GB'\n"
    before_rest = {path: each for path, each in before.items() if path != "proc/sys/vm/nr_hugepages"}
    assert {path: after.get(path) for path in before_rest} == before_rest


def test_a_drop_in_that_someone_removed_is_as_before(machine: PretendRoot, bundle: MakeBundle) -> None:
    made, before = bundle(), machine.tree()
    machine.run(made / "apply.sh")
    machine.path(SYSCTL_FILE).unlink()
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_apply_after_a_foreign_change_says_so_and_does_nothing(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", "128\n")
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 4
    assert machine.tree() == before


def test_what_cannot_be_restored_does_not_keep_the_rest_from_it(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    machine.run(made / "apply.sh")
    shim(machine, "rm", f'case "$*" in *{Path(SYSCTL_FILE).name}) exit 1 ;; esac\nexec /bin/rm "$@"')
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 5
    assert f"NOT restored: {SYSCTL_FILE}" in ran.err
    unrestored = dict(machine.tree())
    assert unrestored.pop(SYSCTL_FILE[1:]).content.startswith(b"# Put here")
    assert without_shims(unrestored) == before
    machine.path("/usr/bin/rm").unlink()
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


def shim(machine: PretendRoot, name: str, body: str) -> None:
    """Puts a program before the real one; scripts look into the pretend root first."""
    machine.write(f"/usr/bin/{name}", f"#!/bin/sh\n{body}\n")
    machine.path(f"/usr/bin/{name}").chmod(0o755)


def without_shims(tree: Mapping[str, Entry]) -> dict[str, Entry]:
    return {path: each for path, each in tree.items() if not path.startswith("usr")}


def strike(machine: PretendRoot, program: str, at: int, signal: str) -> None:
    """The Nth call of a program sends a signal to the script that called it; later ones are as ever."""
    counter = machine.root.parent / "calls"
    counter.write_text("0")
    shim(
        machine,
        program,
        f"read calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
        f'[ $calls -ne {at} ] || kill -{signal} $PPID\nexec /bin/{program} "$@"',
    )


def calls_of(machine: PretendRoot, program: str, script: Path) -> int:
    """How often a whole run calls the program."""
    strike(machine, program, 0, "KILL")
    machine.run(script)
    return int((machine.root.parent / "calls").read_text())


EVERY_CALL = [pytest.param("sync", marks=pytest.mark.slow), "mv", pytest.param("cat", marks=pytest.mark.slow)]
"""sync comes before and after each change; the journal and every file pass through one of these."""


@pytest.mark.parametrize("program", EVERY_CALL)
def test_cases_1_2_5_6_15_apply_killed_anywhere_is_taken_back_whole(
    program: str, tmp_path: Path, bundle: MakeBundle
) -> None:
    made = bundle()
    rehearsal = make_root(tmp_path / "rehearsal")
    calls = calls_of(rehearsal, program, made / "apply.sh")
    for at in range(1, calls + 1):
        machine = make_root(tmp_path / f"killed-{at}")
        before = machine.tree()
        strike(machine, program, at, "KILL")
        machine.run(made / "apply.sh")
        shutil.rmtree(machine.path("/usr"))
        assert machine.run(made / "rollback.sh").status in (0, 3)
        assert machine.tree() == before, f"killed at call {at} of {program}"


@pytest.mark.parametrize("program", EVERY_CALL[:2])
def test_cases_2_3_apply_killed_anywhere_can_be_finished(
    program: str, tmp_path: Path, bundle: MakeBundle
) -> None:
    made = bundle()
    rehearsal = make_root(tmp_path / "rehearsal")
    calls = calls_of(rehearsal, program, made / "apply.sh")
    for at in range(1, calls + 1):
        machine = make_root(tmp_path / f"killed-{at}")
        before = machine.tree()
        strike(machine, program, at, "KILL")
        machine.run(made / "apply.sh")
        shutil.rmtree(machine.path("/usr"))
        assert machine.run(made / "apply.sh").status in (0, 3)
        assert in_force(machine) == AS_PLANNED
        assert machine.run(made / "rollback.sh").status == 0
        assert machine.tree() == before, f"killed at call {at} of {program}"


@pytest.mark.parametrize("program", [*EVERY_CALL[:1], "rm"])
def test_case_7_rollback_killed_anywhere_is_finished_by_the_next(
    program: str, tmp_path: Path, bundle: MakeBundle
) -> None:
    made = bundle()
    rehearsal = make_root(tmp_path / "rehearsal")
    rehearsal.run(made / "apply.sh")
    calls = calls_of(rehearsal, program, made / "rollback.sh")
    for at in range(1, calls + 1):
        machine = make_root(tmp_path / f"killed-{at}")
        before = machine.tree()
        machine.run(made / "apply.sh")
        strike(machine, program, at, "KILL")
        machine.run(made / "rollback.sh")
        shutil.rmtree(machine.path("/usr"))
        assert machine.run(made / "rollback.sh").status in (0, 3)
        assert machine.tree() == before, f"killed at call {at} of {program}"


@pytest.mark.parametrize("signal", ["TERM", "HUP", "INT"])
def test_case_66_apply_that_is_told_to_stop_undoes_what_it_did(
    signal: str, machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(), machine.tree()
    strike(machine, "sync", 8, signal)
    ran = machine.run(made / "apply.sh")
    assert ran.status == 5
    assert "told to stop" in ran.err
    assert without_shims(machine.tree()) == before


@pytest.mark.slow
def test_case_21_a_failed_write_to_disk_is_a_failed_step(tmp_path: Path, bundle: MakeBundle) -> None:
    made = bundle()
    rehearsal = make_root(tmp_path / "rehearsal")
    calls = calls_of(rehearsal, "sync", made / "apply.sh")
    for at in range(1, calls + 1):
        machine = make_root(tmp_path / f"failed-{at}")
        before = machine.tree()
        counter = machine.root.parent / "calls"
        counter.write_text("0")
        shim(
            machine,
            "sync",
            f"read calls <{counter}\ncalls=$((calls + 1))\necho $calls >{counter}\n"
            f'[ $calls -ne {at} ] || exit 1\nexec /bin/sync "$@"',
        )
        assert machine.run(made / "apply.sh").status == 5
        assert without_shims(machine.tree()) == before, f"failed at call {at}"


def test_directories_that_were_not_there_are_made_and_taken_away(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    shutil.rmtree(machine.path("/etc/sysctl.d"))
    made, before = bundle(), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert stat.S_IMODE(machine.path("/etc/sysctl.d").stat().st_mode) == 0o755
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_made_directory_that_others_use_by_now_stays(machine: PretendRoot, bundle: MakeBundle) -> None:
    shutil.rmtree(machine.path("/etc/sysctl.d"))
    made = bundle()
    machine.run(made / "apply.sh")
    machine.write("/etc/sysctl.d/10-other.conf", "vm.swappiness = 1\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.read("/etc/sysctl.d/10-other.conf") == "vm.swappiness = 1\n"
    assert not machine.path(SYSCTL_FILE).exists()


PAIRS = {
    "the ratio was in force": ("0", "20"),
    "the bytes were in force": ("1073741824", "0"),
    "neither was in force": ("0", "0"),
}


@pytest.mark.parametrize("case", PAIRS)
def test_of_a_pair_the_one_that_was_in_force_is_restored(
    case: str, machine: PretendRoot, bundle: MakeBundle
) -> None:
    own, twin = PAIRS[case]
    machine.write("/proc/sys/vm/dirty_bytes", f"{own}\n")
    machine.write("/proc/sys/vm/dirty_ratio", f"{twin}\n")
    facts = small_facts(Given(kernel={"vm.dirty_bytes": int(own), "vm.dirty_ratio": int(twin)}))
    made = bundle({"kernel.dirty_bytes": "536870912"}, facts=facts)
    before = machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_a_second_bundle_keeps_what_the_first_put_in_force(machine: PretendRoot, bundle: MakeBundle) -> None:
    first = bundle({"kernel.swappiness": "10", "pg.work_mem": "24MB"}, name="first")
    assert machine.run(first / "apply.sh").status == 0
    between = machine.tree()
    second = bundle({"kernel.dirty_bytes": "536870912", "pg.shared_buffers": "256MB"}, name="second")
    assert machine.run(second / "apply.sh").status == 0
    assert machine.read(SYSCTL_FILE).splitlines()[1:] == ["vm.dirty_bytes = 536870912", "vm.swappiness = 10"]
    assert machine.read(DROP_IN).splitlines()[1:] == ["shared_buffers = '256MB'", "work_mem = '24MB'"]
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.tree() == between


def test_case_53_bundles_taken_back_out_of_order_leave_each_other_alone(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    before = machine.tree()
    first = bundle({"kernel.swappiness": "10"}, name="first")
    second = bundle({"kernel.dirty_bytes": "536870912"}, name="second")
    machine.run(first / "apply.sh")
    machine.run(second / "apply.sh")
    assert machine.run(first / "rollback.sh").status == 4
    assert machine.read("/proc/sys/vm/swappiness") == "60\n"
    assert "vm.dirty_bytes = 536870912" in machine.read(SYSCTL_FILE)
    assert machine.run(second / "rollback.sh").status == 0
    assert machine.run(first / "rollback.sh").status == 0
    assert machine.tree() == before


VERIFIED = {
    "a value that was changed": ("/proc/sys/vm/dirty_bytes", "4096\n", "vm.dirty_bytes"),
    "a word that was changed": (THP, "[always] madvise never\n", THP),
    "a drop-in that was changed": (
        SYSCTL_FILE,
        "vm.dirty_bytes = 1\nvm.nr_hugepages = 64\n",
        "vm.dirty_bytes",
    ),
    "a later file that wins": ("/etc/sysctl.d/99-a.conf", "vm.dirty_ratio = 5\n", "99-a.conf"),
    "a setting that was taken out": (DROP_IN, "shared_buffers = '256MB'\n", "work_mem"),
}


@pytest.mark.parametrize("case", VERIFIED)
def test_verify_names_what_differs(case: str, machine: PretendRoot, bundle: MakeBundle) -> None:
    path, content, named = VERIFIED[case]
    made = bundle()
    machine.run(made / "apply.sh")
    machine.write(path, content)
    before = machine.tree()
    ran = machine.run(made / "verify.sh")
    assert ran.status == 1
    differing = [line for line in ran.out.splitlines() if line.startswith("DIFFERS")]
    assert len(differing) == 1
    assert named in differing[0]
    assert machine.tree() == before


def test_verify_tells_programs_in_json(machine: PretendRoot, bundle: MakeBundle) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    machine.write("/proc/sys/vm/nr_hugepages", '1"\\\n')
    ran = machine.run(made / "verify.sh", "--json")
    assert ran.status == 1
    told = json.loads(ran.out)
    assert (told["schema"], told["journal"], told["as_planned"]) == (1, "applied", False)
    items = {each["name"]: each for each in told["items"]}
    assert items["vm.nr_hugepages"]["running"] == '1"\\'
    assert [name for name, each in items.items() if not each["as_planned"]] == ["vm.nr_hugepages"]
    assert all(each["survives_reboot"] for each in items.values())


def test_verify_on_another_machine_says_so(machine: PretendRoot, bundle: MakeBundle) -> None:
    made = bundle()
    machine.run(made / "apply.sh")
    machine.write("/etc/machine-id", "f" * 32 + "\n")
    ran = machine.run(made / "verify.sh")
    assert ran.status == 1
    assert "another one" in ran.err


HOSTILE = 'it\'s $(touch pwned) `touch pwned`; "x" | & <b> \\0101 %s *'


def test_case_72_a_hostile_path_is_data_and_nothing_else(tmp_path: Path, bundle: MakeBundle) -> None:
    data = f"/srv/{HOSTILE}"
    files = {path.replace(DATA, data): content for path, content in FILES.items()}
    machine = make_root(tmp_path / "hostile", files, data=data)
    facts = small_facts(
        name=f"{HOSTILE}\n\x1b[31m",
        data_directory=Known(data, "test"),
        config_file=Known(f"{data}/postgresql.conf", "test"),
        include_directory=Known(f"{data}/conf.d", "test"),
    )
    made, before = bundle(facts=facts, name="b $(touch pwned)"), machine.tree()
    for script in ("apply.sh", "verify.sh", "rollback.sh"):
        ran = machine.run(made / script)
        assert (ran.status, ran.err) == (0, "")
        assert "\x1b" not in ran.out
    assert machine.tree() == before
    assert not [each for each in (*tmp_path.rglob("pwned"), Path("pwned"), Path("/pwned")) if each.exists()]


def test_a_host_without_an_id_is_known_by_its_name(machine: PretendRoot, bundle: MakeBundle) -> None:
    facts = small_facts()
    facts = dataclasses.replace(facts, host=dataclasses.replace(facts.host, identity=Unknown("test")))
    made = bundle({"kernel.swappiness": "10"}, facts=facts)
    machine.write("/proc/sys/kernel/hostname", "db2\n")
    assert machine.run(made / "apply.sh").status == 4
    machine.write("/proc/sys/kernel/hostname", "db1\n")
    assert machine.run(made / "apply.sh").status == 0


AUTO = f"{DATA}/postgresql.auto.conf"
SETTINGS = {"pg.work_mem": "24MB", "pg.shared_buffers": "256MB"}


def test_without_an_included_directory_the_settings_go_where_alter_system_puts_them(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made, before = bundle(SETTINGS, facts=small_facts()), machine.tree()
    assert machine.run(made / "apply.sh").status == 0
    lines = machine.read(AUTO).splitlines()
    assert lines == [
        "# Do not edit this file manually!",
        "port = '5433'",
        "shared_buffers = '256MB'",
        "work_mem = '24MB'",
    ]
    assert stat.S_IMODE(machine.path(AUTO).stat().st_mode) == 0o600
    assert machine.run(made / "verify.sh").status == 0
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.tree() == before


def test_what_others_set_with_alter_system_since_stays_when_ours_goes(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    machine.write(AUTO, "port = '5433'\nwork_mem = '1MB'\n")
    made = bundle(SETTINGS, facts=small_facts())
    machine.run(made / "apply.sh")
    machine.write(AUTO, machine.read(AUTO).replace("5433", "5444") + "jit = 'off'\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert machine.read(AUTO).splitlines() == ["port = '5444'", "jit = 'off'", "work_mem = '1MB'"]


def test_a_setting_of_ours_that_another_alter_system_changed_stays(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle(SETTINGS, facts=small_facts())
    machine.run(made / "apply.sh")
    machine.write(AUTO, machine.read(AUTO).replace("24MB", "48MB"))
    before = machine.tree()
    ran = machine.run(made / "rollback.sh")
    assert ran.status == 4
    assert AUTO in ran.err
    assert machine.tree() == before


def test_case_66_a_closed_terminal_does_not_stop_a_run_half_way(
    machine: PretendRoot, bundle: MakeBundle
) -> None:
    made = bundle()
    shell = ("sh", "-c", 'exec sh "$@" >&-', "sh")
    dataclasses.replace(machine, shell=shell).run(made / "apply.sh")
    assert in_force(machine) == AS_PLANNED


def test_case_70_without_root_nothing_is_begun(bundle: MakeBundle) -> None:
    made = bundle({"kernel.swappiness": "10"})
    user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as readable:
        Path(readable).chmod(0o755)
        shutil.copytree(made, Path(readable) / "bundle")
        done = subprocess.run(
            [*user, "sh", Path(readable) / "bundle" / "apply.sh"],
            env={"PATH": os.environ["PATH"], "TUNEWIZ_STATE_DIR": f"{readable}/state"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "root" in done.stderr


def test_a_bundle_without_changes_has_nothing_to_apply(machine: PretendRoot, bundle: MakeBundle) -> None:
    ran = machine.run(bundle({}) / "apply.sh")
    assert (ran.status, ran.said) == (3, "This bundle changes nothing.\n")
    assert not machine.state.exists()
