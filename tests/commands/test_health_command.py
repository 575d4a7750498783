"""`tunewiz health` from the command line: what it says, its JSON, its exit status."""

import dataclasses
import json
from pathlib import Path

import pytest

from command_line import tunewiz
from small_health import HEALTHY, SESSION
from small_plans import small_facts
from tunewiz.core.facts.health import Health
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_to_json

SICK = dataclasses.replace(
    HEALTHY, transactions=(dataclasses.replace(SESSION, application="bill\x1b[31m"),), hidden_sessions=1
)


def facts_file(directory: Path, health: Health) -> str:
    path = directory / "db1.json"
    facts = small_facts(health=Known(health, "a look"), tables=Known((), "a look"))
    path.write_text(facts_to_json(facts))
    return str(path)


def test_a_trouble_is_told_with_its_reason_and_its_statement(tmp_path: Path) -> None:
    ended = tunewiz("health", "--facts", facts_file(tmp_path, SICK))
    assert (ended.status, ended.err) == (1, "")
    for part in ("1. vacuum is held back", "pg_terminate_backend(4711)", "developers", "Not looked at"):
        assert part in ended.out
    assert "\x1b" not in ended.out
    assert max(map(len, ended.out.splitlines())) <= 100


def test_a_healthy_server_ends_with_0(tmp_path: Path) -> None:
    ended = tunewiz("health", "--facts", facts_file(tmp_path, HEALTHY))
    assert ended.status == 0
    assert ended.out.startswith("db1: what no setting mends\nNo trouble was seen.\n\nTo know\n")


def test_scripts_get_the_same_as_json(tmp_path: Path) -> None:
    ended = tunewiz("health", "--json", "--facts", facts_file(tmp_path, SICK))
    load = json.loads(ended.out)
    assert (ended.status, load["schema"], load["host"]) == (1, 1, "db1")
    (trouble,) = load["troubles"]
    assert (trouble["kind"], trouble["do"]) == (
        "vacuum is held back",
        ["SELECT pg_terminate_backend(4711);"],
    )
    assert len(load["unseen"]) == 1


def test_a_server_that_nobody_looked_at_says_so(tmp_path: Path) -> None:
    path = tmp_path / "db1.json"
    path.write_text(facts_to_json(small_facts()))
    ended = tunewiz("health", "--facts", str(path))
    assert (ended.status, ended.err) == (0, "")
    assert "Nothing was seen." in ended.out


def test_a_release_that_lacks_fixes_is_told_with_what_remains_to_be_done() -> None:
    ended = tunewiz("health", "--demo", "nvme-server")
    assert (ended.status, ended.err) == (1, "")
    assert "1. fixes are missing: " in ended.out
    assert "  after   rebuild indexes of btree_gist" in ended.out
    (trouble,) = json.loads(tunewiz("health", "--json", "--demo", "nvme-server").out)["troubles"]
    assert trouble["after"][0].startswith("rebuild indexes of btree_gist")


@pytest.mark.parametrize("time", ["60s", "1s", "2h", "soon"])
def test_a_deep_look_is_for_a_server_of_this_host_and_has_its_limits(time: str) -> None:
    ended = tunewiz("health", "--deep", time, "--demo", "nvme-server")
    assert (ended.status, ended.out) == (2, "")
    assert "--deep" in ended.err


IMPOSSIBLE: tuple[tuple[str, object], ...] = (
    ("lock_waits", -1),
    ("longest_lock_wait", "soon"),
    ("databases", None),
    ("transactions", ["none"]),
)


@pytest.mark.parametrize(("where", "value"), IMPOSSIBLE)
def test_a_file_with_an_impossible_look_is_refused_in_one_line(
    tmp_path: Path, where: str, value: object
) -> None:
    path = Path(facts_file(tmp_path, SICK))
    document = json.loads(path.read_text())
    document["postgres"][0]["health"][where] = value
    path.write_text(json.dumps(document))
    ended = tunewiz("health", "--facts", str(path))
    assert ended.status == 2
    assert f"health.{where}" in ended.err
    assert len(ended.err.splitlines()) == 1
