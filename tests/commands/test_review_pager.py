"""`tunewiz review` on a terminal goes through the reader's pager; elsewhere nothing is started."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tunewiz.console.pager import PAGERS, pager


@pytest.mark.parametrize(
    ("environment", "command"),
    [
        ({"TERM": "xterm", "PAGER": "less -S"}, ("less", "-S")),
        ({"TERM": "xterm", "PAGER": ""}, ()),
        ({"TERM": "xterm", "PAGER": "cat"}, ()),
        ({"TERM": "xterm", "PAGER": "'less"}, ()),
        ({"TERM": "dumb", "PAGER": "less"}, ()),
        ({"PAGER": "less"}, ()),
    ],
)
def test_the_reader_chooses_the_pager(environment: dict[str, str], command: tuple[str, ...]) -> None:
    assert pager(environment, as_root=False) == command


@pytest.mark.parametrize("named", ["/srv/theirs", "less -S", "sh -c id"])
def test_root_gets_the_systems_own_whoever_set_the_environment(named: str) -> None:
    assert pager({"TERM": "xterm", "PAGER": named}, as_root=True) == pager({"TERM": "xterm"}, as_root=False)


@pytest.mark.parametrize("named", ["", "cat"])
def test_root_may_want_no_pager(named: str) -> None:
    assert pager({"TERM": "xterm", "PAGER": named}, as_root=True) == ()


def test_without_a_choice_it_is_one_of_the_systems() -> None:
    command = pager({"TERM": "xterm"}, as_root=False)
    assert [Path(path).name in PAGERS for path in command] in ([], [True])
    assert all(Path(path).is_absolute() for path in command)


SHOW = "from tunewiz.console import pager; pager.show('first line\\nsecond\\n', as_root=False)"


def on_a_terminal(program: str) -> str:
    """What a terminal gets of the text, with that pager."""
    read, write = pty.openpty()
    try:
        subprocess.run(
            [sys.executable, "-c", SHOW],
            stdout=write,
            env={**os.environ, "TERM": "xterm", "PAGER": program},
            check=True,
            timeout=30,
        )
        return os.read(read, 4096).decode()
    finally:
        os.close(write)
        os.close(read)


def test_on_a_terminal_the_text_goes_to_the_pager() -> None:
    assert on_a_terminal("sed s/^/paged:/").split() == ["paged:first", "line", "paged:second"]


def test_a_pager_that_is_not_there_keeps_nothing_back() -> None:
    assert on_a_terminal("/nowhere/less").split() == ["first", "line", "second"]


def test_what_is_piped_starts_no_pager() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SHOW],
        capture_output=True,
        text=True,
        env={**os.environ, "TERM": "xterm", "PAGER": "sed s/^/paged:/"},
        check=True,
        timeout=30,
    )
    assert ended.stdout == "first line\nsecond\n"
