"""A run of the wizard survives a dropped connection, and nobody else reads it."""

import dataclasses
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from made_up import ANSWERS, FACTS, TEXTS
from synthetic_proofs import kept
from tunewiz.core.answers.steps import Step
from tunewiz.core.proof.measured_parts import NO_PROOF
from tunewiz.core.proof.named_proof import NamedProof
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.values.errors import InputError
from tunewiz.session.current import CurrentSession
from tunewiz.session.fleet_record import Basis, FleetSession
from tunewiz.session.record import Session, load, new_file, save
from tunewiz.session.store import (
    SessionError,
    StoredSession,
    latest,
    listed,
    lock_of,
    remove,
    sessions_directory,
)

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
SESSION = Session(
    facts=facts_of(Given(), {}),
    answers=answers_of(Given()),
    step=Step.RISK,
    out="/srv/b",
    origin="z13",
    as_read=facts_of(Given(), {}),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tunewiz" / "sessions" / "db1.json"


GONE = object()


def broken(file: Path, keys: tuple[str, ...], value: object) -> str:
    """What is said of a session in which one value is another, or gone."""
    save(SESSION, file)
    document: dict[str, Any] = json.loads(file.read_text())
    place = document
    for key in keys[:-1]:
        place = place[key]
    if value is GONE:
        del place[keys[-1]]
    else:
        place[keys[-1]] = value
    file.write_text(json.dumps(document))
    with pytest.raises(InputError) as refused:
        load(file)
    assert refused.value.hint == "Remove it, or start without --resume."
    assert refused.value.message.startswith(f"{file}: ")
    return refused.value.message


@settings(
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ]
)
@given(
    st.builds(
        Session,
        facts=FACTS,
        answers=ANSWERS,
        step=st.sampled_from(Step),
        out=TEXTS,
        origin=TEXTS,
        as_read=FACTS,
        changes=st.integers(0, 400),
        proof=st.just(NO_PROOF) | st.builds(NamedProof, file=TEXTS, proof=st.just(kept("synthetic-pairs"))),
    )
)
def test_what_was_saved_comes_back(tmp_path: Path, session: Session) -> None:
    file = tmp_path / "sessions" / "db1.json"
    save(session, file)
    assert load(file) == session


def test_a_session_is_its_owners_alone(file: Path) -> None:
    save(SESSION, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_saving_again_replaces_and_leaves_nothing_beside(file: Path) -> None:
    save(SESSION, file)
    save(SESSION, file)
    assert [path.name for path in file.parent.iterdir()] == ["db1.json"]


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "tunewiz").write_text("")
    with pytest.raises(SessionError, match="the session cannot be saved"):
        save(SESSION, tmp_path / "tunewiz" / "sessions" / "a.json")


def test_the_newest_session_is_the_one_to_resume(tmp_path: Path) -> None:
    assert listed(tmp_path / "none") == ()
    for name in ("a", "b"):
        save(SESSION, tmp_path / f"{name}.json")
    (tmp_path / "notes.txt").write_text("no session")
    assert [saved_session.file.name for saved_session in listed(tmp_path)] == ["b.json", "a.json"]
    assert latest(tmp_path).name == "b.json"


def test_resuming_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no session to resume"):
        latest(tmp_path)


def test_a_session_can_be_removed_twice(file: Path) -> None:
    save(SESSION, file)
    remove(file)
    remove(file)
    assert listed(file.parent) == ()


def test_only_an_absolute_state_directory_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/anna")
    assert sessions_directory({"XDG_STATE_HOME": "/state"}) == Path("/state/tunewiz/sessions")
    default = Path("/home/anna/.local/state/tunewiz/sessions")
    assert sessions_directory({"XDG_STATE_HOME": "state"}) == default
    assert sessions_directory({}) == default


