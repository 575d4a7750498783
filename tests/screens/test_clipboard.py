"""A value or command goes to the clipboard by OSC 52; terminals that would print it get nothing."""

import re
from base64 import b64encode

import pytest

from terminal_session import TerminalSession
from tunewiz.tui.terminal.clipboard import MOST, osc_52, takes_links, why_not_copied

ENTER = b"\r"
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


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        (XTERM, True),
        ({"TERM": "tmux-256color"}, True),
        ({"TERM": "screen", "TMUX": "/tmp/s,1,0"}, True),  # noqa: S108 - as tmux sets it
        ({"TERM": "screen.xterm-256color"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "vt220"}, False),
        ({}, False),
    ],
)
def test_links_are_for_terminals_that_show_them_or_ignore_them(
    environ: dict[str, str], *, expected: bool
) -> None:
    assert takes_links(environ) is expected


def test_what_is_too_long_is_not_sent() -> None:
    assert why_not_copied("é" * (MOST // 2), XTERM) == ""
    assert "at most 74994" in why_not_copied("é" * MOST, XTERM)


def at_the_recommendations(session: TerminalSession) -> None:
    for observation in ("2/8 machine", "3/8 server", "4/8 workload", "5/8 risk"):
        session.see(observation)
        session.settle()
        session.press(ENTER)
    session.see("6/8 recommendations")
    session.settle()


MANUAL = b"https://www.postgresql.org/docs/16/runtime-config-resource.html#GUC-SHARED-BUFFERS"


@pytest.mark.parametrize(("term", "links"), [("xterm-256color", True), ("linux", False)])
def test_an_explanation_ends_with_the_manual_s_address_as_a_link_where_there_are_links(
    monkeypatch: pytest.MonkeyPatch, term: str, *, links: bool
) -> None:
    monkeypatch.setenv("TERM", term)
    with TerminalSession("--demo", "nvme-server") as session:
        at_the_recommendations(session)
        session.press(ENTER)
        session.see("1 what")
        session.settle()
        session.press(b"/", b"in the manual", ENTER)
        session.see("In the manual")
        session.settle()
        begun = re.findall(rb"\x1b\]8;id=[0-9a-f]+;([^\x1b]*)\x1b\\", session.received)
        assert set(begun) == ({MANUAL} if links else set())
        assert (b"\x1b]8;;\x1b\\" in session.received) is links
        assert MANUAL.decode() in "".join(
            line.rstrip(" │█|#").lstrip(" -") for line in session.text.splitlines()
        )


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
