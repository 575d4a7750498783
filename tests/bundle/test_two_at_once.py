"""Two administrators at once: one does the work, the other is told so, and the state is whole."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from faulty_programs import held, shim, without_shims
from pretend_root import PretendRoot
from pretend_systemd import armed, the_copy
from small_bundles import AS_PLANNED, in_force, small_bundle

DONE, NOTHING_TO_DO, REFUSED, UNDONE, LOCKED = 0, 3, 4, 5, 75
OTHERS = (("apply.sh",), ("apply.sh", "--confirm"), ("rollback.sh",))
"""What the second administrator may try."""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def refused_to_others(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    for script, *arguments in OTHERS:
        assert machine.run(bundle / script, *arguments).status == LOCKED
    assert machine.tree() == before


@pytest.mark.parametrize("at", [1, 9])
def test_case_51_while_one_applies_nobody_else_can_do_anything(
    at: int, machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    with held(machine, at, bundle / "apply.sh") as first:
        refused_to_others(machine, bundle)
    assert first.result().status == DONE
    assert in_force(machine) == AS_PLANNED
    assert machine.run(bundle / "rollback.sh").status == DONE
    assert without_shims(machine.tree()) == before


@pytest.mark.parametrize("at", [1, 5])
def test_case_51_while_one_rolls_back_nobody_else_can_do_anything(
    at: int, machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh")
    with held(machine, at, bundle / "rollback.sh") as first:
        refused_to_others(machine, bundle)
    assert first.result().status == DONE
    assert without_shims(machine.tree()) == before


def test_while_one_confirms_nobody_else_can_take_it_back(with_systemd: PretendRoot, bundle: Path) -> None:
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    with held(with_systemd, 1, bundle / "apply.sh", "--confirm") as first:
        refused_to_others(with_systemd, bundle)
    assert first.result().status == DONE
    assert in_force(with_systemd) == AS_PLANNED
    assert not any(armed(with_systemd).values())


def test_case_14_a_revert_whose_time_comes_asks_who_applies_to_stop_and_waits(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before, waits = with_systemd.tree(), with_systemd.root.parent / "waits"
    os.mkfifo(waits)
    shim(with_systemd, "sleep", f"[ -e {waits}.told ] || {{ true >{waits}.told; echo >{waits}; }}")
    with ThreadPoolExecutor() as pool:
        with held(with_systemd, 20, bundle / "apply.sh", "--confirm-within", "10") as first:
            revert = pool.submit(
                with_systemd.run, the_copy(with_systemd) / "rollback.sh", "--unless-confirmed"
            )
            waits.read_text()
        assert first.result().status == UNDONE
        assert revert.result().status in {DONE, NOTHING_TO_DO}
    assert without_shims(with_systemd.tree()) == without_shims(before)
    assert not any(armed(with_systemd).values())
    assert not list(with_systemd.state.glob("*/asked"))


Start = tuple[str, ...]
AT_ONCE: dict[str, tuple[Start, Start]] = {
    "apply and apply": (("apply.sh",), ("apply.sh",)),
    "apply and rollback": (("apply.sh",), ("rollback.sh",)),
    "rollback and rollback": (("rollback.sh",), ("rollback.sh",)),
}


def at_once(machine: PretendRoot, bundle: Path, commands: tuple[Start, Start]) -> list[int]:
    """How two ended that were started at the same time."""
    ready = Barrier(2)

    def start(command: Start) -> int:
        script, *arguments = command
        ready.wait()
        return machine.run(bundle / script, *arguments).status

    with ThreadPoolExecutor() as pool:
        return list(pool.map(start, commands))


@pytest.mark.parametrize("start", ["fresh", "applied"])
@pytest.mark.parametrize("case", AT_ONCE)
def test_of_two_that_start_at_once_none_does_half(
    case: str, start: str, machine: PretendRoot, bundle: Path
) -> None:
    before = machine.tree()
    assert start == "fresh" or machine.run(bundle / "apply.sh").status == DONE
    statuses = at_once(machine, bundle, AT_ONCE[case])
    assert set(statuses) <= {DONE, NOTHING_TO_DO, LOCKED}
    assert set(statuses) != {LOCKED}
    assert machine.tree() == before or in_force(machine) == AS_PLANNED
    assert not (machine.state / "lock").exists()
    assert machine.run(bundle / "rollback.sh").status in {DONE, NOTHING_TO_DO}
    assert machine.tree() == before


def test_of_a_confirmation_and_a_rollback_that_start_at_once_none_does_half(
    with_systemd: PretendRoot, bundle: Path
) -> None:
    before = with_systemd.tree()
    with_systemd.run(bundle / "apply.sh", "--confirm-within", "10")
    confirmed, restored = at_once(with_systemd, bundle, (("apply.sh", "--confirm"), ("rollback.sh",)))
    assert confirmed in {DONE, REFUSED, LOCKED}
    assert restored in {DONE, LOCKED}
    if restored == DONE:
        assert with_systemd.tree() == before
    else:
        assert confirmed == DONE
        assert in_force(with_systemd) == AS_PLANNED
    assert not any(armed(with_systemd).values())


@pytest.mark.parametrize("content", [None, ""], ids=["no owner", "an empty owner"])
@pytest.mark.parametrize("command", [("apply.sh", "--dry-run"), ("apply.sh",), ("verify.sh",)], ids=" ".join)
def test_a_lock_that_names_nobody_is_nobodys(
    command: tuple[str, ...], content: str | None, machine: PretendRoot, bundle: Path
) -> None:
    lock = machine.state / "lock"
    lock.mkdir(parents=True)
    machine.state.chmod(0o700)
    if content is not None:
        (lock / "owner").write_text(content)
    script, *arguments = command
    ran = machine.run(bundle / script, *arguments)
    assert (ran.status, ran.err) == (1 if script == "verify.sh" else DONE, "")
    assert lock.exists() == (command != ("apply.sh",))
    assert machine.run(bundle / "rollback.sh").status in {DONE, NOTHING_TO_DO}


def test_what_killed_runs_left_of_their_locks_is_taken_away_and_that_of_others_is_not(
    machine: PretendRoot, bundle: Path
) -> None:
    gone, alive = 2**22 + 1, os.getpid()
    """Above the highest number that a kernel gives to a process."""
    for number in (f"{gone}", f"{gone}.stale", f"{alive}"):
        (machine.state / f"lock.{number}").mkdir(parents=True)
    machine.state.chmod(0o700)
    assert machine.run(bundle / "apply.sh").status == DONE
    assert [path.name for path in machine.state.glob("lock.*")] == [f"lock.{alive}"]
