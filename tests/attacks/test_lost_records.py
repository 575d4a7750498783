"""Records that are lost, damaged or out of order are not taken for "was not applied here"."""

import os
import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from small_disks import AS_ROOT

from behind_mounts import behind
from fixtures_bundles import MakeBundle
from pretend_root import PretendRoot
from small_bundles import AS_PLANNED, in_force

pytestmark = pytest.mark.slow

DONE, DIFFERS, REFUSED, LOST = 0, 1, 4, 5


def own(machine: PretendRoot) -> Path:
    """Where the records of the one bundle are."""
    (journal,) = machine.state.glob("*/journal")
    return journal.parent


def journal_is_gone(machine: PretendRoot) -> None:
    (own(machine) / "journal").unlink()


def journal_is_empty(machine: PretendRoot) -> None:
    (own(machine) / "journal").write_text("")


def journal_lost_its_end(machine: PretendRoot) -> None:
    journal = own(machine) / "journal"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:4]))


def journal_is_garbage(machine: PretendRoot) -> None:
    (own(machine) / "journal").write_bytes(b"\0" * 300 + b"\n" + os.urandom(64).hex().encode() + b"\n")


def kept_is_gone(machine: PretendRoot) -> None:
    shutil.rmtree(own(machine) / "kept")


def everything_is_gone(machine: PretendRoot) -> None:
    shutil.rmtree(machine.state)


DAMAGE = (
    journal_is_gone,
    journal_is_empty,
    journal_lost_its_end,
    journal_is_garbage,
    kept_is_gone,
    everything_is_gone,
)


