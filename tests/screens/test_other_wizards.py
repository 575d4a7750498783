"""Two wizards on one host: each is told of the other."""

import os
from uuid import uuid4

from terminal_session import TerminalSession
from tunewiz.wizard.other_wizards import announce


def test_each_of_two_wizards_is_told_of_the_other() -> None:
    with TerminalSession("--demo", "small-vm") as first:
        first.see("saved")
        with TerminalSession("--demo", "small-vm") as second:
            second.see("Another wizard runs on this host already: process")
            first.see("Another wizard was started on this host: process")


def test_who_is_told_of_another_wizard_still_reads_the_pages_hint() -> None:
    with TerminalSession("--demo", "small-vm") as first:
        first.see("saved")
        with TerminalSession("--demo", "small-vm") as second:
            second.see("Another wizard runs on this host already: process")
            second.see("Something wrong? Correct it")


def test_one_alone_is_told_nothing() -> None:
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.settle()
        assert "Another wizard" not in session.text


def test_line_by_line_they_are_told_too() -> None:
    with TerminalSession("--demo", "small-vm") as first:
        first.see("saved")
        with TerminalSession("--plain", "--demo", "small-vm") as second:
            second.see("Another wizard runs on this host already")


def test_who_has_left_is_not_met() -> None:
    environ = {"TUNEWIZ_PRESENCE": uuid4().hex}
    first = announce(environ)
    assert first.before == ""
    second = announce(environ)
    assert f"process {os.getpid()} of" in second.before
    assert f"process {os.getpid()} of" in first.arrived()
    assert first.arrived() == ""
    first.leave()
    third = announce(environ)
    assert third.before == ""
    third.leave()


def test_a_mouse_is_taken_only_where_it_is_asked_for() -> None:
    with TerminalSession("--mouse", "--demo", "small-vm") as session:
        session.see("saved")
        assert b"\x1b[?1000h" in session.received
        session.press(b"\x1b[<0;4;7M\x1b[<0;4;7m")
        session.see("▸  swap")
        session.press(b"q", b"\r")
        assert session.end() == 0
        assert session.left_on() == frozenset()
