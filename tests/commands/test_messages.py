"""Messages say what is there and what was found, in numbers that read well."""

import json
import os
import pty
from pathlib import Path

import pytest

from command_line import tunewiz
from tunewiz.console.exit_status import say
from tunewiz.console.terminal import check_terminal
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.plural import with_share


def test_check_says_whether_there_is_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    for name, words in (
        ("absent", "found nothing there"),
        ("file", "found a file"),
        ("empty", "no SHA256SUMS"),
    ):
        ended = tunewiz("check", tmp_path / name)
        assert ended.status == 2
        assert words in ended.err


def test_a_fleet_without_a_host_that_can_be_planned_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "db1.json").write_text("{}")
    ended = tunewiz("fleet", "plan", tmp_path)
    assert (ended.status, ended.out) == (2, "")
    assert "found no host that can be planned" in ended.err
    assert "db1: " in ended.err


def test_for_scripts_the_hosts_without_a_plan_are_still_listed(tmp_path: Path) -> None:
    (tmp_path / "db1.json").write_text("{}")
    ended = tunewiz("fleet", "plan", tmp_path, "--json")
    assert ended.status == 1
    assert "db1" in json.dumps(json.loads(ended.out))


def test_a_bundle_needs_no_answers_where_a_plan_needs_none(tmp_path: Path) -> None:
    planned = json.loads(tunewiz("plan", "--demo", "small-vm", "--json").out)
    assert tunewiz("bundle", "--demo", "small-vm", "-o", tmp_path / "bundle").status == 0
    again = tunewiz("plan", "--demo", "small-vm", "--answers", tmp_path / "bundle/answers.toml", "--json")
    assert json.loads(again.out) == planned


def test_redirected_streams_are_listed_as_people_list() -> None:
    with pytest.raises(UsageError, match="standard input, standard output and standard error are not"):
        check_terminal({100: "standard input", 101: "standard output", 102: "standard error"})
    with pytest.raises(UsageError, match="; standard error is not"):
        check_terminal({102: "standard error"})


@pytest.mark.parametrize("number", range(4))
def test_no_share_reads_as_a_count_of_one(number: int) -> None:
    for part in range(number + 1):
        text = with_share(number, "checkpoint", part, "forced")
        assert "0 of" not in text
        assert "1 of them" not in text or number > 1


def test_on_a_terminal_no_word_of_a_message_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    message = "standard input is not connected to " + "one " * 40 + "/a/very/long/path/that/stays/whole"
    ours, theirs = pty.openpty()
    monkeypatch.setenv("COLUMNS", "60")
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        say(message)
    rows = os.read(ours, 4096).decode().splitlines()
    os.close(ours)
    assert len(rows) > 2
    assert max(map(len, rows)) <= 60
    assert " ".join(rows).split() == f"tunewiz: {message}".split()
