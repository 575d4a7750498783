"""Commit, confirm: what it takes to keep a change, and what takes it back where nobody kept it."""

import dataclasses
import subprocess
from pathlib import Path

import pytest

from faulty_programs import kill_at
from pretend_root import DROP_IN, PretendRoot
from pretend_systemd import armed, reboot, the_copy
from shells import EVERY_SHELL
from small_bundles import small_bundle
from small_host import put_program


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


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
        with_systemd, "mv", f'#!/bin/sh\ncase "$*" in *"{DROP_IN} "*) exit 1 ;; esac\nexec /bin/mv "$@"\n'
    )
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed")
    assert (ran.status, f"NOT restored: {DROP_IN}" in ran.err) == (5, True)
    assert all(armed(with_systemd).values())
    own = the_copy(with_systemd).parent
    reboot(with_systemd)
    for boot in ("1\n", "2\n"):
        assert with_systemd.run(own / "revert" / "rollback.sh", "--at-boot").status == 5
        assert (own / "boots").read_text() == boot
    with_systemd.path("/usr/bin/mv").unlink()
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


def test_a_revert_of_what_was_never_applied_has_nothing_to_do(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    assert with_systemd.run(bundle / "rollback.sh", "--unless-confirmed").status == 3
    assert with_systemd.tree() == before


def test_what_nobody_confirmed_is_taken_back_by_the_copy(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    for path in sorted(bundle.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed")
    assert (ran.status, ran.err) == (0, "")
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())
    assert not (with_systemd.state / "lock").exists()


def test_a_confirmed_change_stays_whatever_fires_afterwards(with_systemd: PretendRoot, bundle: Path) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    applied = {path: entry for path, entry in with_systemd.tree().items() if "tunewiz-" not in path}
    confirmed = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert (confirmed.status, confirmed.err) == (0, "")
    assert confirmed.out.splitlines()[-1] == f"Confirmed: it stays. Undo: sh {bundle}/rollback.sh"
    assert not any(armed(with_systemd).values())
    records = {path.name for path in the_copy(with_systemd).parent.iterdir()}
    assert records == {"journal", "applied", "kept", "revert"}
    for how in ("--unless-confirmed", "--at-boot"):
        fired = with_systemd.run(the_copy(with_systemd) / "rollback.sh", how)
        assert (fired.status, fired.out) == (0, "Confirmed: nothing is reverted.\n")
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


def test_case_52_a_second_bundle_waits_until_the_first_is_settled(
    with_systemd: PretendRoot, bundle: Path, tmp_path: Path
) -> None:
    other = small_bundle(tmp_path / "other", {"kernel.swappiness": "10"})
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    applied = with_systemd.tree()
    for one in (other, bundle):
        for how in (("--confirm-within", "10"), ()):
            ran = with_systemd.run(one / "apply.sh", *how)
            assert (ran.status, "is waiting for confirmation" in ran.err) == (4, True)
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
    assert (ran.status, "already reverted" in ran.err) == (4, True)


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
    reboot(with_systemd)
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--at-boot")
    assert ran.status == 5
    assert "gave up after 3 boots" in ran.err
    assert with_systemd.read("/proc/sys/vm/dirty_bytes") == "536870912\n"


def test_case_14_a_revert_whose_time_comes_while_apply_works_makes_it_undo(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    text = f'for own in "{with_systemd.state}"/*/kept; do true >"${{own%/*}}/asked"; done'
    put_program(
        with_systemd,
        "mv",
        f'#!/bin/sh\n/bin/mv "$@" || exit\ncase "$*" in *90-tunewiz*) {text} ;; esac\n',
    )
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.path("/usr/bin/mv").unlink()
    assert ran.status == 5
    assert "the time to confirm ran out" in ran.err
    assert with_systemd.tree() == before
    assert not any(armed(with_systemd).values())


def test_a_revert_that_leaves_what_others_changed_does_not_come_again(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with_systemd.write("/proc/sys/vm/nr_hugepages", "128\n")
    assert with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--unless-confirmed").status == 4
    assert with_systemd.read("/proc/sys/vm/nr_hugepages") == "128\n"
    assert not any(armed(with_systemd).values())


def test_what_is_not_through_cannot_be_confirmed(with_systemd: PretendRoot, bundle: Path) -> None:
    before = with_systemd.tree()
    kill_at(with_systemd, bundle / "apply.sh", "done", "sysctl|vm.nr_hugepages")
    ran = with_systemd.run(bundle / "apply.sh", "--confirm")
    assert (ran.status, "has not finished" in ran.err) == (4, True)
    assert with_systemd.run(bundle / "rollback.sh").status == 0
    assert with_systemd.tree() == before


def test_a_guard_that_is_started_while_its_timer_waits_leaves_everything(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    applied = with_systemd.tree()
    ran = with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--at-boot")
    assert (ran.status, ran.out.startswith("Nothing is reverted yet")) == (0, True)
    assert with_systemd.tree() == applied
    assert all(armed(with_systemd).values())


def test_a_guard_whose_timer_is_gone_acts_though_run_outlived_the_boot(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    (with_systemd.root.parent / "timer").unlink()
    assert with_systemd.run(the_copy(with_systemd) / "rollback.sh", "--at-boot").status == 0
    assert with_systemd.tree() == before
