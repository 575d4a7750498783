"""What is looked at before Textual is imported, and what it is told."""

import os

import pytest

from tunewiz.console.terminal import (
    ESCDELAY_OVER_SSH,
    SETTINGS,
    STREAMS,
    check_terminal,
    draws_in_ascii,
    moves_no_cursor,
    prepare,
    speaks_utf_8,
)
from tunewiz.core.values.errors import UsageError


@pytest.mark.parametrize(("term", "moves"), [("", False), ("dumb", False), ("vt100", True)])
def test_a_terminal_may_have_no_cursor_to_move(term: str, *, moves: bool) -> None:
    assert moves_no_cursor({"TERM": term}) is not moves


@pytest.mark.parametrize(
    ("locale", "speaks"),
    [
        ({"LANG": "C.UTF-8"}, True),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "C.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "en_US.ISO-8859-1", "LC_ALL": ""}, False),
        ({}, False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, False),
        ({"LANG": "de_DE.ISO-8859-1", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_CTYPE": "UTF-8"}, True),
    ],
)
def test_the_users_locale_says_which_letters_there_are(locale: dict[str, str], *, speaks: bool) -> None:
    assert speaks_utf_8(locale) is speaks


@pytest.mark.parametrize(
    ("term", "locale", "draws"),
    [
        ("xterm-256color", "en_US.UTF-8", False),
        ("xterm-256color", "C", True),
        ("linux", "en_US.UTF-8", True),
        ("vt220", "en_US.UTF-8", True),
    ],
)
def test_a_bare_console_or_locale_asks_for_ascii(term: str, locale: str, *, draws: bool) -> None:
    assert draws_in_ascii({"TERM": term, "LANG": locale}) is draws


def test_a_stream_that_is_no_terminal_is_named() -> None:
    read, write = os.pipe()
    os.close(write)
    try:
        with pytest.raises(UsageError, match="standard input is not connected to one"):
            check_terminal(streams={read: STREAMS[0]})
    finally:
        os.close(read)


def test_a_terminal_is_taken() -> None:
    master, slave = os.openpty()
    try:
        check_terminal(streams={slave: STREAMS[0]})
    finally:
        os.close(master)
        os.close(slave)


def test_textual_is_told_to_be_quiet() -> None:
    environ: dict[str, str] = {}
    prepare(environ)
    assert environ == SETTINGS


@pytest.mark.parametrize(("terminal", "is_without"), [("vt100", True), ("vt220", True), ("xterm", False)])
def test_a_terminal_without_colours_gets_none(terminal: str, *, is_without: bool) -> None:
    environ = {"TERM": terminal}
    prepare(environ)
    assert ("NO_COLOR" in environ) == is_without


def test_what_the_user_has_set_wins() -> None:
    environ = {"TEXTUAL_ANIMATIONS": "full", "SSH_CONNECTION": "x", "ESCDELAY": "50"}
    prepare(environ)
    assert (environ["TEXTUAL_ANIMATIONS"], environ["ESCDELAY"]) == ("full", "50")


def test_keys_may_come_in_parts_over_ssh_only() -> None:
    near, far = dict[str, str](), {"SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"}
    prepare(near)
    prepare(far)
    assert "ESCDELAY" not in near
    assert far["ESCDELAY"] == ESCDELAY_OVER_SSH
