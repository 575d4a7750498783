"""A fault at every system call that writes: whatever came of it, one rollback brings everything back."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from faulty_calls import WRITING, Call, cannot_trace, errors, recorded, sampled, striking, traced
from kept_roots import Kept
from pretend_root import PretendRoot, Ran, make_bundle, make_root
from pretend_systemd import armed, run_by_systemd, the_copy
from small_bundles import AS_PLANNED, in_force

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]

RESTORED = DONE = 0
NOTHING_TO_DO = 3


def killed(calls: Iterable[Call]) -> Iterator[tuple[Call, str]]:
    return ((call, "signal=KILL") for call in calls)


SWEEPS = {"killed": killed, "an error": errors}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle")


def calls_of(machine: PretendRoot, script: Path, *arguments: str) -> list[Call]:
    """What a whole run of the script writes."""
    log = machine.root.parent / "log"
    ran = traced(machine, "-y", "-e", f"trace={','.join(WRITING)}", log=log).run(script, *arguments)
    assert ran.status == 0, ran.said
    calls = sampled(recorded(log, machine.root.parent))
    # As many as to know that the log was understood.
    assert {"openat", "write", "fsync"} <= {call.name for call in calls}
    return calls


def claims_all_is_back(ran: Ran) -> bool:
    return ran.status in {4, 5} and "NOT restored" not in ran.err


@pytest.mark.parametrize("sweep", SWEEPS)
def test_cases_5_16_17_18_19_20_21_27_apply_meets_a_fault_at_any_call(
    sweep: str, bundle: Path, tmp_path: Path
) -> None:
    machine = make_root(tmp_path / "machine")
    as_before, before = Kept(machine.root.parent), machine.tree()
    for call, fault in SWEEPS[sweep](calls_of(machine, bundle / "apply.sh")):
        as_before.put_back()
        ran = striking(machine, call, fault).run(bundle / "apply.sh")
        if claims_all_is_back(ran):
            assert machine.tree() == before, f"{call} {fault}: {ran.said}"
        back = machine.run(bundle / "rollback.sh")
        assert back.status in {RESTORED, NOTHING_TO_DO}, f"{call} {fault}: {back.said}"
        assert machine.tree() == before, f"{call} {fault}: {ran.said}{back.said}"


@pytest.mark.parametrize("sweep", SWEEPS)
def test_case_7_rollback_meets_a_fault_at_any_call(sweep: str, bundle: Path, tmp_path: Path) -> None:
    machine = make_root(tmp_path / "machine")
    before = machine.tree()
    machine.run(bundle / "apply.sh")
    applied = Kept(machine.root.parent)
    for call, fault in SWEEPS[sweep](calls_of(machine, bundle / "rollback.sh")):
        applied.put_back()
        ran = striking(machine, call, fault).run(bundle / "rollback.sh")
        back = machine.run(bundle / "rollback.sh")
        assert back.status in {RESTORED, NOTHING_TO_DO}, f"{call} {fault}: {back.said}"
        assert machine.tree() == before, f"{call} {fault}: {ran.said}{back.said}"


def calls_of_a_confirmation(machine: PretendRoot, bundle: Path) -> list[Call]:
    """What it writes, but for what the pretend systemd does."""
    calls = calls_of(machine, bundle / "apply.sh", "--confirm")
    return [call for call in calls if "/" in call.path]


def made_to_wait(machine: PretendRoot, bundle: Path) -> Kept:
    """The bundle is waiting for confirmation on the machine, and is again when it is put back."""
    assert machine.run(bundle / "apply.sh", "--confirm-within", "10").status == 0
    return Kept(machine.root.parent)


@pytest.mark.parametrize("sweep", SWEEPS)
def test_case_8_a_confirmation_meets_a_fault_at_any_call(sweep: str, bundle: Path, tmp_path: Path) -> None:
    machine = run_by_systemd(make_root(tmp_path / "machine"))
    before, waiting = machine.tree(), made_to_wait(machine, bundle)
    for call, fault in SWEEPS[sweep](calls_of_a_confirmation(machine, bundle)):
        waiting.put_back()
        ran = striking(machine, call, fault).run(bundle / "apply.sh", "--confirm")
        journal = (the_copy(machine).parent / "journal").read_text()
        machine.run(the_copy(machine) / "rollback.sh", "--unless-confirmed")
        if journal.endswith("confirmed\n"):
            assert in_force(machine) == AS_PLANNED, f"{call} {fault}: {ran.said}"
        else:
            assert machine.tree() == before, f"{call} {fault}: {ran.said}"
        assert not any(armed(machine).values()), f"{call} {fault}: {ran.said}"


def test_case_8_a_confirmation_that_was_killed_at_any_call_can_be_repeated(
    bundle: Path, tmp_path: Path
) -> None:
    machine = run_by_systemd(make_root(tmp_path / "machine"))
    waiting = made_to_wait(machine, bundle)
    for call, fault in killed(calls_of_a_confirmation(machine, bundle)):
        waiting.put_back()
        striking(machine, call, fault).run(bundle / "apply.sh", "--confirm")
        again = machine.run(bundle / "apply.sh", "--confirm")
        assert again.status in {DONE, NOTHING_TO_DO}, f"{call}: {again.said}"
        assert in_force(machine) == AS_PLANNED, f"{call}: {again.said}"
        assert not any(armed(machine).values()), f"{call}: {again.said}"
