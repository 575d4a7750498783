"""`tunewiz sessions`: what earlier runs left can be seen and removed, and holds no password."""

import os
import signal
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from command_line import tunewiz
from terminal_session import TerminalSession
from tunewiz.core.answers.steps import Step
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers
from tunewiz.session.current import CurrentSession
from tunewiz.session.record import Session, save
from tunewiz.session.store import listed, sessions_directory

PASSWORD = "hunter2"  # noqa: S105 - for the test alone


@pytest.fixture
def sessions() -> Path:
    """Two of them."""
    directory = sessions_directory(os.environ)
    for name, step in (("small-vm", Step.RISK), ("z13-lpar", Step.REVIEW)):
        facts = demo_facts(name)
        answers = default_answers(facts, load_knowledge())
        save(Session(facts=facts, answers=answers, step=step, as_read=facts), directory / f"{name}.json")
    return directory


def test_a_session_that_a_wizard_has_open_is_not_removed(sessions: Path) -> None:
    held = CurrentSession(sessions)
    held.load("small-vm")
    ended = tunewiz("sessions", "--remove", "small-vm")
    assert ended.status != 0
    assert "another wizard has this session open" in ended.err
    assert (sessions / "small-vm.json").exists()
    held.let_go()
    assert tunewiz("sessions", "--remove", "small-vm").status == 0
    assert [path.name for path in sessions.iterdir()] == ["z13-lpar.json"]


def test_none_are_nothing_to_list() -> None:
    ended = tunewiz("sessions")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_each_is_a_line_with_its_machine_and_step(sessions: Path) -> None:
    (sessions / "broken.json").write_text("{")
    lines = tunewiz("sessions").out.splitlines()
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    assert len(lines) == 3
    assert lines[0].startswith(f"broken  {day}")
    assert "cannot be resumed" in lines[0]
    assert any(line.startswith("z13-lpar") and line.endswith(", at review") for line in lines)


def test_one_is_removed_by_its_name_and_the_others_stay(sessions: Path) -> None:
    assert tunewiz("sessions", "--remove", "small-vm").status == 0
    assert [path.name for path in sessions.iterdir()] == ["z13-lpar.json"]


def test_a_name_that_is_none_removes_nothing(sessions: Path) -> None:
    ended = tunewiz("sessions", "--remove", "small-vm", "../z13-lpar")
    assert ended.status == 2
    assert "found no session '../z13-lpar'" in ended.one_message
    assert len(list(sessions.iterdir())) == 2


def test_all_of_them_can_be_removed(sessions: Path) -> None:
    assert tunewiz("sessions", "--remove-all").status == 0
    assert not list(sessions.iterdir())


def test_a_password_in_the_environment_is_in_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with TerminalSession("--demo", "small-vm") as session:
        session.see("saved")
        session.signal(signal.SIGTERM)
        _ = session.end()
        assert PASSWORD.encode() not in session.received
    (kept,) = listed(sessions_directory(os.environ))
    assert PASSWORD not in kept.file.read_text()
    assert stat.S_IMODE(kept.file.parent.stat().st_mode) == 0o700
