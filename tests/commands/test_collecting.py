"""Capture elsewhere, decide here: the collector is printed, and what it wrote is read."""

import json
from pathlib import Path

import pytest

from collected import collect, make
from command_line import ANSWERS, tunewiz
from tunewiz.collect.script import collector


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    root = make(
        tmp_path / "root",
        {
            "proc/meminfo": "MemTotal: 67108864 kB\n",
            "var/lib/pgsql/16/data/PG_VERSION": "16\n",
            "var/lib/pgsql/16/data/postgresql.conf": "work_mem = 5MB\n",
        },
    )
    file = tmp_path / "collected.txt"
    file.write_bytes(collect(root))
    return file


def test_the_collector_is_printed_as_it_is() -> None:
    ended = tunewiz("facts", "--collector")
    assert (ended.status, ended.out, ended.err) == (0, collector(), "")


def test_the_collector_can_go_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "collect.sh"
    assert tunewiz("facts", "--collector", "-o", file).status == 0
    assert file.read_bytes() == collector().encode()


def test_what_was_collected_becomes_facts(collection: Path) -> None:
    ended = tunewiz("facts", "--from", collection)
    facts = json.loads(ended.out)
    assert (ended.status, ended.err) == (0, "")
    assert facts["memory"]["total"] == 67108864 * 1024
    assert facts["postgres"][0]["settings"]["work_mem"]["value"] == "5120"


def test_a_plan_is_made_from_what_was_collected(collection: Path, tmp_path: Path) -> None:
    facts, answers = tmp_path / "facts.json", tmp_path / "answers.toml"
    answers.write_text(ANSWERS)
    assert tunewiz("facts", "--from", collection, "-o", facts).status == 0
    ended = tunewiz("plan", "--facts", facts, "--answers", answers, "--json")
    assert (ended.status, ended.err) == (0, "")
    assert json.loads(ended.out)["host"]["postgres"]["major"] == "16"


def test_a_collection_that_was_cut_is_refused_in_one_message(collection: Path) -> None:
    content = collection.read_bytes()
    collection.write_bytes(content[: len(content) // 2])
    ended = tunewiz("facts", "--from", collection)
    assert (ended.status, ended.out) == (2, "")
    assert f"{collection}: line " in ended.one_message
    assert "it was cut" in ended.one_message


def test_a_file_that_is_not_there_is_refused_in_one_message(tmp_path: Path) -> None:
    ended = tunewiz("facts", "--from", tmp_path / "nothing")
    assert ended.status == 2
    assert "No such file or directory" in ended.one_message


@pytest.mark.parametrize("also", [("--root", "/"), ("--collector",)])
def test_one_source_of_facts_is_enough(also: tuple[str, ...]) -> None:
    ended = tunewiz("facts", "--from", "x", *also)
    assert ended.status == 2
    assert "not allowed with argument --from" in ended.err
