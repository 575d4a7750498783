"""A fault at every system call that writes: whatever came of it, one rollback brings everything back."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from faulty_calls import WRITING, Call, cannot_trace, errors, recorded, sampled, striking, traced
from pretend_root import PretendRoot, Ran, make_bundle, make_root

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(cannot_trace()), reason=cannot_trace()),
]

RESTORED, NOTHING_TO_DO = 0, 3


def killed(calls: Iterable[Call]) -> Iterator[tuple[Call, str]]:
    return ((call, "signal=KILL") for call in calls)


SWEEPS = {"killed": killed, "an error": errors}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle")


def calls_of(machine: PretendRoot, script: Path) -> list[Call]:
    """What a whole run of the script writes."""
    log = machine.root.parent / "log"
    ran = traced(machine, "-y", "-e", f"trace={','.join(WRITING)}", log=log).run(script)
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
    calls = calls_of(make_root(tmp_path / "rehearsal"), bundle / "apply.sh")
    for number, (call, fault) in enumerate(SWEEPS[sweep](calls)):
        machine = make_root(tmp_path / str(number))
        before = machine.tree()
        ran = striking(machine, call, fault).run(bundle / "apply.sh")
        if claims_all_is_back(ran):
            assert machine.tree() == before, f"{call} {fault}: {ran.said}"
        back = machine.run(bundle / "rollback.sh")
        assert back.status in {RESTORED, NOTHING_TO_DO}, f"{call} {fault}: {back.said}"
        assert machine.tree() == before, f"{call} {fault}: {ran.said}{back.said}"


@pytest.mark.parametrize("sweep", SWEEPS)
def test_case_7_rollback_meets_a_fault_at_any_call(sweep: str, bundle: Path, tmp_path: Path) -> None:
    rehearsal = make_root(tmp_path / "rehearsal")
    rehearsal.run(bundle / "apply.sh")
    calls = calls_of(rehearsal, bundle / "rollback.sh")
    for number, (call, fault) in enumerate(SWEEPS[sweep](calls)):
        machine = make_root(tmp_path / str(number))
        before = machine.tree()
        machine.run(bundle / "apply.sh")
        ran = striking(machine, call, fault).run(bundle / "rollback.sh")
        back = machine.run(bundle / "rollback.sh")
        assert back.status in {RESTORED, NOTHING_TO_DO}, f"{call} {fault}: {back.said}"
        assert machine.tree() == before, f"{call} {fault}: {ran.said}{back.said}"
