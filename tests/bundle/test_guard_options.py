"""What apply.sh takes of the guard's options, and what it does where nothing can be compared."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from pretend_root import PretendRoot, make_root
from small_bundles import AS_PLANNED, in_force, small_bundle
from small_host import put_program

SHORT = ("--guard-baseline", "12", "--guard-window", "24")
NO_TIME = '#!/bin/sh\ncase $1 in [1-5]) exec /bin/sleep 0.01 ;; *) exec /bin/sleep "$@" ;; esac\n'
"""Intervals pass at once."""


@pytest.fixture
def machine(tmp_path: Path) -> PretendRoot:
    made = make_root(tmp_path)
    put_program(made, "sleep", NO_TIME)
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


WRONG = (
    ("--guard",),
    ("--confirm-within", "10", "--confirm-if-healthy"),
    ("--confirm-within", "10", "--guard-window", "120"),
    ("--confirm-within", "10", "--guard-baseline=60"),
    ("--confirm", "--guard"),
)


@pytest.mark.parametrize("options", WRONG, ids=" ".join)
def test_options_that_need_another_one_are_wrong_usage(
    options: tuple[str, ...], machine: PretendRoot, bundle: Path
) -> None:
    ran = machine.run(bundle / "apply.sh", *options)
    assert (ran.status, ran.err.startswith("usage: sh apply.sh")) == (2, True)
    assert not machine.state.exists()


NO_LENGTHS = ("", "0", "11", "012", "-20", "1e3", "x[$(true)]", "40000", "99999999999999999999")


@pytest.mark.parametrize("seconds", NO_LENGTHS)
def test_what_is_no_length_is_refused_with_what_is_expected(
    seconds: str, machine: PretendRoot, bundle: Path
) -> None:
    ran = machine.run(bundle / "apply.sh", "--confirm-within", "10", "--guard", f"--guard-window={seconds}")
    assert (ran.status, "expected seconds from 12 to 39999" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ("--confirm-within", "3", "--guard"),
            "the window of 90 s is shorter than twice the baseline (120 s)",
        ),
        (
            ("--confirm-within", "5", "--guard", "--guard-window", "200"),
            "the window of 200 s is longer than half of the time to confirm (150 s)",
        ),
    ],
)
def test_a_window_that_does_not_fit_is_refused_before_anything_is_read(
    options: tuple[str, ...], why: str, machine: PretendRoot, bundle: Path
) -> None:
    ran = machine.run(bundle / "apply.sh", *options)
    assert (ran.status, f"--guard: {why}; give --confirm-within more minutes" in ran.err) == (2, True)
    assert not machine.state.exists()


def test_a_dry_run_says_what_the_guard_would_do_and_does_not_wait(machine: PretendRoot, bundle: Path) -> None:
    ran = machine.run(bundle / "apply.sh", "--dry-run", "--confirm-within", "30", "--watcher", "--guard")
    assert (ran.status, ran.err) == (0, "")
    assert "would watch the server for 60 s before the change\n" in ran.out
    assert "would watch it for 300 s after the change, and roll back by itself" in ran.out


OPTIONS = ("--confirm-within", "5", "--watcher", "--guard", *SHORT)


def apply(machine: PretendRoot, bundle: Path, *more: str) -> tuple[str, ...]:
    return *machine.shell, str(bundle / "apply.sh"), *OPTIONS, *more


def slow_after(machine: PretendRoot) -> str:
    """Intervals pass at once before the change, and slowly after it."""
    applied = f"[ -e {machine.root}/etc/sysctl.d/90-tunewiz.conf ]"
    return f"#!/bin/sh\n{applied} && exec /bin/sleep 0.3\n{NO_TIME[10:]}"


def environment(machine: PretendRoot) -> dict[str, str]:
    return {**os.environ, "TUNEWIZ_ROOT": str(machine.root), "TUNEWIZ_STATE_DIR": str(machine.state)}


def test_a_server_that_is_down_is_undecided_and_left_to_a_person_and_the_deadline(
    machine: PretendRoot, bundle: Path
) -> None:
    ran = machine.run(bundle / "apply.sh", *OPTIONS)
    assert ran.status == 0, ran.said
    assert "only the host is watched" in ran.err
    assert "UNDECIDED: neither time nor transactions could be compared" in ran.out
    assert "not compared: time per transaction, transactions, " in ran.out
    assert in_force(machine) == AS_PLANNED
    assert (machine.state / "pending").exists()
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0


def test_case_140_memory_that_runs_out_is_found_whoever_the_server_is(
    machine: PretendRoot, bundle: Path
) -> None:
    machine.write("/proc/vmstat", "pswpin 0\npswpout 0\noom_kill 3\n")
    before = {path: entry for path, entry in machine.tree().items() if "vmstat" not in path}
    put_program(
        machine,
        "sleep",
        f"{NO_TIME[:10]}[ ! -e {machine.root}/etc/sysctl.d/90-tunewiz.conf ] ||"
        f" printf 'pswpin 0\\npswpout 0\\noom_kill 4\\n' >{machine.root}/proc/vmstat\n{NO_TIME[10:]}",
    )
    ran = machine.run(bundle / "apply.sh", *OPTIONS)
    assert ran.status == 5, ran.said
    assert "UNHEALTHY: the kernel killed a process for want of memory, none before." in ran.err
    after = {path: entry for path, entry in machine.tree().items() if "vmstat" not in path}
    assert {name for name in before if before[name] != after.get(name)} <= {"usr/bin/sleep"}
    assert not (machine.state / "pending").exists()


@pytest.mark.slow
def test_a_watch_whose_looks_take_long_ends_before_the_deadline_without_a_verdict(
    machine: PretendRoot, bundle: Path
) -> None:
    """The deadline is drawn near by a script of the administrator's, which runs before the watch."""
    now = "read boot _ <$file; read up _ </proc/uptime"
    nearer = (
        f'for file in {machine.state}/*/deadline; do {now}; echo "$boot $((${{up%.*}} + 36))" >$file; done'
    )
    put_health_script(machine, nearer)
    slow_once = f"mkdir {machine.root}/looked 2>/dev/null && /bin/sleep 14"
    put_program(machine, "awk", f'#!/bin/sh\n{slow_once}\nexec {shutil.which("awk")} "$@"\n')
    ran = machine.run(bundle / "apply.sh", *OPTIONS)
    assert ran.status == 0, ran.said
    assert "The time to confirm is nearly over, for the looks took long" in ran.out
    assert "UNDECIDED: neither time nor transactions could be compared" in ran.out
    assert in_force(machine) == AS_PLANNED
    assert machine.run(bundle / "apply.sh", "--confirm").status == 0


