"""A fleet from a saved session: decisions stand for hosts that are as they were, and for no others."""

import dataclasses
from pathlib import Path

import pytest

from small_fleets import write_host
from tunewiz.core.answers.answers import Refused, Replaced
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.fleet.answers import USUAL, FleetAnswers, named_answers
from tunewiz.fleet.open_fleet import OpenFleet, Since, decided, open_fleet
from tunewiz.fleet.resuming import noted, resumed, session_of
from tunewiz.formats.fleet import fleet_json
from tunewiz.session.fleet_record import FleetSession
from tunewiz.text.fleet_resumed import counted_in_words, since_in_words

ALL = frozenset({"db0", "db1", "db2"})
NO_JIT = {"pg.jit": Refused(note="reports")}


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    directory = tmp_path / "facts"
    directory.mkdir()
    for number in range(3):
        write_host(directory, f"db{number}", Given(memory="64GB"))
    return directory


def ignored(_: int) -> None:
    pass


def opened_in(facts: Path, answers: FleetAnswers = USUAL) -> OpenFleet:
    return open_fleet(str(facts), answers, lambda _total: ignored)


def again(session: FleetSession) -> OpenFleet:
    return resumed(session, lambda _total: ignored)


@pytest.fixture
def kept(facts: Path) -> FleetSession:
    """All three decided as one group."""
    return session_of(decided(opened_in(facts), ALL, NO_JIT, ignored))


def with_decisions(opened: OpenFleet) -> set[str]:
    """The hosts that have decisions of their own, by their plans."""
    groups = opened.fleet.groups
    said = {host.host for group in groups for host in group.hosts if host.host in opened.answers.own}
    planned = {
        host.host
        for group in groups
        for host in group.hosts
        if not any(decision.id == "pg.jit" for decision in group.decisions)
    }
    assert said <= planned
    return said


def test_what_is_as_it_was_is_the_same_fleet_again(facts: Path, kept: FleetSession) -> None:
    before = decided(opened_in(facts), ALL, NO_JIT, ignored)
    result = again(kept)
    assert fleet_json(result.fleet) == fleet_json(before.fleet)
    assert result.since == Since()
    assert not list(since_in_words(result.since))
    assert not counted_in_words(result.since)
    assert session_of(result) == kept


def test_files_may_have_other_names_by_then(facts: Path, kept: FleetSession) -> None:
    (facts / "db0.json").rename(facts / "first.json")
    assert with_decisions(again(kept)) == ALL


def test_a_host_whose_facts_changed_takes_nothing_over_and_is_named(facts: Path, kept: FleetSession) -> None:
    write_host(facts, "db1", Given(memory="65GB"))
    result = again(kept)
    assert with_decisions(result) == {"db0", "db2"}
    assert result.since == Since(changed=("db1",))
    (words,) = since_in_words(result.since)
    assert words.startswith("facts or answers changed: db1. Your decisions for it were not taken over")
    assert "for 1 host were not taken over" in counted_in_words(result.since)


def test_a_group_that_is_gone_leaves_its_decisions_to_nobody(facts: Path, kept: FleetSession) -> None:
    for number in range(3):
        (facts / f"db{number}.json").unlink()
    write_host(facts, "db7", Given(memory="64GB"))
    result = again(kept)
    assert not result.answers.own
    assert result.since == Since(gone=("db0", "db1", "db2"), new=("db7",))
    gone, new = since_in_words(result.since)
    assert gone == "no facts any more: db0, db1, db2. Your decisions for these 3 hosts were dropped."
    assert new == "new: db7. No decision of yours is for it."


def test_a_host_that_joins_gets_no_decision_of_the_group(facts: Path, kept: FleetSession) -> None:
    write_host(facts, "db3", Given(memory="64GB"))
    result = again(kept)
    assert with_decisions(result) == ALL
    assert result.since == Since(new=("db3",))
    assert len(result.fleet.groups) == 2
    assert not counted_in_words(result.since)


def test_other_answers_of_a_host_count_as_a_change_of_it_alone(facts: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    (answers / "hosts").mkdir(parents=True)
    (answers / "default.toml").write_text("schema = 1\n")
    kept = session_of(decided(opened_in(facts, named_answers(str(answers))), ALL, NO_JIT, ignored))
    assert again(kept).since == Since()
    (answers / "hosts" / "db2.toml").write_text('schema = 1\n[risk]\nposture = "bold"\n')
    result = again(kept)
    assert result.since == Since(changed=("db2",))
    assert with_decisions(result) == {"db0", "db1"}


def test_what_was_decided_and_not_yet_planned_is_planned_then(facts: Path) -> None:
    result = again(session_of(noted(opened_in(facts), ALL, NO_JIT)))
    assert with_decisions(result) == ALL
    assert result.since == Since()


def test_decisions_that_make_no_plan_are_dropped_for_all_that_have_them(facts: Path) -> None:
    many = noted(opened_in(facts), frozenset({"db0", "db1"}), {"pg.work_mem": Replaced(value="much")})
    result = again(session_of(noted(many, frozenset({"db2"}), NO_JIT)))
    assert with_decisions(result) == {"db2"}
    assert not result.fleet.failed
    assert result.since.unfit == ("db0", "db1")
    (words,) = since_in_words(result.since)
    assert words.startswith("db0, db1: your decisions were dropped")
    assert "work_mem" in words


def test_the_session_has_places_that_do_not_depend_on_where_it_is_resumed(
    facts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "default.toml").write_text("schema = 1\n")
    monkeypatch.chdir(tmp_path)
    session = session_of(opened_in(Path("facts"), named_answers("default.toml")))
    assert (session.place, session.answers) == (str(facts), str(tmp_path / "default.toml"))


def test_facts_that_are_all_gone_or_answers_that_are_broken_are_told(
    facts: Path, kept: FleetSession, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        again(dataclasses.replace(kept, answers=str(tmp_path / "nowhere.toml")))
    for path in facts.iterdir():
        path.unlink()
    with pytest.raises(UsageError, match="found no file of facts"):
        again(kept)
