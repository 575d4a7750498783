"""What can end the wizard from outside: the state is saved, the terminal restored, the status true."""

import os
import resource
import signal
import stat
import sys
from pathlib import Path

import psutil
import pytest

from terminal_session import TerminalSession
from tools_here import needs, path_of
from tunewiz.session.record import Session, load
from tunewiz.session.store import listed, sessions_directory

ENTER = b"\r"
ENDINGS = pytest.mark.parametrize(
    "number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT], ids=lambda value: value.name
)


def kept_step() -> str:
    """Where the session on disk stands."""
    (kept,) = listed(sessions_directory(os.environ))
    assert stat.S_IMODE(kept.file.stat().st_mode) == 0o600
    session = load(kept.file)
    assert isinstance(session, Session)
    return str(session.step)


@ENDINGS
def test_a_signal_ends_it_cleanly_and_the_session_stays(number: signal.Signals) -> None:
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.press(ENTER)
        session.see("3/8 server")
        session.signal(number)
        assert session.end() == 128 + number
        assert session.left_on() == frozenset()
        assert f"tunewiz: stopped by {number.name}; `tunewiz --resume`".encode() in session.received
        assert b"Traceback" not in session.received
    assert kept_step() == "server"
    with TerminalSession("--resume") as resumed:
        resumed.see("3/8 server")


@ENDINGS
def test_a_signal_on_the_first_page_leaves_nothing(number: signal.Signals) -> None:
    with TerminalSession() as session:
        session.see("Which machine")
        session.signal(number)
        assert session.end() == 128 + number
        assert session.left_on() == frozenset()
    assert listed(sessions_directory(os.environ)) == ()


def test_what_was_answered_survives_a_kill() -> None:
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.press(ENTER)
        session.see("3/8 server · saved")
        session.signal(signal.SIGKILL)
        assert session.end() == -signal.SIGKILL
    assert kept_step() == "server"


def test_a_terminal_that_is_gone_ends_it_at_once_and_the_session_stays() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.settle()
        started = sum(child.cpu_times().user for child in psutil.Process().children())
        assert session.hang_up() != 0
    whole = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert whole - started < started, "the end costs more than the start: something spins"
    assert kept_step() == "machine"


@needs("bash")
def test_it_can_be_stopped_and_goes_on() -> None:
    shell = "echo it st''opped; read -r go; fg; echo status $?"
    job = f"set -m; {sys.executable} -m tunewiz --demo small-vm; {shell}"
    with TerminalSession(command=[path_of("bash"), "-c", job]) as session:
        session.see("saved")
        session.press(b"\x1a")
        session.see("it stopped")
        assert session.left_on() == frozenset()
        session.press(b"\n")
        session.see("2/8 machine")
        session.settle()
        assert session.left_on()
        session.press(b"q", ENTER)
        session.see("status 0")
        assert session.left_on() == frozenset()


def test_a_full_disk_is_told_and_the_wizard_goes_on() -> None:
    limited = f"ulimit -f 0; exec {sys.executable} -B -m tunewiz --demo small-vm"
    with TerminalSession(command=["/bin/sh", "-c", limited]) as session:
        session.see("NOT SAVED")
        session.see("not being saved")
        session.press(ENTER)
        session.see("3/8 server")


BROKEN = """
import dataclasses, sys
from tunewiz.commands.on_screen import run_on_screen
from tunewiz.commands.start import start_of
from tunewiz.commands.options import parse

def broken(name):
    secret = "hunter2"
    raise ValueError("of our own")

start = start_of(parse(["--demo", "small-vm"]))
sys.exit(run_on_screen(dataclasses.replace(start, ports=dataclasses.replace(start.ports, example=broken))))
"""


def test_a_fault_of_its_own_leaves_one_line_and_a_private_report() -> None:
    with TerminalSession(command=[sys.executable, "-c", BROKEN]) as session:
        assert session.end() == 70
        assert session.left_on() == frozenset()
        assert b"stopped by an internal error (ValueError)" in session.received
        assert b"Traceback" not in session.received
        assert b"hunter2" not in session.received
    (report,) = (Path(os.environ["XDG_STATE_HOME"]) / "tunewiz").glob("fault-*.txt")
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    assert "hunter2" not in report.read_text()
    assert "ValueError: of our own" in report.read_text()
