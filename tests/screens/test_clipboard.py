"""A value or command goes to the clipboard by OSC 52; terminals that would print it get nothing."""

from base64 import b64encode

import pytest

from terminal_session import TerminalSession
from tunewiz.tui.terminal.clipboard import MOST, osc_52, why_not_copied

ENTER, RIGHT = b"\r", b"\x1b[C"
XTERM = {"TERM": "xterm-256color"}


def test_the_sequence_is_that_of_xterm() -> None:
    assert osc_52("64GB", XTERM) == "\x1b]52;c;NjRHQg==\x07"


def test_gnu_screen_gets_an_envelope_and_tmux_none() -> None:
    assert osc_52("x", {"TERM": "screen"}) == f"\x1bP{osc_52('x', XTERM)}\x1b\\"
    assert osc_52("x", {"TERM": "screen-256color", "TMUX": "/tmp/s,1,0"}) == osc_52("x", XTERM)  # noqa: S108 - as tmux sets it


@pytest.mark.parametrize("term", ["", "dumb", "linux", "vt220", "ansi", "cons25"])
def test_a_terminal_that_would_print_it_is_told_of(term: str) -> None:
    assert "has no clipboard" in why_not_copied("64GB", {"TERM": term})


@pytest.mark.parametrize("term", ["xterm", "tmux-256color", "screen", "alacritty", "foot", "xterm-kitty"])
def test_other_terminals_are_sent_it(term: str) -> None:
    assert why_not_copied("64GB", {"TERM": term}) == ""


def test_what_is_too_long_is_not_sent() -> None:
    assert why_not_copied("é" * (MOST // 2), XTERM) == ""
    assert "at most 74994" in why_not_copied("é" * MOST, XTERM)


def at_the_recommendations(session: TerminalSession) -> None:
    for seen in ("2/8 machine", "3/8 server", "4/8 workload", "5/8 risk"):
        session.see(seen)
        session.settle()
        session.press(ENTER)
    session.see("6/8 recommendations")
    session.settle()


def test_the_command_is_sent_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    with TerminalSession("--demo", "nvme-server") as session:
        at_the_recommendations(session)
        session.press(b"Y")
        session.see("Sent to your terminal's clipboard: ALTER SYSTEM SET shared_buffers = '64GB';")
        command = b64encode(b"ALTER SYSTEM SET shared_buffers = '64GB';")
        assert b"\x1b]52;c;" + command + b"\x07" in session.received


def test_a_console_gets_nothing_and_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    with TerminalSession("--demo", "nvme-server") as session:
        at_the_recommendations(session)
        session.press(b"y")
        session.see("has no clipboard")
        assert b"\x1b]52" not in session.received
