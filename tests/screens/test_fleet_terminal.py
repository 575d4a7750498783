"""Many servers with the real program in a real terminal, and line by line: from facts to the project."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from command_line import tunewiz
from small_fleets import write_host
from terminal_session import ESCAPE, ESCAPE_ALONE, TerminalSession
from tunewiz.core.recommendation.examples import Given
from tunewiz.session.store import listed, sessions_directory


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    directory = tmp_path / "facts"
    directory.mkdir()
    for number, memory in enumerate(("64GB", "96GB", "64GB")):
        write_host(directory, f"db{number}", Given(memory=memory))
    (directory / "cut.json").write_text("{")
    return directory


def state_of(project: Path, host: str) -> dict[str, str]:
    plan = json.loads((project / "bundles" / host / "plan.json").read_text())
    return {value["id"]: value["state"] for value in plan["recommendations"]}


@pytest.mark.usefixtures("facts")
def test_from_a_directory_to_the_written_project_in_a_terminal(tmp_path: Path) -> None:
    with TerminalSession("--fleet", "facts") as session:
        session.see("3 hosts in 1 group · 1 host not planned")
        session.press(b"\r")
        session.see("values of db0")
        session.press(b" ")
        session.see("[-]")
        session.press(ESCAPE)
        session.settle(ESCAPE_ALONE)
        session.see("3 hosts in 1 group")
        session.press(b"w")
        session.see("Where should the project be written?")
        session.press(b"\r")
        session.see("3 waiting")
        session.press(b"q")
        assert session.end() == 0
        assert b"3 bundles and 1 review are in" in session.received
    (project,) = tmp_path.glob("rollout-*")
    for host in ("db0", "db1", "db2"):
        assert state_of(project, host)["pg.shared_buffers"] == "declined"


def test_decisions_survive_a_lost_connection_and_discarding_removes_them(facts: Path) -> None:
    with TerminalSession("--fleet", "facts") as session:
        session.see("many servers · saved")
        session.press(b"\r")
        session.see("values of db0")
        session.press(b" ")
        session.see("[-]")
        assert session.hang_up() == 128 + signal.SIGHUP
    (kept,) = listed(sessions_directory(os.environ))
    assert "3 hosts of" in tunewiz("sessions").out
    write_host(facts, "db2", Given(memory="80GB"))
    with TerminalSession("--resume", kept.file.stem) as session:
        session.see("Your decisions for 1 host were not taken over")
        session.press(b"q")
        session.see("Leave and discard")
        session.press(b"\r")
        assert session.end() == 0
        assert b"`tunewiz --resume` continues where you stopped" in session.received
    with TerminalSession("--plain", "--resume") as session:
        session.see("facts or answers changed: db2. Your decisions for it")
        session.press(b"q\n")
        session.see("Leave and discard")
        session.press(b"2\n")
        assert session.end() == 0
    assert listed(sessions_directory(os.environ)) == ()


@pytest.mark.slow
def test_hosts_that_are_planned_by_several_processes_are_shown_too(facts: Path) -> None:
    for number in range(10, 80):
        write_host(facts, f"db{number}")
    with TerminalSession("--fleet", "facts") as session:
        session.see("73 hosts in")


def test_line_by_line_the_same_project_is_written(facts: Path, tmp_path: Path) -> None:
    lines = ("3", str(tmp_path / "asked"))
    result = tunewiz("--plain", "--fleet", facts, stdin="".join(f"{line}\n" for line in lines))
    assert result.status == 0
    assert "3 bundles and 1 review are in" in result.out
    assert "pg15-1: 3 hosts" in result.err
    assert "! cut:" in result.err
    tunewiz("fleet", "write", facts, "--answers", tmp_path / "asked/answers", "-o", tmp_path / "again")
    for host in ("db0", "db1", "db2"):
        sums = (path / "bundles" / host / "SHA256SUMS" for path in (tmp_path / "asked", tmp_path / "again"))
        assert len({path.read_bytes() for path in sums}) == 1


def test_line_by_line_a_decision_is_for_the_whole_group(facts: Path, tmp_path: Path) -> None:
    # The group; its first subject; its first finding; leave it out; back three times; write.
    lines = ("2", "2", "2", "2", "1", "1", "1", "3", str(tmp_path / "asked"))
    result = tunewiz("--plain", "--fleet", facts, stdin="".join(f"{line}\n" for line in lines))
    assert result.status == 0, result.err
    declined = {
        host: {name for name, state in state_of(tmp_path / "asked", host).items() if state == "declined"}
        for host in ("db0", "db1", "db2")
    }
    assert len({frozenset(names) for names in declined.values()}) == 1
    plain = tunewiz("fleet", "plan", facts, "--json")
    assert {load["id"] for load in json.loads(plain.out)["groups"][0]["decisions"]} & declined["db0"]


def test_line_by_line_decisions_are_resumed(facts: Path, tmp_path: Path) -> None:
    # The group; its first subject; its first finding; leave it out; then the input ends.
    ended = tunewiz("--plain", "--fleet", facts, stdin="2\n2\n2\n2\n")
    assert ended.status == 2
    assert "`tunewiz --plain --resume` continues there." in ended.err
    out = tmp_path / "resumed"
    resumed = tunewiz("--plain", "--resume", stdin=f"3\n{out}\n")
    assert resumed.status == 0, resumed.err
    assert "declined" in state_of(out, "db0").values()
    assert state_of(out, "db0") == state_of(out, "db2")
    assert listed(sessions_directory(os.environ)) == ()


def test_line_by_line_leaving_keeps_the_session(facts: Path) -> None:
    left = tunewiz("--plain", "--fleet", facts, stdin="1\n")
    assert left.out.splitlines()[0].startswith("Nothing was changed. `tunewiz --resume`")
    again = tunewiz("--plain", stdin="1\n1\n")
    assert "pg15-1: 3 hosts" in again.err
    assert len(listed(sessions_directory(os.environ))) == 1


def test_a_session_whose_facts_are_gone_ends_with_one_message_and_stays(facts: Path) -> None:
    tunewiz("--plain", "--fleet", facts, stdin="1\n")
    facts.rename(facts.with_name("moved"))
    done = tunewiz("--plain", "--resume", stdin="")
    assert done.status == 2
    assert f"the saved session: {facts}: expected a directory of facts" in done.err
    assert len(listed(sessions_directory(os.environ))) == 1


def test_line_by_line_a_rollout_is_told_with_what_failed(facts: Path, tmp_path: Path) -> None:
    answers = tmp_path / "a.toml"
    answers.write_text("schema = 1\n")
    tunewiz("fleet", "write", facts, "--answers", answers, "-o", tmp_path / "p")
    (tmp_path / "p/ansible/rollout").mkdir()
    (tmp_path / "p/ansible/rollout/db0").write_text("1700000000 began\n1700000009 not-applied\n")
    result = tunewiz("--plain", "--fleet", tmp_path / "p", stdin="2\n1\n")
    assert result.status == 0
    assert len(re.findall(r"^1 failed, 2 waiting:$", result.err, re.MULTILINE)) == 2
    assert "apply.sh failed" in result.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--fleet", "nowhere"), "expected a directory"),
        (("--fleet", "empty"), "found no file of facts"),
        (("--fleet", "facts", "--answers", "nowhere.toml"), "nowhere.toml: cannot be read"),
        (("--fleet", "facts", "--demo", "small-vm"), "not allowed with"),
    ],
)
@pytest.mark.usefixtures("facts")
def test_what_cannot_be_opened_ends_with_one_message(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    done = tunewiz("--plain", *arguments, stdin="")
    assert done.status == 2
    assert message in done.err
    assert "Traceback" not in done.err
