"""The weaker revert for machines without systemd: a process that waits, and says that it is weaker."""

import dataclasses
import os
import select
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from behind_mounts import behind
from faulty_programs import shim
from pretend_root import PretendRoot, make_root
from pretend_systemd import run_by_systemd, told
from small_bundles import small_bundle
from small_host import put_program
from tools_here import path_of

WAITS = """#!/bin/sh
# Minutes pass when the test says so; anything shorter is waited for.
[ "$1" -ge 60 ] 2>/dev/null || exec /bin/sleep "$@"
read -r _ <"${TUNEWIZ_ROOT%/*}/time"
"""
PATIENCE = 60_000
"""Milliseconds."""


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_program(made, "sleep", WAITS)
    os.mkfifo(tmp_path / "time")
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def let_time_pass(machine: PretendRoot) -> None:
    """Ends the wait of the watcher, which opened the other end."""
    (machine.root.parent / "time").write_text("\n")


def watcher(machine: PretendRoot) -> int:
    (token,) = machine.state.glob("*/watcher")
    return int(token.read_text().split()[0])


def gone(process: int) -> bool:
    """Whether it ends within the patience of a test."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    ended = bool(poll.poll(PATIENCE))
    os.close(handle)
    return ended


def test_what_is_not_confirmed_in_time_is_taken_back(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    applied = machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    assert applied.status == 0
    process = watcher(machine)
    assert f"by process {process}." in applied.out
    assert "weaker than a timer" in applied.out
    let_time_pass(machine)
    assert gone(process)
    assert machine.tree() == before
    assert not (machine.state / "pending").exists()


def test_what_is_confirmed_stays_and_the_watcher_ends(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    process = watcher(machine)
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0
    assert gone(process)
    assert machine.run(bundle / "verify.sh").status == 0
    assert not list(machine.state.glob("*/watcher"))


def test_a_rollback_by_hand_ends_the_watcher(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    process = watcher(machine)
    assert machine.run(bundle / "rollback.sh").status == 0
    assert gone(process)
    assert machine.tree() == before


def test_a_closed_terminal_does_not_end_the_watcher(machine: PretendRoot, bundle: Path) -> None:
    before = machine.tree()
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    process = watcher(machine)
    os.kill(process, signal.SIGHUP)
    assert os.getsid(process) == process != os.getsid(0)
    let_time_pass(machine)
    assert gone(process)
    assert machine.tree() == before


def test_a_watcher_that_takes_a_moment_to_start_is_waited_for(machine: PretendRoot, bundle: Path) -> None:
    put_program(machine, "setsid", f'#!/bin/sh\n/bin/sleep 0.3\nexec {path_of("setsid")} "$@"\n')
    named = dataclasses.replace(machine, environment={"tries": "99"})
    assert named.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher").status == 0
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0


def test_a_process_that_has_the_number_of_a_watcher_by_now_is_not_ended(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    (token,) = machine.state.glob("*/watcher")
    process = watcher(machine)
    os.killpg(process, signal.SIGKILL)
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as other:
        token.write_text(token.read_text().replace(str(process), str(other.pid), 1))
        assert machine.run(bundle / "apply.sh", "--confirm").status == 0
        assert other.poll() is None
        other.kill()


def test_a_watcher_that_does_not_start_leaves_nothing_behind(machine: PretendRoot, bundle: Path) -> None:
    put_program(machine, "sleep", "#!/bin/sh\n")
    put_program(machine, "setsid", "#!/bin/sh\nexit 1\n")
    before = machine.tree()
    assert machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher").status == 4
    assert machine.tree() == before
    assert not (machine.state / "pending").exists()
    assert machine.run(bundle / "rollback.sh").status == 3


def test_a_machine_that_systemd_runs_has_no_timer_where_a_watcher_was_asked_for(
    machine: PretendRoot, bundle: Path
) -> None:
    with_systemd = run_by_systemd(machine)
    assert with_systemd.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher").status == 0
    assert with_systemd.run(bundle / "apply.sh", "--confirm").status == 0
    assert told(with_systemd) == []


def test_nor_has_it_one_where_the_watcher_does_not_start(machine: PretendRoot, bundle: Path) -> None:
    with_systemd = run_by_systemd(machine)
    put_program(with_systemd, "sleep", "#!/bin/sh\n")
    put_program(with_systemd, "setsid", "#!/bin/sh\nexit 1\n")
    ran = with_systemd.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    assert (ran.status, "systemd" in ran.said) == (4, False)
    assert told(with_systemd) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can hide a program behind a mount")
def test_without_the_program_that_sets_a_watcher_free_it_is_refused_before_anything_is_written(
    machine: PretendRoot, bundle: Path
) -> None:
    before, hidden = machine.tree(), behind(machine, f"mount --bind /dev/null {shutil.which('setsid')}")
    ran = hidden.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    assert ran.status == 4
    assert ran.err.startswith("  setsid was not found")
    assert "the revert cannot be armed (above)" in ran.err
    assert machine.tree() == before
    assert list(machine.state.iterdir()) == []


def test_a_dry_run_starts_no_watcher(machine: PretendRoot, bundle: Path) -> None:
    ran = machine.run(bundle / "apply.sh", "--dry-run", "--confirm-within", "1", "--watcher")
    assert (ran.status, ran.err) == (0, "")
    assert not machine.state.exists()


def test_the_slot_that_a_watcher_held_is_free_on_disk_before_the_run_ends(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    synced = machine.root.parent / "synced"
    shim(machine, "sync", f'[ -e "{machine.state}/pending" ] || echo "$*" >>"{synced}"')
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0
    assert synced.read_text() == f"{machine.state}\n"


def test_a_watcher_without_a_time_is_wrong_usage(machine: PretendRoot, bundle: Path) -> None:
    assert machine.run(bundle / "apply.sh", "--watcher").status == 2


def test_verify_tells_that_it_waits_for_a_confirmation(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    assert "NOT confirmed yet" in machine.run(bundle / "verify.sh").out
    assert '"confirmation": "pending"' in machine.run(bundle / "verify.sh", "--json").out
    machine.run(bundle / "apply.sh", "--confirm")
    assert '"confirmation": "confirmed"' in machine.run(bundle / "verify.sh", "--json").out


STOPPED = "NOT reverted automatically any more: the process that waits"


def test_a_watcher_that_is_stopped_is_not_said_to_revert_anything(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    assert STOPPED not in machine.run(bundle / "verify.sh").out
    os.killpg(watcher(machine), signal.SIGSTOP)
    verified = machine.run(bundle / "verify.sh")
    assert (verified.status, STOPPED in verified.out) == (1, True)
    assert "it is reverted automatically" not in verified.out
    os.killpg(watcher(machine), signal.SIGCONT)
    assert machine.run(bundle / "verify.sh").status == 0
    os.killpg(watcher(machine), signal.SIGSTOP)
    process = watcher(machine)
    confirmed = machine.run(bundle / "apply.sh", "--confirm")
    assert (confirmed.status, "is stopped" in confirmed.err) == (0, True)
    assert gone(process)


def test_nor_is_one_whose_waiting_alone_was_stopped(machine: PretendRoot, bundle: Path) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    process = watcher(machine)
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    os.kill(int(children[0]), signal.SIGSTOP)
    assert STOPPED in machine.run(bundle / "verify.sh").out
    os.kill(int(children[0]), signal.SIGCONT)
    assert STOPPED not in machine.run(bundle / "verify.sh").out
    assert machine.run(bundle / "rollback.sh").status == 0


@pytest.mark.parametrize(("ago", "status"), [(75, 1), (2, 0), (-40, 0)])
def test_a_time_that_is_up_is_told_where_nothing_was_reverted(
    ago: int, status: int, machine: PretendRoot, bundle: Path
) -> None:
    machine.run(bundle / "apply.sh", "--confirm-within", "1", "--watcher")
    (deadline,) = machine.state.glob("*/deadline")
    boot, _ = deadline.read_text().split()
    up = int(float(Path("/proc/uptime").read_text().split()[0]))
    deadline.write_text(f"{boot} {up - ago}\n")
    verified = machine.run(bundle / "verify.sh")
    assert ("s ago, and it has not begun" in verified.out) == bool(status)
    assert (verified.status, "rollback.sh" in verified.out) == (status, bool(status))
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0
    assert not list(machine.state.glob("*/deadline"))
