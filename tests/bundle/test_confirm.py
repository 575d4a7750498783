"""Commit, confirm: what is armed before anything is changed, and what it takes to keep a change."""

import dataclasses
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from pretend_root import DATA, DROP_IN, SYSCTL_FILE, PretendRoot, make_root
from shells import EVERY_SHELL
from small_plans import THP, WANTED, small_answers, small_facts, small_plan
from tunewiz.bundle import write_bundle
from tunewiz.core.known import Known
from tunewiz.records import answers_to_toml, facts_to_json

# systemd as far as the scripts ask it: what it was told stands in `told`, beside the machine.
SYSTEMCTL = """#!/bin/sh
printf '%s\\n' "systemctl $*" >>"{told}"
case $* in
    *is-active*) test -e "{beside}/timer" ;;
    *is-enabled*) test -e "{beside}/guard" ;;
    *enable*) true >"{beside}/guard" ;;
    *disable*) rm -f "{beside}/guard" ;;
    *stop*) rm -f "{beside}/timer" ;;
    *) ;;
esac
"""
SYSTEMD_RUN = """#!/bin/sh
printf '%s\\n' "systemd-run $*" "dirty_bytes $(cat "{root}/proc/sys/vm/dirty_bytes")" >>"{told}"
true >"{beside}/timer"
"""
WANTS = "/etc/systemd/system/sysinit.target.wants"


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    return make_root(tmp_path)


@pytest.fixture
def with_systemd(machine: PretendRoot) -> PretendRoot:
    beside = machine.root.parent
    for directory in ("/run/systemd/system", WANTS):
        machine.path(directory).mkdir(parents=True)
    words = {"told": beside / "told", "beside": beside, "root": machine.root}
    put_program(machine, "systemctl", SYSTEMCTL.format(**words))
    put_program(machine, "systemd-run", SYSTEMD_RUN.format(**words))
    put_program(machine, "systemd-escape", "#!/bin/sh\necho -.mount\n")
    return machine


def put_program(machine: PretendRoot, name: str, text: str) -> None:
    machine.write(f"/usr/bin/{name}", text)
    machine.path(f"/usr/bin/{name}").chmod(0o755)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle")


def make_bundle(directory: Path, wanted: Mapping[str, str] = WANTED) -> Path:
    facts = small_facts(include_directory=Known(f"{DATA}/conf.d", "test"))
    plan = small_plan(facts, wanted)
    write_bundle(plan, directory, facts_to_json(facts), answers_to_toml(small_answers()))
    return directory


def told(machine: PretendRoot) -> list[str]:
    """What systemd was told, in order."""
    file = machine.root.parent / "told"
    return file.read_text().splitlines() if file.exists() else []


def armed(machine: PretendRoot) -> dict[str, bool]:
    """What stands of a revert."""
    beside = machine.root.parent
    return {
        "timer": (beside / "timer").exists(),
        "guard": (beside / "guard").exists(),
        "guard file": any(machine.path("/etc/systemd/system").glob("tunewiz-guard-*.service")),
        "pending": (machine.state / "pending").exists(),
        "this boot": any(machine.path("/run").glob("tunewiz-armed-*")),
    }


def the_copy(machine: PretendRoot) -> Path:
    (copy,) = machine.state.glob("*/revert")
    return copy


