"""Earlier runs of the wizard count as visits of a host if they read that very host, and nothing else does."""

import dataclasses
from pathlib import Path

import pytest

from small_plans import small_answers, small_facts
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Known, Unknown
from tunewiz.session.current import CurrentSession
from tunewiz.session.record import Session, save
from tunewiz.session.store import listed
from tunewiz.session.visits import last_visit, same_host, visits

HERE = small_facts()


def host(name: str, identity: str | None) -> Facts:
    fact = Unknown("not read") if identity is None else Known(identity * 64, "/etc/machine-id")
    return dataclasses.replace(
        HERE, host=dataclasses.replace(HERE.host, name=Known(name, "uname"), identity=fact)
    )


def saved(directory: Path, name: str, facts: Facts, origin: str = "") -> None:
    session = Session(facts=facts, as_read=facts, answers=small_answers(), step=Step.MACHINE, origin=origin)
    save(session, directory / f"{name}.json")


def test_only_runs_that_read_this_host_are_visits(tmp_path: Path) -> None:
    saved(tmp_path, "same", HERE)
    saved(tmp_path, "file", HERE, origin="facts.json")
    saved(tmp_path, "other", host("db2", "b"))
    (tmp_path / "cut.json").write_text("{")
    assert [stored.file.stem for stored, _ in visits(tmp_path, HERE)] == ["same"]


def test_a_run_that_read_the_host_later_is_no_visit_before_it(tmp_path: Path) -> None:
    def read(when: str) -> Facts:
        return dataclasses.replace(
            HERE, host=dataclasses.replace(HERE.host, read_at=Known(when, "the clock"))
        )

    saved(tmp_path, "first", read("2026-11-01T14:00:00Z"))
    saved(tmp_path, "third", read("2026-11-03T14:00:00Z"))
    second = read("2026-11-02T14:00:00Z")
    assert [stored.file.stem for stored, _ in visits(tmp_path, second)] == ["first"]
    unread = dataclasses.replace(HERE, host=dataclasses.replace(HERE.host, read_at=Unknown("not read")))
    assert len(visits(tmp_path, unread)) == 2


def test_a_finished_run_is_the_last_visit_and_no_session_any_more(tmp_path: Path) -> None:
    sessions, here = tmp_path / "sessions", host("db1", "a")
    for step in (Step.MACHINE, Step.WRITE):
        run = CurrentSession(sessions)
        run.save(Session(facts=here, as_read=here, answers=small_answers(), step=step, out="tuning"))
        run.finish()
    assert listed(sessions) == ()
    assert [session.step for _, session in visits(sessions, here)] == [Step.WRITE]
    assert last_visit(sessions, here) == visits(sessions, here)[0]
    assert [path.stat().st_mode & 0o777 for path in (tmp_path / "visits").iterdir()] == [0o600]


def test_a_run_that_a_wizard_has_open_is_no_visit_yet(tmp_path: Path) -> None:
    run = CurrentSession(tmp_path)
    run.save(Session(facts=HERE, as_read=HERE, answers=small_answers(), step=Step.RISK))
    assert visits(tmp_path, HERE) == ()
    run.let_go()
    assert len(visits(tmp_path, HERE)) == 1


@pytest.mark.parametrize("origin", ["facts.json", "nvme-server"])
def test_a_finished_run_on_another_machines_facts_leaves_nothing(tmp_path: Path, origin: str) -> None:
    run = CurrentSession(tmp_path / "sessions")
    run.save(Session(facts=HERE, as_read=HERE, answers=small_answers(), step=Step.WRITE, origin=origin))
    run.finish()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_discarded_run_leaves_the_last_visit_alone(tmp_path: Path) -> None:
    saved(tmp_path / "visits", "db1", HERE)
    run = CurrentSession(tmp_path / "sessions")
    run.save(Session(facts=HERE, as_read=HERE, answers=small_answers(), step=Step.RISK))
    run.forget()
    assert [stored.file.name for stored, _ in visits(tmp_path / "sessions", HERE)] == ["db1.json"]


def test_a_damaged_run_hides_no_earlier_visit(tmp_path: Path) -> None:
    saved(tmp_path, "earlier", HERE)
    (tmp_path / "newer.json").write_text("{")
    newest = last_visit(tmp_path, HERE)
    assert newest is not None
    assert newest[0].file.stem == "earlier"


def test_a_visit_of_a_host_that_was_renamed_is_still_its_own(tmp_path: Path) -> None:
    saved(tmp_path, "old", host("old-name", "a"))
    assert last_visit(tmp_path, host("new-name", "a")) is not None
    assert last_visit(tmp_path, host("old-name", "b")) is None


def test_there_are_none_where_there_is_no_directory(tmp_path: Path) -> None:
    assert visits(tmp_path / "none", HERE) == ()


def test_a_host_is_known_by_its_id_and_by_its_name_where_one_is_missing() -> None:
    assert same_host(host("old-name", "a"), host("new-name", "a"))
    assert not same_host(host("db1", "a"), host("db1", "b"))
    assert same_host(host("db1", None), host("db1", "b"))
    assert not same_host(host("db1", None), host("db2", None))