def test_the_name_of_a_file_tells_host_and_time_and_holds_no_slash() -> None:
    assert new_file(Path("/s"), SESSION, NOON).name.startswith("example-20261121-120000-")


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (("schema",), 2, "schema: found 2, expected 1"),
        (("schema",), GONE, "schema: found null, expected 1"),
        (("step",), "dance", 'step: found "dance", expected one of welcome'),
        (("step",), [], "step: found [], expected one of welcome"),
        (("out",), 7, "out: found 7, expected text"),
        (("answers",), GONE, 'found nothing for "answers"'),
        (("secret",), "x", 'found the unknown key "secret"'),
        (("answers",), [], "answers: found [], expected keys and values"),
        (("answers", "workload", "connections"), 0, "answers: workload.connections: found 0, expected 1 to"),
        (("facts", "cpu", "cores"), -1, "facts: cpu.cores: found -1, expected 1"),
        (("proof",), [], "proof: found [], expected file and content"),
        (("proof",), {"file": "p.json"}, "expected file and content"),
        (("proof",), {"file": 7, "content": "{}"}, "proof: file: found 7, expected text"),
        (("proof",), {"file": "p.json", "content": "{}"}, "proof: content: schema: found null, expected 1"),
        (("facts", "schema"), 9, "facts: schema: found 9, expected 1"),
    ],
)
def test_a_broken_session_is_told_by_its_key(
    file: Path, keys: tuple[str, ...], value: object, message: str
) -> None:
    assert message in broken(file, keys, value)


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "not valid JSON"), (b"\xff", "not valid UTF-8"), (b"[]", "found [], expected keys")],
)
def test_a_file_that_is_no_session_is_told(file: Path, content: bytes, message: str) -> None:
    save(SESSION, file)
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"db1\.json") as refused:
        load(file)
    assert message in refused.value.message


