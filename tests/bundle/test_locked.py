"""Who holds the lock of the state directory, and for how long."""

import dataclasses
import os
import stat
import subprocess
from pathlib import Path

import pytest

from faulty_programs import held, shim, without_shims
from fixtures_bundles import MakeBundle
from pretend_root import PretendRoot


def test_case_51_a_second_run_does_not_start_while_the_first_holds_the_lock(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, before = bundled(), machine.tree()
    hold_lock(machine, os.getpid())
    for script in ("apply.sh", "rollback.sh"):
        ran = machine.run(made / script)
        assert ran.status == 75
        assert str(os.getpid()) in ran.err
        assert [path.name for path in machine.state.iterdir()] == ["lock"]
    assert machine.tree() == before


def test_case_51_the_lock_of_a_process_that_is_gone_is_taken_over(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    hold_lock(machine, gone.pid)
    assert machine.run(bundled() / "apply.sh").status == 0
    assert not list(machine.state.glob("lock*"))


def test_the_lock_of_a_process_that_has_ended_and_was_not_waited_for_is_taken_over(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        hold_lock(machine, ended.pid)
        assert machine.run(bundled() / "apply.sh").status == 0


def test_a_lock_that_another_has_taken_over_meanwhile_is_given_back_to_it(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    hold_lock(machine, os.getpid())
    owner = machine.state / "lock" / "owner"
    living, before = owner.read_text(), machine.tree()
    owner.write_text("1 another-boot 1\n")
    shim(machine, "mv", f'case $* in *.stale) echo "{living.strip()}" >"{owner}" ;; esac\nexec /bin/mv "$@"')
    assert machine.run(bundled() / "apply.sh").status == 75
    assert owner.read_text() == living
    assert [path.name for path in machine.state.iterdir()] == ["lock"]
    assert without_shims(machine.tree()) == before


def test_what_a_process_of_the_same_number_had_begun_does_not_count(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    begun = 'mkdir -p "$TUNEWIZ_STATE_DIR/lock.$$/x" && exec sh "$@"'
    shell = ("sh", "-c", begun, "sh")
    again = dataclasses.replace(machine, shell=shell)
    assert again.run(bundled() / "apply.sh").status == 0
    assert not list(machine.state.glob("lock*"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_state_directory_of_someone_else_is_refused(machine: PretendRoot, bundled: MakeBundle) -> None:
    before = machine.tree()
    machine.state.mkdir()
    os.chown(machine.state, 65534, 65534)
    assert machine.run(bundled() / "apply.sh").status == 2
    assert machine.tree() == before


def test_a_state_directory_that_is_open_to_others_is_closed(
    machine: PretendRoot, bundled: MakeBundle
) -> None:
    machine.state.mkdir(mode=0o755)
    assert machine.run(bundled() / "apply.sh").status == 0
    assert stat.S_IMODE(machine.state.stat().st_mode) == 0o700


def hold_lock(machine: PretendRoot, pid: int) -> None:
    """A lock as a script takes it: number, boot, start of the process."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    about = Path(f"/proc/{pid}/stat")
    start = about.read_text().rpartition(")")[2].split()[19] if about.exists() else "1"
    (machine.state / "lock").mkdir(parents=True)
    (machine.state / "lock" / "owner").write_text(f"{pid} {boot} {start}\n")


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_an_interrupt_while_the_lock_is_given_back_does_not_leave_it_there(
    script: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made = bundled()
    if script == "rollback.sh":
        machine.run(made / "apply.sh")
    shim(machine, "rm", 'case $* in */lock) kill -INT $$ ;; esac\nexec /bin/rm "$@"')
    assert machine.run(made / script).status == 0
    assert not (machine.state / "lock").exists()


@pytest.mark.parametrize("script", ["apply.sh", "rollback.sh"])
def test_what_a_run_writes_down_while_it_works_is_out_of_sight_of_others(
    script: str, machine: PretendRoot, bundled: MakeBundle
) -> None:
    made, shell = bundled(), ("sh", "-c", 'umask 000 && exec sh "$@"', "sh")
    open_to_all = dataclasses.replace(machine, shell=shell)
    if script == "rollback.sh":
        open_to_all.run(made / "apply.sh")
    with held(open_to_all, 5, made / script):
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in machine.state.rglob("*")}
    assert modes[machine.state / "lock" / "owner"] == 0o600
    written = {path: mode for path, mode in modes.items() if path.suffix not in {".before", ".after"}}
    assert not [path for path, mode in written.items() if mode & 0o077]
