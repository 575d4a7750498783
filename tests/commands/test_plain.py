"""`tunewiz --plain`: a whole run line by line, through a pipe and on a terminal."""

import dataclasses
import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import Ended, tunewiz
from terminal_session import TerminalSession
from tunewiz.formats.records import answers_from_toml
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import make_plan
from tunewiz.text.findings import grouped

ON = ""
"""Enter alone."""
NVME = "4"
"""An answer on the storage's kind that the example has not."""
TO_THE_ADVICE = (ON, ON, *[ON] * 4, *[ON] * 5)
"""Machine, storage, four questions of the workload, five of the risks."""
TO_THE_END = (ON, ON, ON)
"""Recommendations, review, directory."""


def plain(*lines: str, out: Path | None = None, start: tuple[str, ...] = ("--demo", "small-vm")) -> Ended:
    where = () if out is None else ("--out", out)
    return tunewiz("--plain", *start, *where, stdin="".join(f"{line}\n" for line in lines))


def files_of(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_the_usual_answers_give_the_bundle_of_the_headless_command(tmp_path: Path) -> None:
    ended = plain(*TO_THE_ADVICE, *TO_THE_END, out=tmp_path / "asked")
    assert ended.status == 0
    assert ended.out.startswith(f"bundle   {tmp_path}/asked")
    answers = tmp_path / "asked" / "answers.toml"
    tunewiz("bundle", "--demo", "small-vm", "--answers", answers, "-o", tmp_path / "headless")
    assert files_of(tmp_path / "asked") == files_of(tmp_path / "headless")


SAID = """schema = 1
[workload]
kind = "analytics"
connections = 20
database_size = "2TB"
[server]
storage = "nvme"
replicas = 1
[risk]
posture = "bold"
restart = false
reboot = true
kernel = true
recovery_time = "10min"
[decisions]
"pg.work_mem" = { set = "32MB", note = "agreed" }
"pg.log_lock_waits" = { decline = true }
"""


def test_the_same_answers_give_the_same_bundle_byte_for_byte(tmp_path: Path) -> None:
    answers = tmp_path / "answers.toml"
    answers.write_text(SAID)
    tunewiz("bundle", "--demo", "small-vm", "--answers", answers, "-o", tmp_path / "headless")
    workload, risk = ("4", "20", "2TB", "1"), ("3", "no", "yes", "y", "10min")
    result = plain(ON, "4", *workload, *risk, *decisions(answers), *TO_THE_END, out=tmp_path / "asked")
    assert result.status == 0, result.err
    assert files_of(tmp_path / "asked") == files_of(tmp_path / "headless")


def decisions(file: Path) -> Iterator[str]:
    """The lines that decline one and give another a value and a note, by where they are listed."""
    facts = demo_facts("small-vm")
    without = dataclasses.replace(answers_from_toml(file.read_text(), str(file)), decisions={})
    plan = make_plan(facts, without, load_knowledge())
    for key, lines in (("pg.log_lock_waits", ("2",)), ("pg.work_mem", ("3", "32MB", "4", "agreed"))):
        for subject, (_title, result) in enumerate(grouped(plan.findings, everything=True), 2):
            keys = [finding.recommendation.id for finding in result]
            if key in keys:
                yield from (str(subject), str(keys.index(key) + 2), *lines, ON, ON)


def test_an_answer_that_cannot_be_is_told_and_asked_again(tmp_path: Path) -> None:
    ended = plain(ON, "9", ON, ON, "many", ON, *[ON] * 7, *TO_THE_END, out=tmp_path / "bundle")
    assert ended.status == 0
    assert "! expected a number from 1 to 5, found '9'" in ended.err
    assert "! connections: expected a whole number such as 200, found 'many'" in ended.err


def test_back_goes_question_by_question_and_keeps_what_was_answered(tmp_path: Path) -> None:
    back_to_the_kind = ("b", "b", ON, "40", ON, ON)
    lines = (ON, ON, "2", "30", *back_to_the_kind, *[ON] * 5, *TO_THE_END)
    assert plain(*lines, out=tmp_path / "bundle").status == 0
    document = json.loads((tmp_path / "bundle" / "plan.json").read_text())
    assert document["answers"]["workload"]["kind"] == "read_mostly"
    assert document["answers"]["workload"]["connections"] == 40


def test_back_over_steps_changes_no_answer(tmp_path: Path) -> None:
    back_and_forth = (*["b"] * 4, *[ON] * 10)
    lines = (*TO_THE_ADVICE, *back_and_forth, *[ON] * 6, *TO_THE_END)
    assert plain(*lines, out=tmp_path / "wandered").status == 0
    assert plain(*TO_THE_ADVICE, *TO_THE_END, out=tmp_path / "straight").status == 0
    assert files_of(tmp_path / "wandered") == files_of(tmp_path / "straight")


def test_input_that_ends_early_is_unusable_and_the_run_can_be_resumed(tmp_path: Path) -> None:
    ended = plain(ON, ON, "2", "33", out=tmp_path / "bundle")
    assert ended.status == 2
    assert "standard input ended before the last question" in ended.err
    assert ended.out == ""
    assert not (tmp_path / "bundle").exists()
    resumed = plain(*[ON] * 4, *[ON] * 5, *TO_THE_END, start=("--resume",))
    assert resumed.status == 0, resumed.err
    document = json.loads((tmp_path / "bundle" / "plan.json").read_text())
    assert document["answers"]["workload"]["connections"] == 33


def test_a_machine_is_chosen_where_none_is_named(tmp_path: Path) -> None:
    ended = plain("3", "1", *TO_THE_ADVICE, ON, ON, str(tmp_path / "bundle"), start=())
    assert "Which machine should be tuned?" in ended.err


def test_a_directory_that_exists_is_refused_and_another_one_taken(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    lines = (*TO_THE_ADVICE, *TO_THE_END, str(tmp_path / "new"))
    ended = plain(*lines, out=tmp_path / "old")
    assert ended.status == 0
    assert f"! {tmp_path}/old" in " ".join(ended.err.split())
    assert "A bundle is never overwritten." in ended.err.splitlines()
    assert (tmp_path / "new" / "apply.sh").is_file()


def test_leaving_is_asked_and_forgetting_leaves_nothing(tmp_path: Path) -> None:
    untouched = plain(ON, "q")
    assert (untouched.status, untouched.out.splitlines()[0][:20]) == (0, "Nothing was changed.")
    assert "Leave and discard" not in untouched.err
    kept = plain(ON, NVME, "q", "1")
    assert (kept.status, kept.out.splitlines()[0][:20]) == (0, "Nothing was changed.")
    stayed = plain(ON, NVME, "q", "3", "q", "2")
    assert stayed.status == 0
    assert stayed.err.count("Leave and discard") == 2
    sessions = Path(os.environ["XDG_STATE_HOME"]) / "tunewiz" / "sessions"
    assert len(list(sessions.iterdir())) == 1
    assert not list(tmp_path.iterdir())


def test_help_tells_how_to_answer_and_asks_again() -> None:
    assert plain("?", "q").err.count("b: back.") == 2


def test_not_one_escape_sequence_and_no_letter_beyond_ascii_where_the_locale_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    shown = plain(*TO_THE_ADVICE, "2", "2", "5", *[ON] * 2, *TO_THE_END[:2], "q", "1").err
    assert "shared_buffers" in shown
    assert "\x1b" not in shown
    assert shown.isascii()


def test_strange_bytes_are_an_answer_like_any_other() -> None:
    ended = tunewiz("--plain", "--demo", "small-vm", stdin=b"\xe9\x1b[A\x00\n\nq\n1\n")
    assert ended.status == 0
    assert "expected a number from 1 to 2" in ended.err
    assert "\x1b" not in ended.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_and_the_run_can_be_resumed(number: signal.Signals) -> None:
    with TerminalSession("--plain", "--demo", "small-vm") as session:
        session.see("Number [1]:")
        session.signal(number)
        assert session.end() == (130 if number is signal.SIGINT else -number)
        assert b"\x1b" not in session.received
        assert b"Traceback" not in session.received
    with TerminalSession("--plain", "--resume") as resumed:
        resumed.see("What this machine is")


def test_the_end_of_a_terminals_input_ends_it() -> None:
    with TerminalSession("--plain", "--demo", "small-vm") as session:
        session.see("Number [1]:")
        session.press(b"\x04")
        assert session.end() == 2


def test_line_by_line_needs_no_textual() -> None:
    code = "import sys, tunewiz.plain.run, tunewiz.commands.start; sys.exit('textual' in sys.modules)"
    with TerminalSession(command=[sys.executable, "-c", code]) as session:
        assert session.end() == 0


def test_nothing_is_drawn_and_no_key_of_the_pages_is_named() -> None:
    ended = plain(*TO_THE_ADVICE, ON, "3", ON)
    assert "Where 24 GiB of memory goes" in ended.err
    assert [letter for letter in ended.err if "\N{BOX DRAWINGS LIGHT HORIZONTAL}" <= letter <= "\u259f"] == []
    assert "now [" not in ended.err
    flat = " ".join(ended.err.split())
    assert " memory 2.6 GiB claimed now, 14.3 GiB then, of 24.0 GiB; 9.7 GiB for the cache " in flat
    assert "shows which" not in ended.err


def test_the_figures_beside_a_bar_are_still_told() -> None:
    ended = plain(*TO_THE_ADVICE)
    assert " rows that were writes      6.3 %  of 331.0 million" in ended.err.splitlines()
