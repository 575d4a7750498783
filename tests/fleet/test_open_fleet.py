"""A decision for a group: for all its hosts, for no other, and whole or not at all."""

from pathlib import Path

import pytest

from small_fleets import fleet_of, write_answers, write_host
from tunewiz.core.answers.answers import Refused, Replaced
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import USUAL, FleetAnswers, read_fleet_answers
from tunewiz.fleet.open_fleet import FleetStoppedError, OpenFleet, decided, open_fleet
from tunewiz.fleet.own_answers import answers_files
from tunewiz.formats.fleet import fleet_json


def ignored(_: int) -> None:
    """Progress that nobody looks at."""


def opened_in(directory: Path, answers: FleetAnswers = USUAL) -> OpenFleet:
    return open_fleet(str(directory), answers, lambda _total: ignored)


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    directory = tmp_path / "facts"
    directory.mkdir()
    for number in range(3):
        write_host(directory, f"db{number}", Given(memory="64GB"))
    return directory


def test_an_opened_fleet_is_the_one_that_the_command_plans(facts: Path) -> None:
    assert fleet_json(opened_in(facts).fleet) == fleet_json(fleet_of(facts))


def test_hosts_that_are_decided_apart_are_a_group_of_their_own(facts: Path) -> None:
    opened = opened_in(facts)
    apart = decided(opened, frozenset({"db1"}), {"pg.jit": Refused(note="reports")}, ignored)
    assert [[host.host for host in group.hosts] for group in apart.fleet.groups] == [["db0", "db2"], ["db1"]]
    together = decided(apart, frozenset({"db1"}), {}, ignored)
    assert fleet_json(together.fleet) == fleet_json(opened.fleet)


def test_decisions_here_replace_those_of_the_files(facts: Path, tmp_path: Path) -> None:
    answers = write_answers(
        tmp_path / "answers",
        {"default.toml": 'schema = 1\n[decisions]\n"pg.jit" = { decline = true }\n'},
    )
    opened = opened_in(facts, answers)
    assert "pg.jit" not in {decision.id for decision in opened.fleet.groups[0].decisions}
    hosts = frozenset({"db0", "db1", "db2"})
    assert fleet_json(decided(opened, hosts, {}, ignored).fleet) == fleet_json(fleet_of(facts))


def test_a_value_that_a_host_cannot_have_is_refused_with_its_name_and_nothing_changes(facts: Path) -> None:
    opened = opened_in(facts)
    hosts = frozenset({"db0", "db1", "db2"})
    with pytest.raises(InputError, match=r"db0: your decisions: .*work_mem"):
        decided(opened, hosts, {"pg.work_mem": Replaced(value="much")}, ignored)
    assert opened.answers == USUAL


def test_only_the_hosts_of_the_group_are_planned_again(facts: Path) -> None:
    test_only_the_hosts = list[int]()
    decided(opened_in(facts), frozenset({"db0", "db2"}), {"pg.jit": Refused()}, test_only_the_hosts.append)
    assert test_only_the_hosts == [1, 2]


def test_stopping_ends_the_work_at_the_next_host(facts: Path) -> None:
    def stop(_: int) -> None:
        raise FleetStoppedError

    with pytest.raises(FleetStoppedError):
        open_fleet(str(facts), USUAL, lambda _total: stop)


def test_a_facts_file_that_was_changed_meanwhile_changes_no_other_host(facts: Path) -> None:
    opened = opened_in(facts)
    (facts / "db0.json").write_text("{")
    with pytest.raises(InputError, match="db0"):
        decided(opened, frozenset({"db0"}), {"pg.jit": Refused()}, ignored)
    alone = decided(opened, frozenset({"db1"}), {"pg.jit": Refused()}, ignored)
    assert alone.fleet.count == 3


def test_answers_as_files_say_the_same_again(facts: Path, tmp_path: Path) -> None:
    answers = write_answers(
        tmp_path / "answers",
        {
            "default.toml": 'schema = 1\n[decisions]\n"pg.jit" = { decline = true, note = "a \\"b\\"" }\n',
            "groups/few.toml": 'schema = 1\nhosts = ["db[01]"]\n[workload]\nconnections = 300\n',
            "hosts/db2.toml": 'schema = 1\n[risk]\nposture = "bold"\n',
        },
    )
    opened = decided(
        opened_in(facts, answers), frozenset({"db1"}), {"pg.work_mem": Replaced(value="24MB")}, ignored
    )
    files = answers_files(opened.answers, dict.fromkeys(("db0", "db1", "db2"), ""))
    again = write_answers(tmp_path / "again", files)
    assert len(files) == 3
    assert fleet_json(fleet_of(facts, again)) == fleet_json(opened.fleet)


def test_no_answers_are_files_too(facts: Path, tmp_path: Path) -> None:
    again = write_answers(tmp_path / "again", answers_files(USUAL, dict.fromkeys(("db0", "db1", "db2"), "")))
    assert again == read_fleet_answers(tmp_path / "again")
    assert fleet_json(fleet_of(facts, again)) == fleet_json(fleet_of(facts))
