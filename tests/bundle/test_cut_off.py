"""A run that is killed, told to stop or fails half-way is taken back, by itself or by the next run."""

import shutil
from pathlib import Path

import pytest

from faulty_programs import calls_of, kill_at, kill_before_moving, shim, strike, without_shims
from fixtures_bundles import MakeBundle
from kept_roots import Kept
from pretend_root import DROP_IN, PretendRoot, make_root
from small_bundles import AS_PLANNED, in_force
from small_plans import THP

EVERY_CALL = [pytest.param("sync", marks=pytest.mark.slow), "mv", pytest.param("cat", marks=pytest.mark.slow)]
"""sync comes before and after each change; the journal and every file pass through one of these."""
PAGES = "/proc/sys/vm/nr_hugepages"


@pytest.mark.parametrize("program", EVERY_CALL)
def test_cases_1_2_5_6_15_apply_killed_anywhere_is_taken_back_whole(
    program: str, tmp_path: Path, bundled: MakeBundle
) -> None:
    made = bundled()
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


FOREIGN = {PAGES: "9999\n", "/proc/sys/vm/dirty_bytes": "1073741824\n", THP: "always [madvise] never\n"}
"""Neither what was before, nor what was planned, nor on the way from one to the other."""


@pytest.mark.parametrize("program", EVERY_CALL[:2])
def test_case_129_what_others_set_after_a_killed_run_is_left_to_them(
    program: str, tmp_path: Path, bundled: MakeBundle
) -> None:
    made = bundled()
    rehearsal = make_root(tmp_path / "rehearsal")
    calls = calls_of(rehearsal, program, made / "apply.sh")
    for at in range(1, calls + 1):
        machine = make_root(tmp_path / f"killed-{at}")
        strike(machine, program, at, "KILL")
        machine.run(made / "apply.sh")
        shutil.rmtree(machine.path("/usr"))
        for path, value in FOREIGN.items():
            machine.path(path).write_text(value)
        assert machine.run(made / "rollback.sh").status in (0, 3, 4)
        assert {path: machine.read(path) for path in FOREIGN} == FOREIGN, f"killed at call {at} of {program}"


@pytest.mark.parametrize("program", EVERY_CALL[:2])
def test_cases_2_3_apply_killed_anywhere_can_be_finished(
    program: str, tmp_path: Path, bundled: MakeBundle
) -> None:
    made = bundled()
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
    program: str, tmp_path: Path, bundled: MakeBundle
) -> None:
    made, machine = bundled(), make_root(tmp_path / "machine")
    before = machine.tree()
    machine.run(made / "apply.sh")
    applied = Kept(machine.root.parent)
    for at in range(1, calls_of(machine, program, made / "rollback.sh") + 1):
        applied.put_back()
        strike(machine, program, at, "KILL")
        machine.run(made / "rollback.sh")
        shutil.rmtree(machine.path("/usr"))
        assert machine.run(made / "rollback.sh").status in (0, 3)
        assert machine.tree() == before, f"killed at call {at} of {program}"


@pytest.mark.parametrize("signal", ["TERM", "HUP", "INT"])
def test_case_66_apply_that_is_told_to_stop_undoes_what_it_did(
    signal: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    strike(machine, "sync", 8, signal)
    ran = machine.run(made / "apply.sh")
    assert ran.status == 5
    assert "asked to stop" in ran.err
    assert without_shims(machine.tree()) == before


@pytest.mark.parametrize("signal", ["TERM", "HUP", "INT"])
def test_case_66_a_rollback_that_is_told_to_stop_finishes(
    signal: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    machine.run(made / "apply.sh")
    strike(machine, "sync", 3, signal)
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


def test_a_dry_run_that_is_told_to_stop_has_nothing_to_undo(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    strike(machine, "cat", 8, "TERM")
    ran = machine.run(made / "apply.sh", "--dry-run")
    assert (ran.status, "Undoing" in ran.err) == (5, False)
    assert without_shims(machine.tree()) == before


@pytest.mark.slow
def test_case_21_a_failed_write_to_disk_is_a_failed_step(tmp_path: Path, bundled: MakeBundle) -> None:
    made = bundled()
    rehearsal = make_root(tmp_path / "rehearsal")
    # The last one is of a mark that repeats what the journal says, and may be lost.
    calls = calls_of(rehearsal, "sync", made / "apply.sh") - 1
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


def test_a_step_that_fails_takes_back_those_before_it(machine: PretendRoot, bundled: MakeBundle) -> None:
    machine.write(THP, "[always] madvise\n")
    made, before = bundled(), machine.tree()
    ran = machine.run(made / "apply.sh")
    assert ran.status == 5
    result = [line for line in ran.err.splitlines() if not line.startswith(" ")]
    assert result == [f"FAILED: {THP}", "Undoing what was done.", "Everything is as it was before."]
    assert machine.tree() == before
    assert machine.run(made / "rollback.sh").status == 3


def test_a_file_that_a_killed_run_had_not_put_in_place_is_put_there_by_the_next(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    kill_before_moving(machine, made / "apply.sh", DROP_IN)
    assert machine.run(made / "apply.sh").status == 0
    assert in_force(machine) == AS_PLANNED


@pytest.mark.parametrize(("script", "record"), [("apply.sh", "intent"), ("rollback.sh", "undo")])
def test_case_5_a_value_that_a_killed_run_left_between_two_is_taken_back(
    script: str, record: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    if script == "rollback.sh":
        machine.run(made / "apply.sh")
    kill_at(machine, made / script, record, "sysctl|vm.nr_hugepages")
    machine.write(PAGES, "40\n")
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before


@pytest.mark.parametrize(("script", "record"), [("apply.sh", "done"), ("rollback.sh", "undone")])
def test_case_47_a_value_that_a_killed_run_was_through_with_is_no_longer_ours_to_overwrite(
    script: str, record: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    if script == "rollback.sh":
        machine.run(made / "apply.sh")
    kill_at(machine, made / script, record, "sysctl|vm.nr_hugepages")
    machine.write(PAGES, "40\n")
    assert machine.run(made / "rollback.sh").status == 4
    assert machine.read(PAGES) == "40\n"


def test_a_dry_rollback_leaves_alone_what_a_killed_run_left_lying(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    kill_before_moving(machine, made / "apply.sh", DROP_IN)
    killed = machine.tree()
    assert machine.run(made / "rollback.sh", "--dry-run").status == 0
    assert machine.tree() == killed
    assert machine.run(made / "rollback.sh").status == 0
    assert without_shims(machine.tree()) == before
