"""What is named for the wizard is looked at before the screen is taken: one message, status 2."""

import os
import subprocess
from pathlib import Path

import pytest

from command_line import ANSWERS, TUNEWIZ
from small_bundles import small_bundle
from tunewiz.commands.options import parse
from tunewiz.commands.start import start_of
from tunewiz.core.answers.machine_choice import (
    ExampleMachine,
    FactsFile,
    SavedSession,
    ThisHost,
    WrittenBundle,
)
from tunewiz.core.answers.steps import Step
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.values.errors import BundleError, InputError, UsageError
from tunewiz.formats.records import facts_to_json
from tunewiz.planning import default_answers, make_plan
from tunewiz.session.record import Session, load, save
from tunewiz.session.store import sessions_directory
from tunewiz.wizard.ports import AskMachine
from tunewiz.wizard.start import read

SESSION = Session(
    facts=facts_of(Given(), {}), answers=answers_of(Given()), step=Step.RISK, as_read=facts_of(Given(), {})
)


@pytest.fixture
def session_file() -> Path:
    """An earlier run's."""
    file = sessions_directory(os.environ) / "db1.json"
    save(SESSION, file)
    return file


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Status and all that was shown, of a command that ends by itself."""
    ours, theirs = os.openpty()
    with subprocess.Popen([*TUNEWIZ, *arguments], stdin=theirs, stdout=theirs, stderr=theirs) as running:
        os.close(theirs)
        shown = b""
        try:
            while chunk := os.read(ours, 4096):
                shown += chunk
        except OSError:  # the other side has gone
            pass
        status = running.wait()
    os.close(ours)
    return status, shown.decode().replace("\r\n", "\n")


def test_a_broken_session_ends_with_one_message_and_leaves_the_screen_alone(session_file: Path) -> None:
    session_file.write_text('{"schema": 7}')
    status, shown = on_a_terminal("--resume")
    assert status == 2
    message = f"tunewiz: {session_file}: schema: found 7, expected 1 Remove it, or start without --resume."
    assert shown.split() == message.split()


def test_without_options_the_wizard_asks_for_the_machine() -> None:
    start = start_of(parse([]))
    assert isinstance(start.machine, AskMachine)
    assert (start.answers, start.out, start.ports.saved) == (None, "", "")


def test_machine_answers_and_directory_can_be_named(tmp_path: Path) -> None:
    facts, answers = tmp_path / "facts.json", tmp_path / "answers.toml"
    facts.write_text(facts_to_json(SESSION.facts))
    answers.write_text(ANSWERS)
    start = start_of(parse(["--facts", str(facts), "--answers", str(answers), "--out", "/srv/bundle"]))
    assert start.machine == FactsFile(str(facts))
    assert start.answers is not None
    assert start.out == "/srv/bundle"


def test_an_example_machine_can_be_named() -> None:
    assert start_of(parse(["--demo", "z13-lpar"])).machine == ExampleMachine("z13-lpar")


def test_an_earlier_run_is_resumed_in_its_own_file(session_file: Path) -> None:
    start = start_of(parse(["--resume"]))
    assert isinstance(start.machine, SavedSession)
    assert start.ports.saved
    assert start.ports.load("") == SESSION
    start.ports.save(SESSION)
    assert [path.name for path in session_file.parent.glob("*.json")] == [session_file.name]
    start.ports.forget()
    assert not session_file.exists()


def test_a_new_run_leaves_the_session_of_an_earlier_one_alone(session_file: Path) -> None:
    start = start_of(parse(["--demo", "z13-lpar"]))
    start.ports.save(SESSION)
    start.ports.forget()
    assert load(session_file) == SESSION


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--resume"], "found no session to resume"),
        (["--facts", "/none"], "/none: cannot be read"),
        (["--answers", "/none"], "/none: cannot be read"),
        (["--demo", "cray"], "--demo: found 'cray'"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: list[str], message: str) -> None:
    with pytest.raises((InputError, UsageError), match=message):
        start_of(parse(arguments))


def test_the_files_that_are_previewed_are_those_that_are_written(tmp_path: Path) -> None:
    ports = start_of(parse(["--demo", "nvme-server"])).ports
    facts, knowledge = ports.example("nvme-server"), ports.knowledge()
    plan = make_plan(facts, default_answers(facts, knowledge), knowledge)
    ports.write_bundle(plan, str(tmp_path / "bundle"))
    files = tmp_path / "bundle" / "files"
    written = {f"/{path.relative_to(files)}": path.read_text() for path in files.rglob("*") if path.is_file()}
    test_the_files = {file.path: file.text for file in ports.preview(plan).files}
    by_server = {path: text for path, text in test_the_files.items() if path.endswith("(by ALTER SYSTEM)")}
    assert {path: text for path, text in test_the_files.items() if path not in by_server} == written
    assert written
    assert any("shared_buffers = '" in text for text in by_server.values())


def test_changes_that_no_script_makes_are_told_with_their_reason() -> None:
    ports = start_of(parse(["--demo", "dl185"])).ports
    facts, knowledge = ports.example("dl185"), ports.knowledge()
    preview = ports.preview(make_plan(facts, default_answers(facts, knowledge), knowledge))
    by_reason = {
        changes_out_of_reach.why: changes_out_of_reach.recommendations
        for changes_out_of_reach in preview.out_of_reach
    }
    assert "pg.shared_buffers" in next(ids for why, ids in by_reason.items() if "8.2.5 is older" in why)


def test_a_session_can_be_named(session_file: Path) -> None:
    assert start_of(parse(["--resume", session_file.stem])).machine == SavedSession(session_file.stem)
    with pytest.raises(InputError, match="found no session 'elsewhere'"):
        start_of(parse(["--resume", "elsewhere"]))


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return small_bundle(tmp_path / "bundle")


def test_a_bundle_is_reopened_with_its_machine_and_answers(bundle: Path) -> None:
    start = start_of(parse(["--reopen", str(bundle)]))
    assert start.machine == WrittenBundle(str(bundle))
    begun = read(WrittenBundle(str(bundle)), start, lambda _what: None)
    journey, step = begun.journey, begun.step
    assert step is Step.RECOMMENDATIONS
    assert (journey.facts, journey.answers, journey.proof) == start.ports.read_bundle(str(bundle))
    assert journey.out != str(bundle)
    assert journey.origin == str(bundle)


def test_a_damaged_bundle_is_not_reopened(bundle: Path) -> None:
    with (bundle / "answers.toml").open("a") as answers:
        answers.write("# later\n")
    with pytest.raises(InputError, match=r"answers\.toml"):
        start_of(parse(["--reopen", str(bundle)]))


def test_a_bundle_with_another_file_changed_is_reopened(bundle: Path) -> None:
    with (bundle / "REVIEW.md").open("a") as review:
        review.write("Agreed.\n")
    assert start_of(parse(["--reopen", str(bundle)])).machine == WrittenBundle(str(bundle))


def test_what_is_no_bundle_is_not_reopened(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="expected a bundle"):
        start_of(parse(["--reopen", str(tmp_path)]))


@pytest.mark.parametrize("named", [("--port", "5433"), ("--host", "/run/postgresql"), ("--service", "main")])
def test_who_names_a_server_of_this_host_is_asked_for_no_machine(
    named: tuple[str, str], session_file: Path
) -> None:
    assert session_file.exists()
    assert start_of(parse(named)).machine == ThisHost()


def test_who_names_no_server_is_asked() -> None:
    assert start_of(parse([])).machine == AskMachine()
    assert start_of(parse(["--dbname", "shop"])).machine == AskMachine()