def test_a_session_that_is_gone_is_told(file: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        load(file)


def an_earlier_run(directory: Path) -> None:
    session = CurrentSession(directory)
    session.save(SESSION)
    session.let_go()


def test_a_run_keeps_to_one_file(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(SESSION)
    session.save(SESSION)
    assert len(listed(tmp_path)) == 1


def test_a_resumed_run_goes_on_in_the_file_it_came_from(tmp_path: Path) -> None:
    an_earlier_run(tmp_path)
    session = CurrentSession(tmp_path)
    assert session.in_words()
    assert session.load() == SESSION
    session.save(SESSION)
    assert len(listed(tmp_path)) == 1
    session.forget()
    assert listed(tmp_path) == ()


def test_forgetting_a_run_that_saved_nothing_removes_nothing(tmp_path: Path) -> None:
    an_earlier_run(tmp_path)
    CurrentSession(tmp_path).forget()
    assert len(listed(tmp_path)) == 1


def test_without_sessions_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert CurrentSession(tmp_path / "none").in_words() == ""


def of_one_host(saved: StoredSession) -> Session:
    session = load(saved.file)
    assert isinstance(session, Session)
    return session


def other_machine(origin: str) -> Session:
    return dataclasses.replace(SESSION, origin=origin)


def test_another_machine_gets_a_file_of_its_own_and_the_first_one_stays(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(SESSION)
    session.save(other_machine("power10"))
    session.save(dataclasses.replace(other_machine("power10"), step=Step.WRITE))
    kept = sorted(map(of_one_host, listed(tmp_path)), key=lambda session: session.origin)
    assert kept == [dataclasses.replace(other_machine("power10"), step=Step.WRITE), SESSION]


def test_a_session_is_resumed_by_its_name(tmp_path: Path) -> None:
    an_earlier_run(tmp_path)
    session = CurrentSession(tmp_path)
    session.save(other_machine("power10"))
    session.let_go()
    for saved in listed(tmp_path):
        assert CurrentSession(tmp_path).load(saved.file.stem) == load(saved.file)
    with pytest.raises(InputError, match="found no session 'nowhere'"):
        CurrentSession(tmp_path).load("nowhere")


def test_two_wizards_never_have_one_session(tmp_path: Path) -> None:
    first, second = CurrentSession(tmp_path), CurrentSession(tmp_path)
    first.save(SESSION)
    with pytest.raises(InputError, match=rf"another wizard has this session open \(process {os.getpid()}\)"):
        second.load()
    first.let_go()
    assert second.load() == SESSION
    with pytest.raises(InputError, match="another wizard has this session open"):
        first.load()


def test_a_session_that_was_let_go_leaves_nothing_beside(tmp_path: Path) -> None:
    an_earlier_run(tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]


def test_a_killed_wizard_holds_nothing(tmp_path: Path) -> None:
    an_earlier_run(tmp_path)
    (saved,) = listed(tmp_path)
    lock_of(saved.file).write_text("4194304\n")
    assert CurrentSession(tmp_path).load() == SESSION


def test_earlier_sessions_are_offered_the_newest_first(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(SESSION)
    session.save(other_machine("power10"))
    assert [earlier.name for earlier in session.earlier()] == [
        saved_session.file.stem for saved_session in listed(tmp_path)
    ]
    assert CurrentSession(tmp_path / "none").earlier() == ()


def test_the_same_machine_picked_again_begins_another_session(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(SESSION)
    session.let_go()
    session.save(dataclasses.replace(SESSION, step=Step.MACHINE))
    assert sorted(of_one_host(saved_session).step for saved_session in listed(tmp_path)) == [
        Step.MACHINE,
        Step.RISK,
    ]


FLEET = FleetSession(
    place="/srv/facts",
    answers="",
    hosts={name: Basis(facts="f" * 64, answers="a" * 64) for name in ("db1", "db2", "db3")},
    own={
        "db1": {"pg.jit": {"decline": True, "note": "no \u2019"}},
        "db2": {"pg.jit": {"decline": True, "note": "no \u2019"}},
        "db3": {},
    },
)


def test_a_fleet_that_was_saved_comes_back(file: Path) -> None:
    save(FLEET, file)
    assert load(file) == FLEET
    assert json.loads(file.read_text())["decided"][0]["hosts"] == ["db1", "db2"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_fleet_and_a_host_of_one_run_have_a_file_each(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(SESSION)
    session.save(FLEET)
    assert [load(saved_session.file) for saved_session in listed(tmp_path)] == [FLEET, SESSION]
    assert listed(tmp_path)[0].file.name.startswith("fleet-facts-")


BROKEN_FLEETS: list[tuple[str, object, str]] = [
    ("answers", GONE, 'found nothing for "answers"'),
    ("step", "risk", 'found the unknown key "step"'),
    ("fleet", 7, "fleet: found 7, expected text"),
    ("hosts", [], "hosts: found [], expected keys"),
    ("hosts", {"db1": "x"}, 'hosts.db1: found "x", expected digests'),
    ("decided", {}, "decided: found {}, expected a list"),
    ("decided", [{"hosts": ["db1"]}], "decided.0: found"),
    ("decided", [{"hosts": [1], "decisions": {}}], "decided.0: hosts: found 1, expected text"),
    ("decided", [{"hosts": ["db1"], "decisions": {"pg.jit": {"maybe": 1}}}], "decisions.pg.jit"),
]


@pytest.mark.parametrize(("key", "value", "message"), BROKEN_FLEETS)
def test_a_broken_session_of_a_fleet_is_told_by_its_key(
    file: Path, key: str, value: object, message: str
) -> None:
    save(FLEET, file)
    document: dict[str, Any] = json.loads(file.read_text())
    if value is GONE:
        del document[key]
    else:
        document[key] = value
    file.write_text(json.dumps(document))
    with pytest.raises(InputError) as refused:
        load(file)
    assert message in refused.value.message
    assert refused.value.hint == "Remove it, or start without --resume."


WORTHLESS = dataclasses.replace(SESSION, is_worthless=True)


def test_an_untouched_example_leaves_nothing_when_another_machine_is_chosen(tmp_path: Path) -> None:
    session = CurrentSession(tmp_path)
    session.save(WORTHLESS)
    session.save(other_machine("power10"))
    assert [of_one_host(saved).origin for saved in listed(tmp_path)] == ["power10"]
    session.let_go()
    assert [of_one_host(saved).origin for saved in listed(tmp_path)] == ["power10"]


def test_an_example_in_which_something_was_chosen_is_kept_even_if_it_was_untouched_once(
    tmp_path: Path,
) -> None:
    session = CurrentSession(tmp_path)
    session.save(WORTHLESS)
    session.save(SESSION)
    session.let_go()
    assert len(listed(tmp_path)) == 1


def test_a_session_of_an_earlier_version_says_nothing_of_changes(file: Path) -> None:
    save(dataclasses.replace(SESSION, changes=13), file)
    document = json.loads(file.read_text())
    assert document.pop("changes") == 13
    file.write_text(json.dumps(document))
    assert load(file) == SESSION


@pytest.mark.parametrize("value", [-1, True, "3", 1.5, None])
def test_changes_are_a_number(file: Path, value: object) -> None:
    assert "expected a number from 0 on" in broken(file, ("changes",), value)
