"""The whole wizard in a real terminal on every kind of machine, from its facts to a bundle."""

import subprocess
import sys
from pathlib import Path

import pytest

from terminal_session import TerminalSession
from tunewiz.knowledge.profiles import demo_names

ENTER, RIGHT = b"\r", b"\x1b[C"
PASSWORD = "correct-horse-battery"  # noqa: S105 - to be looked for
MAX_PAGES = 7
MAX_QUESTIONS = 40


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The program without a terminal."""
    command = [sys.executable, "-m", "tunewiz", *arguments]
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False)


def turn_page(session: TerminalSession) -> None:
    """On to the next page, however long a busy machine takes to show it."""
    before = session.text.splitlines()[0]
    session.press(ENTER)
    session.until(lambda: session.text.splitlines()[0] != before, "the next page")
    session.settle()


@pytest.mark.slow
@pytest.mark.parametrize("machine", demo_names())
def test_a_run_ends_in_a_bundle_that_holds_and_tells_no_password(
    machine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    out = tmp_path / "bundle"
    with TerminalSession("--demo", machine, "--out", str(out)) as session:
        session.see("saved")
        session.settle()
        for _ in range(MAX_PAGES):
            if "recommendations" in session.text.splitlines()[0]:
                break
            turn_page(session)
        session.see("→ review")
        session.press(RIGHT)
        session.see("What the bundle will do")
        session.press(ENTER)
        session.see("Where should the bundle be written?")
        session.press(ENTER)
        session.see("What next?")
        session.settle()
        session.press(ENTER)
        assert session.end() == 0
        assert session.left_on() == frozenset()
        assert f"less {out}/REVIEW.md".encode() in session.received
        assert PASSWORD.encode() not in session.received
    checked = run("check", str(out))
    assert "Traceback" not in checked.stderr
    assert checked.returncode in {0, 1}, checked.stderr
    facts, answers = str(out / "facts.json"), str(out / "answers.toml")
    again = run("bundle", "--facts", facts, "--answers", answers, "-o", str(tmp_path / "again"))
    assert (again.returncode, again.stderr) == (0, "")
    lines = ("--plain", "--facts", facts, "--answers", answers, "--out", str(tmp_path / "lines"))
    result = run(*lines, typed="\n" * MAX_QUESTIONS)
    assert result.returncode == 0
    assert f"less {tmp_path}/lines/REVIEW.md" in result.stdout
    assert not {PASSWORD, "Traceback"} & {*result.stderr.split(), *result.stdout.split()}
    for other in ("again", "lines"):
        assert (tmp_path / other / "apply.sh").read_bytes() == (out / "apply.sh").read_bytes()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or PASSWORD.encode() not in file.read_bytes(), file
