"""Answers by default, environment, group and host: the nearer ones go first, and each is for somebody."""

from pathlib import Path

import pytest

from small_fleets import ANSWERS, fleet_of, write_answers, write_host
from tunewiz.core.values.errors import InputError
from tunewiz.fleet.answers import answers_for, read_fleet_answers
from tunewiz.formats.records import facts_from_json
from tunewiz.knowledge.loading import load_knowledge

GROUP = 'schema = 1\nhosts = ["eu-*"]\n[workload]\nconnections = 300\n[risk]\nposture = "bold"\n'
HOST = 'schema = 1\n[workload]\nconnections = 400\n[decisions]\n"pg.jit" = { decline = true }\n'
ALL = {"default.toml": ANSWERS, "groups/eu.toml": GROUP, "hosts/eu-1.toml": HOST}
STAGING = GROUP.replace('["eu-*"]', '["eu-*", "us-2"]').replace("300", "250").replace("bold", "cautious")


def connections(tmp_path: Path, name: str, files: dict[str, str]) -> tuple[int, str, str]:
    answers = write_answers(tmp_path / "answers", files)
    facts = facts_from_json(write_host(tmp_path, name).read_text(), name)
    actual, where = answers_for(name, facts, answers, load_knowledge())
    return actual.workload.connections, actual.risk.posture, where


def test_a_host_goes_before_its_group_and_that_before_the_default(tmp_path: Path) -> None:
    assert connections(tmp_path, "eu-1", ALL)[:2] == (400, "bold")
    assert connections(tmp_path, "eu-2", ALL)[:2] == (300, "bold")
    assert connections(tmp_path, "us-1", ALL)[:2] == (200, "balanced")


def test_an_environment_goes_before_the_default_and_after_the_group(tmp_path: Path) -> None:
    files = {**ALL, "environments/staging.toml": STAGING}
    assert connections(tmp_path, "eu-2", files)[:2] == (300, "bold")
    assert connections(tmp_path, "us-1", files)[:2] == (200, "balanced")
    number, posture, where = connections(tmp_path, "us-2", files)
    assert (number, posture) == (250, "cautious")
    assert where == f"{tmp_path}/answers/default.toml and {tmp_path}/answers/environments/staging.toml"


@pytest.mark.parametrize("kind", ["environments", "groups"])
def test_a_host_that_two_of_a_kind_name_has_no_answers(kind: str, tmp_path: Path) -> None:
    files = {f"{kind}/{name}.toml": STAGING for name in ("a", "b")}
    with pytest.raises(InputError, match="both name the host us-2, expected only one of them to"):
        connections(tmp_path, "us-2", files)


def test_the_files_are_named(tmp_path: Path) -> None:
    where = connections(tmp_path, "eu-1", ALL)[2]
    assert where == " and ".join(f"{tmp_path}/answers/{name}" for name in ALL)


def test_what_nobody_says_is_taken_from_the_facts(tmp_path: Path) -> None:
    files = {"default.toml": 'schema = 1\n[risk]\nposture = "bold"\n'}
    assert connections(tmp_path, "a", files)[:2] == (100, "bold")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"defaults.toml": ANSWERS}, "found defaults.toml, expected default.toml"),
        ({"hosts/a.txt": ANSWERS}, "expected a file NAME.toml"),
        ({}, "expected answers, found none"),
        ({"groups/a.toml": ANSWERS}, 'hosts: found null, expected names such as ["eu-db*"]'),
        ({"groups/a.toml": 'schema = 1\nhosts = "a"\n'}, "hosts: found"),
        ({"groups/a.toml": "schema = 1\nhosts = [1]\n"}, "hosts: found"),
        ({"default.toml": "schema = 2\n"}, "schema: found 2, expected 1"),
        ({"default.toml": "schema = true\n"}, "schema: found true, expected 1"),
        ({"default.toml": "schema = 1\n[risks]\n"}, "default.toml: found the unknown key"),
        ({"hosts/a.toml": "schema = 1\n[workload]\nconnections = 0\n"}, "hosts/a.toml: workload.connections"),
        ({"default.toml": "schema ="}, "not valid TOML"),
    ],
)
def test_a_file_that_no_host_can_use_is_refused(tmp_path: Path, files: dict[str, str], message: str) -> None:
    (tmp_path / "answers").mkdir()
    with pytest.raises(InputError) as caught:
        write_answers(tmp_path / "answers", files)
    assert message in str(caught.value)


def test_a_file_of_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_fleet_answers(tmp_path / "none.toml")


def test_answers_for_no_host_are_named_and_the_others_count(tmp_path: Path) -> None:
    answers = write_answers(tmp_path / "answers", {**ALL, "hosts/gone.toml": HOST})
    (tmp_path / "facts").mkdir()
    write_host(tmp_path / "facts", "us-1")
    fleet = fleet_of(tmp_path / "facts", answers)
    assert fleet.count == 1
    assert not fleet.is_whole
    assert [text.partition(": ")[2] for text in fleet.unused] == [
        "no host matches (eu-*)",
        "there are no facts of a host named eu-1",
        "there are no facts of a host named gone",
    ]


def test_a_host_that_two_groups_name_is_refused_alone(tmp_path: Path) -> None:
    answers = write_answers(tmp_path / "answers", {"groups/a.toml": GROUP, "groups/b.toml": GROUP})
    (tmp_path / "facts").mkdir()
    write_host(tmp_path / "facts", "eu-1")
    write_host(tmp_path / "facts", "us-1")
    fleet = fleet_of(tmp_path / "facts", answers)
    assert [failure.host for failure in fleet.failed] == ["eu-1"]
    assert "both name the host eu-1" in fleet.failed[0].why
    assert fleet.count == 1