def put_health_script(machine: PretendRoot, text: str) -> None:
    path = machine.path("/etc/tunewiz/health.d/wanted/10-test")
    machine.write("/etc/tunewiz/health.d/wanted/10-test", f"#!/bin/sh\n{text}\n")
    for one in (path, *path.parents[:4]):
        one.chmod(0o755)


@contextmanager
def watching(machine: PretendRoot, bundle: Path) -> Generator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """apply.sh in its window, and what it says from then on."""
    put_program(machine, "sleep", slow_after(machine))
    with subprocess.Popen(
        apply(machine, bundle), env=environment(machine), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as running:
        assert running.stdout is not None
        lines = list[bytes]()
        while b"Watching the server" not in b"".join(lines[-1:]):
            lines.append(running.stdout.readline())
            assert lines[-1], lines
        yield running, running.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_watch_and_a_closed_terminal_does_not(
    number: signal.Signals, machine: PretendRoot, bundle: Path
) -> None:
    machine.path("/usr/bin/sleep").unlink()
    with watching(machine, bundle) as (running, output):
        running.send_signal(signal.SIGHUP)
        time.sleep(1)
        assert running.poll() is None
        running.send_signal(number)
        said = output.read()
    assert running.returncode == 0, said
    assert b"The watch was ended. The deadline stands" in said
    assert (machine.state / "pending").exists()
    assert not (machine.state / "lock").exists()
    assert machine.run(bundle / "rollback.sh").status == 0


def test_while_it_watches_others_can_confirm_and_roll_back(machine: PretendRoot, bundle: Path) -> None:
    for script, options, end in (("rollback.sh", (), 5), ("apply.sh", ("--confirm",), 0)):
        with watching(machine, bundle) as (running, output):
            assert machine.run(bundle / script, *options).status == 0
            said = output.read()
        assert (running.returncode, b"the watch ends" in said) == (end, True), said
