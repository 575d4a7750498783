"""The real program in a real (pseudo-)terminal: it starts, survives, and leaves no mess."""

import re
import sys
from pathlib import Path

import pytest

from terminal_session import TerminalSession

DOWN, END, RIGHT, ENTER, ESCAPE, CTRL_C = b"\x1b[B", b"\x1b[F", b"\x1b[C", b"\r", b"\x1b", b"\x03"
SGR = re.compile(rb"\x1b\[([\d;]*)m")
NAMED_BY_THE_TERMINAL = range(31, 37)
"""Red, green, yellow, blue, magenta, cyan: not black and white, one of which is the background."""
TERMINALS_OWN = {39, 49}
LATIN_1 = "é".encode("latin-1")


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever terminal the tests are started on."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_it_starts_asks_before_it_leaves_and_restores_the_terminal() -> None:
    with TerminalSession() as session:
        session.see("Which machine should be tuned?")
        assert "changes nothing" in session.text
        session.press(b"q")
        session.see("Leave tunewiz?")
        session.press(ENTER)
        assert session.end() == 0
        assert session.left_on() == frozenset()
        assert b"Nothing was changed." in session.received


def test_the_mouse_is_left_to_the_terminal() -> None:
    with TerminalSession() as session:
        session.see("Which machine")
        session.settle()
        assert b"\x1b[?1000h" not in session.received
        assert b"\x1b[?1003h" not in session.received


def test_a_byte_that_is_no_utf_8_does_not_end_it() -> None:
    with TerminalSession() as session:
        session.see("Which machine")
        session.press(LATIN_1, END)
        session.see("▸Look around")
        session.press(CTRL_C)
        session.see("Leave tunewiz?")


def walk(session: TerminalSession) -> None:
    """Through every page, with what stands over them."""
    session.see("saved")
    session.settle()
    session.press(DOWN, b"?", ESCAPE)
    for observation in ("3/8 server", "4/8 workload", "5/8 risk", "6/8 recommendations"):
        session.press(ENTER)
        session.see(observation)
    session.press(b":", ESCAPE, ENTER, ESCAPE, RIGHT, b"d", b"m", ENTER)
    session.see("8/8 write")


def colours(received: bytes) -> set[int]:
    """The colours that were named; 39 and 49 are the terminal's own."""
    codes = {int(code or b"0") for value in SGR.findall(received) for code in value.split(b";")}
    return {code for code in codes if 30 <= code <= 107 and code not in TERMINALS_OWN}


def test_no_colour_is_sent_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with TerminalSession("--demo", "z13-lpar") as session:
        walk(session)
        assert colours(session.received) == set()


@pytest.mark.slow
def test_no_colour_is_sent_to_a_terminal_without_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "vt100")
    with TerminalSession("--demo", "z13-lpar") as session:
        walk(session)
        assert colours(session.received) == set()


@pytest.mark.slow
def test_the_terminals_own_colours_are_used_and_few_of_its_sixteen() -> None:
    with TerminalSession("--demo", "z13-lpar") as session:
        walk(session)
        assert colours(session.received) <= {*NAMED_BY_THE_TERMINAL}


@pytest.mark.parametrize(
    "variables",
    [pytest.param({"LANG": "C"}, marks=pytest.mark.slow), {"LANG": "C.UTF-8", "TERM": "linux"}],
    ids=str,
)
def test_a_terminal_without_lines_and_arrows_gets_ascii_only(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_CTYPE", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with TerminalSession("--demo", "z13-lpar") as session:
        walk(session)
        assert session.received.isascii()


def test_ascii_can_be_asked_for_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with TerminalSession("--ascii") as session:
        session.see(">Here")
        assert session.received.isascii()
    monkeypatch.setenv("LC_ALL", "C")
    with TerminalSession("--no-ascii") as session:
        session.see("▸Here")


@pytest.mark.parametrize("redirection", ["</dev/null", ">out", "2>out"])
def test_without_a_terminal_it_refuses_and_names_the_headless_commands(
    tmp_path: Path, redirection: str
) -> None:
    command = f"cd {tmp_path} && {sys.executable} -m tunewiz {redirection}"
    with TerminalSession(command=["/bin/sh", "-c", command]) as session:
        assert session.end() == 2
        text = session.text + (tmp_path / "out").read_text() if "out" in redirection else session.text
    assert "tunewiz bundle" in text
    assert b"\x1b[" not in session.received


def test_a_terminal_that_cannot_move_its_cursor_is_asked_line_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    with TerminalSession("--demo", "small-vm") as session:
        session.see("Number [1]:")
        session.press(b"q\n", b"\n")
        assert session.end() == 0
        assert b"TERM is 'dumb': asking line by line" in session.received
        assert b"\x1b" not in session.received
