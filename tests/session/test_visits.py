"""Earlier runs of the wizard count as visits of a host if they read that very host, and nothing else does."""

import dataclasses
from pathlib import Path

from small_plans import small_answers, small_facts
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Known, Unknown
from tunewiz.session.record import Session, save
from tunewiz.session.visits import same_host, visits

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


def test_there_are_none_where_there_is_no_directory(tmp_path: Path) -> None:
    assert visits(tmp_path / "none", HERE) == ()


def test_a_host_is_known_by_its_id_and_by_its_name_where_one_is_missing() -> None:
    assert same_host(host("old-name", "a"), host("new-name", "a"))
    assert not same_host(host("db1", "a"), host("db1", "b"))
    assert same_host(host("db1", None), host("db1", "b"))
    assert not same_host(host("db1", None), host("db2", None))