@pytest.mark.parametrize("damage", DAMAGE)
def test_case_94_what_was_lost_is_said_and_nothing_is_guessed(
    damage: Callable[[PretendRoot], None], machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == DONE
    damage(machine)
    applied = machine.tree()
    for _ in range(2):
        ran = machine.run(made / "rollback.sh")
        assert (ran.status, "lost" in ran.err) == (LOST, True), ran.said
        assert (machine.tree(), in_force(machine)) == (applied, AS_PLANNED)


@pytest.mark.parametrize("how", ["gone", "damaged"])
def test_case_95_a_copy_that_is_lost_keeps_its_own_step_alone_from_being_restored(
    how: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == DONE
    steps = (made / "steps.txt").read_text().splitlines()
    (number,) = (number for number, line in enumerate(steps, 1) if line.startswith("sysctl|vm.nr_hugepages"))
    copy = own(machine) / "kept" / f"{number}.value"
    kept = copy.read_text()
    copy.unlink() if how == "gone" else copy.write_text("7\n")
    ran = machine.run(made / "rollback.sh")
    assert ran.status == LOST
    assert f"NOT restored: vm.nr_hugepages (what was there before is lost: {copy})" in ran.err.splitlines()
    assert machine.read("/proc/sys/vm/nr_hugepages") == "64\n"
    assert machine.read("/proc/sys/vm/dirty_bytes") == "0\n"
    copy.write_text(kept)
    assert machine.run(made / "rollback.sh").status == DONE
    assert machine.tree() == before


def test_case_94_records_set_back_to_a_copy_from_after_a_rollback_prove_nothing(
    machine: PretendRoot, bundled: MakeBundle, tmp_path: Path
) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == DONE
    assert machine.run(made / "rollback.sh").status == DONE
    copy = shutil.copytree(own(machine), tmp_path / "copy")
    assert machine.run(made / "apply.sh").status == DONE
    (records,) = (path.parent for path in machine.state.glob("*/applied") if not path.parent.suffix)
    shutil.rmtree(records)
    shutil.copytree(copy, records)
    applied = machine.tree()
    for options in ((), ("--unless-confirmed",)):
        ran = machine.run(made / "rollback.sh", *options)
        assert (ran.status, "as this bundle plans it" in ran.err) == (LOST, True), ran.said
        assert (machine.tree(), in_force(machine)) == (applied, AS_PLANNED)
    ran = machine.run(made / "verify.sh")
    assert (ran.status, "in force all the same" in ran.out) == (DIFFERS, True), ran.said


@pytest.mark.parametrize("drawn", range(6))
def test_case_94_a_journal_that_lost_any_of_its_lines_makes_nobody_say_what_is_not_so(
    drawn: int, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == DONE
    journal = own(machine) / "journal"
    lines = journal.read_text().splitlines(keepends=True)
    intents = [line for line in lines if line.startswith("intent")]
    some = random.sample(lines, random.randint(1, len(lines)))  # noqa: S311 - nothing is secret here
    lost = some if drawn else intents
    journal.write_text("".join(line for line in lines if line not in lost))
    ran = machine.run(made / "rollback.sh")
    assert (ran.status == DONE, "as it was before" in ran.said) in {(True, True), (False, False)}, ran.said
    assert (machine.tree() == before) == (ran.status == DONE), (lost, ran.said)


def test_a_line_that_a_full_disk_cut_off_is_no_damage(machine: PretendRoot, bundled: MakeBundle) -> None:
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == DONE
    with (own(machine) / "journal").open("a") as stream:
        stream.write("inte")
    assert machine.run(made / "rollback.sh").status == DONE
    assert machine.tree() == before
    assert machine.run(made / "rollback.sh").status == 3


def test_case_94_verify_and_apply_say_it_too(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == DONE
    journal_is_gone(machine)
    verified = machine.run(made / "verify.sh")
    assert (verified.status, "lost or damaged" in verified.out) == (DIFFERS, True)
    again = machine.run(made / "apply.sh")
    assert (again.status, "lost or damaged" in again.err) == (REFUSED, True)


@AS_ROOT
@pytest.mark.parametrize("options", [(), ("--unless-confirmed",)], ids=["by hand", "at a deadline"])
@pytest.mark.parametrize("hinder", ["read-only", "full"])
def test_case_96_a_state_directory_in_which_nothing_can_be_written_keeps_nothing_from_being_undone(
    hinder: str, options: tuple[str, ...], machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    assert machine.run(made / "apply.sh").status == DONE
    state = machine.state
    mounts = {
        "read-only": f"mount --bind '{state}' '{state}' && mount -o remount,ro,bind '{state}'",
        "full": f"cp -a '{state}' '{state}.copy' && mount -t tmpfs -o size=1m,mode=0700 tmpfs '{state}' &&"
        f" cp -a '{state}.copy/.' '{state}/' &&"
        f" {{ dd if=/dev/zero of='{state}/ballast' 2>/dev/null; true; }}",
    }
    ran = behind(machine, mounts[hinder]).run(made / "rollback.sh", *options)
    assert (ran.status, "as it was before" in ran.said) == (DONE, True), ran.said
    after = {path: entry for path, entry in machine.tree().items() if path != "run"}
    assert after == before
    assert machine.run(made / "rollback.sh").status == DONE


@AS_ROOT
def test_a_run_that_holds_the_lock_is_not_overtaken_where_nothing_can_be_written(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh").status == DONE
    lock = machine.state / "lock"
    lock.mkdir()
    words = Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    (lock / "owner").write_text(f"{os.getpid()} {boot} {words[19]}\n")
    mounts = f"mount --bind '{machine.state}' '{machine.state}' && mount -o remount,ro,bind '{machine.state}'"
    assert behind(machine, mounts).run(made / "rollback.sh").status == 75
    assert in_force(machine) == AS_PLANNED


def test_case_97_a_watcher_that_has_ended_is_noticed(machine: PretendRoot, bundled: MakeBundle) -> None:
    made = bundled()
    assert machine.run(made / "apply.sh", "--confirm-within", "30", "--watcher").status == DONE
    assert machine.run(made / "verify.sh").status == DONE
    os.killpg(int((own(machine) / "watcher").read_text().split()[0]), signal.SIGKILL)
    verified = machine.run(made / "verify.sh")
    assert (verified.status, "NOT reverted automatically any more" in verified.out) == (DIFFERS, True)
    assert '"confirmation": "abandoned"' in machine.run(made / "verify.sh", "--json").out
    confirmed = machine.run(made / "apply.sh", "--confirm")
    assert (confirmed.status, "the process that waited has ended" in confirmed.err) == (DONE, True)
    assert machine.run(made / "verify.sh").status == DONE


def test_case_98_the_value_of_an_earlier_bundle_does_not_come_back_by_a_later_one(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    before = machine.tree()
    first = bundled({"kernel.swappiness": "10", "pg.work_mem": "24MB"}, name="first")
    second = bundled({"kernel.dirty_bytes": "536870912", "pg.random_page_cost": "1.1"}, name="second")
    third = bundled({"kernel.nr_hugepages": "64"}, name="third")
    for path in (first, second, third):
        assert machine.run(path / "apply.sh").status == DONE
    everything = machine.tree()
    ran = machine.run(first / "rollback.sh")
    assert ran.status == REFUSED
    order = [third, second, first]
    assert ran.err.splitlines()[-3:] == [f"sh {entry}/rollback.sh" for entry in order]
    assert machine.tree() == everything
    for path in order:
        assert machine.run(path / "rollback.sh").status == DONE
    assert machine.tree() == before
