"""Shells complete what can be typed: the files are made from the parser, and real shells are asked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from terminal_session import TerminalSession
from tools_here import path_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "completion"
TAB, CLEAR = b"\t", b"\x15"
PROMPT = "ready> "


def test_the_files_are_what_the_parser_says(tmp_path: Path) -> None:
    subprocess.run([sys.executable, ROOT / ".ci" / "completion.py", tmp_path], check=True)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.iterdir()}, "make docs writes them anew"


@pytest.fixture(autouse=True)
def _found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is found by its name, as where it is installed."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("PS1", PROMPT)


TYPED = {
    "tunewiz pl": "tunewiz plan",
    "tunewiz --pla": "tunewiz --plain",
    "tunewiz plan --demo z13-l": "tunewiz plan --demo z13-lpar",
    "tunewiz explain pg.hash_m": "tunewiz explain pg.hash_mem_multiplier",
    "tunewiz --facts plan bundle --answ": "tunewiz --facts plan bundle --answers",
    "tunewiz check doc": "tunewiz check docs/",
    "tunewiz prove ben": "tunewiz prove bench",
    "tunewiz prove bench --wind": "tunewiz prove bench --window",
}


def completes(session: TerminalSession, *setting_up: str) -> None:
    """Set a shell up, type everything, and see it completed."""
    session.see(PROMPT.strip())
    session.press(f"{'; '.join((f'cd {ROOT}', *setting_up, 'clear'))}; echo re''ady\r".encode())
    session.until(lambda: session.text.startswith("ready\n"), "a clear screen")
    for typed, completed in TYPED.items():
        session.press(typed.encode(), TAB)
        session.see(f"{PROMPT}{completed}")
        session.press(CLEAR)
    session.press(b"tunewiz demo --jso", TAB)
    session.settle()
    assert "--json" not in session.text.splitlines()[1]


def test_bash_completes() -> None:
    with TerminalSession(command=[path_of("bash"), "--norc", "--noprofile", "-i"]) as session:
        completes(session, ". docs/completion/tunewiz")


@pytest.mark.slow
def test_zsh_completes() -> None:
    with TerminalSession(command=[path_of("zsh"), "-f", "-i"]) as session:
        completes(session, f"fpath=({FOLDER} $fpath)", "autoload -Uz compinit", "compinit -u -D")


def test_fish_reads_its_file() -> None:
    done = subprocess.run(
        [path_of("fish"), "-N", "-c", "source docs/completion/tunewiz.fish; complete -C 'tunewiz pl'"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("plan\t")


def test_fish_completes_commands_of_commands() -> None:
    text = "complete -C 'tunewiz prove ben'; complete -C 'tunewiz prove bench --wind'"
    done = subprocess.run(
        [path_of("fish"), "-N", "-c", f"source docs/completion/tunewiz.fish; {text}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["bench", "--window"]