def test_case_68_without_systemd_a_revert_is_refused_and_nothing_is_changed(
    machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "systemd does not run this machine" in ran.err
    assert machine.tree() == before
    assert list(machine.state.iterdir()) == []


@pytest.mark.parametrize("missing", ["systemctl", "systemd-run", "systemd-escape"])
def test_a_missing_program_of_systemd_is_named_and_nothing_is_changed(
    missing: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.path(f"/usr/bin/{missing}").unlink()
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert f"systemd's {missing} was not found" in ran.err
    assert with_systemd.tree() == before


def test_case_28_storage_that_comes_with_the_network_is_refused(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    put_program(with_systemd, "systemctl", "#!/bin/sh\necho Before=remote-fs.target umount.target\n")
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "mounted over the network" in ran.err
    assert with_systemd.tree() == before


@pytest.mark.parametrize("broken", ["systemd-run", "systemctl"])
def test_a_revert_that_cannot_be_armed_leaves_nothing_behind(
    broken: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    whole = with_systemd.read(f"/usr/bin/{broken}")
    refusing = {
        "systemd-run": "#!/bin/sh\nexit 1\n",
        "systemctl": whole.replace("is-active*) test", "is-active*) ! test"),
    }
    put_program(with_systemd, broken, refusing[broken])
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert ran.status == 4
    assert "could not be armed" in ran.err
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())
    put_program(with_systemd, broken, whole)
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "10").status == 0


def test_cases_15_67_the_revert_is_armed_before_the_first_change_by_a_timer_that_knows_no_clock(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, ran.err) == (0, "")
    assert "dirty_bytes 0" in told(with_systemd)
    assert with_systemd.read("/proc/sys/vm/dirty_bytes") == "536870912\n"
    assert all(armed(with_systemd).values())
    (timer,) = (line for line in told(with_systemd) if line.startswith("systemd-run"))
    for word in (
        "--on-active=10min",
        "--timer-property=AccuracySec=1s",
        "KillMode=process",
        "OOMScoreAdjust=-900",
        "--unless-confirmed",
    ):
        assert word in timer
    assert "calendar" not in timer.lower()


@pytest.mark.parametrize("shell", EVERY_SHELL)
def test_arming_confirming_and_reverting_work_in_every_shell(
    shell: tuple[str, ...], with_systemd: PretendRoot, bundle: Path
) -> None:
    machine = dataclasses.replace(with_systemd, shell=shell)
    before = machine.tree()
    ran = machine.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, ran.err) == (0, "")
    taken_back = machine.run(the_copy(machine) / "rollback.sh", "--unless-confirmed")
    assert (taken_back.status, taken_back.err) == (0, "")
    assert machine.tree() == before
    assert machine.run(bundle / "apply.sh", "--confirm-within", "10").status == 0
    ran = machine.run(bundle / "apply.sh", "--confirm")
    assert (ran.status, ran.err) == (0, "")
    assert not any(armed(machine).values())


def test_a_revert_that_fails_stays_armed_for_the_next_boot(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    put_program(
        with_systemd, "rm", f'#!/bin/sh\ncase "$*" in *{DROP_IN}) exit 1 ;; esac\nexec /bin/rm "$@"\n'
    )
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed")
    assert (ran.status, f"NOT restored: {DROP_IN}" in ran.err) == (5, True)
    assert all(armed(with_systemd).values())
    with_systemd.path("/usr/bin/rm").unlink()
    assert with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--at-boot").status == 0
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())


def test_case_14_a_revert_waits_for_the_lock_and_then_does_its_work(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    # Ended by the CONT that it is woken with: who holds the lock is asked and waited for.
    with subprocess.Popen(["sh", "-c", "trap 'exit 0' CONT; while :; do sleep 0.1; done"]) as holder:
        stat = Path(f"/proc/{holder.pid}/stat").read_text().rpartition(") ")[2].split()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        lock = with_systemd.state / "lock"
        lock.mkdir()
        (lock / "owner").write_text(f"{holder.pid} {boot} {stat[19]}\n")
        ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed")
    assert (ran.status, ran.err) == (0, "")
    assert with_systemd.tree() == before


def test_what_nobody_confirmed_is_taken_back_by_the_copy(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    for each in sorted(bundle.rglob("*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed")
    assert (ran.status, ran.err) == (0, "")
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())


def test_a_confirmed_change_stays_whatever_fires_afterwards(with_systemd: PretendRoot, bundle: Path) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    applied = {path: each for path, each in with_systemd.tree().items() if "tunewiz-" not in path}
    confirmed = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert (confirmed.status, confirmed.err) == (0, "")
    assert not any(armed(with_systemd).values())
    for how in ("--unless-confirmed", "--at-boot"):
        fired = with_systemd.run(the_copy(with_systemd) / "rollback.sh", how)
        assert (fired.status, fired.out) == (0, "Confirmed: nothing is taken back.\n")
    assert with_systemd.tree() == applied
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 3
    assert with_systemd.run(bundle / "apply.sh").status == 3


def test_a_confirmed_change_can_still_be_rolled_back_by_hand(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.run(bundle / "apply.sh", "--confirm")
    assert with_systemd.run(bundle / "rollback.sh").status == 0
    assert with_systemd.tree() == before


def test_a_rollback_by_hand_disarms(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert with_systemd.run(bundle / "rollback.sh").status == 0
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())


def test_case_8_the_journal_is_written_before_the_timer_is_stopped_and_the_guard_disabled(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    (journal,) = with_systemd.state.glob("*/journal")
    put_program(
        with_systemd,
        "systemctl",
        f'#!/bin/sh\necho "$* after $(tail -n 1 "{journal}")" >>"{with_systemd.root.parent}/order"\n',
    )
    with_systemd.run(bundle / "apply.sh", "--confirm")
    order = (with_systemd.root.parent / "order").read_text().splitlines()
    assert [line.split()[1] for line in order[:2]] == ["stop", "disable"]
    assert all(line.endswith(" after confirmed") for line in order)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/proc/sys/vm/dirty_bytes", "268435456\n"),
        (THP, "[always] madvise never\n"),
        (SYSCTL_FILE, "vm.swappiness = 1\n"),
        (DROP_IN, "work_mem = '1MB'\n"),
    ],
)
def test_case_56_what_someone_changed_in_the_window_is_listed_and_not_confirmed(
    path: str, content: str, with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.write(path, content)
    ran = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert ran.status == 4
    assert path.removeprefix("/proc/sys/").replace("/", ".") in ran.err or path in ran.err
    assert all(armed(with_systemd).values())


def test_case_52_a_second_bundle_waits_until_the_first_is_settled(
    with_systemd: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    other = make_bundle(tmp_path / "other", {"kernel.swappiness": "10"})
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    applied = with_systemd.tree()
    for one in (other, bundle):
        for how in (("--confirm-within", "10"), ()):
            ran = with_systemd.run(one / "apply.sh", *how)
            assert ran.status == 4
            assert f"sh {the_copy(with_systemd)}/apply.sh --confirm" in ran.err
    assert with_systemd.tree() == applied
    with_systemd.run(bundle / "apply.sh", "--confirm")
    assert with_systemd.run(other / "apply.sh", "--confirm-within", "10").status == 0


def test_nothing_to_confirm_is_told(with_systemd: PretendRoot, bundle: Path) -> None:
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 4
    with_systemd.run(bundle / "apply.sh")
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 3
    with_systemd.run(bundle / "rollback.sh")
    ran = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert (ran.status, "taken back already" in ran.err) == (4, True)


def test_case_8_a_confirm_that_was_cut_off_is_finished_by_the_next(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    (journal,) = with_systemd.state.glob("*/journal")
    with journal.open("a") as stream:
        stream.write("confirmed\n")
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 3
    assert not any(armed(with_systemd).values())
    assert with_systemd.read("/proc/sys/vm/dirty_bytes") == "536870912\n"


def test_case_13_a_guard_gives_up_after_three_boots(with_systemd: PretendRoot, bundle: Path) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    (journal,) = with_systemd.state.glob("*/journal")
    (journal.parent / "boots").write_text("3\n")
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--at-boot")
    assert ran.status == 5
    assert "given up after 3 boots" in ran.err
    assert with_systemd.read("/proc/sys/vm/dirty_bytes") == "536870912\n"


def test_case_14_a_revert_whose_time_comes_while_apply_works_makes_it_undo(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    asked = f'for own in "{with_systemd.state}"/*/kept; do true >"${{own%/*}}/asked"; done'
    put_program(
        with_systemd,
        "mv",
        f'#!/bin/sh\n/bin/mv "$@" || exit\ncase "$*" in *90-tunewiz*) {asked} ;; esac\n',
    )
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.path("/usr/bin/mv").unlink()
    assert ran.status == 5
    assert "the time for a confirmation is up" in ran.err
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())


@pytest.mark.parametrize("given", ["", "0", "1441", "10m", "-5", "010", "99999"])
def test_minutes_that_are_none_are_refused(given: str, with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    for how in (("--confirm-within", given), (f"--confirm-within={given}",)):
        ran = with_systemd.run(bundle / "apply.sh", *how)
        assert ran.status == 2
        assert "expected minutes from 1 to 1440" in ran.err
    assert with_systemd.tree() == before


def test_the_flag_without_minutes_is_wrong_usage(with_systemd: PretendRoot, bundle: Path) -> None:
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within").status == 2
    assert with_systemd.run(bundle / "apply.sh", "--confirm", "--confirm-within", "5").status == 2


def test_a_dry_run_tells_that_it_would_arm_and_confirm(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    ran = with_systemd.run(bundle / "apply.sh", "--dry-run", "--confirm-within", "10")
    assert ran.status == 0
    assert "would arm the revert: in 10 min, and at the next boot" in ran.out
    assert with_systemd.tree() == before
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (
        "would write down that it is confirmed"
        in with_systemd.run(bundle / "apply.sh", "--dry-run", "--confirm").out
    )
    assert all(armed(with_systemd).values())


def test_a_state_directory_that_a_unit_cannot_name_is_refused(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    odd = dataclasses.replace(with_systemd, state=with_systemd.state.parent / "100% state")
    before = odd.tree()
    ran = odd.run(bundle / "apply.sh", "--confirm-within", "10")
    assert (ran.status, "a unit of systemd can name" in ran.err) == (4, True)
    assert odd.tree() == before
