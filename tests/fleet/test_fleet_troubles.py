"""Hosts of a fleet by what no setting helps: named in the report and in groups.json, and nowhere else."""

import dataclasses
import json
from pathlib import Path

from command_line import tunewiz
from small_health import HEALTHY, SESSION
from small_plans import small_facts
from tunewiz.core.facts.health import Health
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_to_json

IDLE = dataclasses.replace(HEALTHY, transactions=(SESSION,))
TITLE = "No setting helps these"


def written(directory: Path, **hosts: Health) -> str:
    for name, health in hosts.items():
        facts = small_facts(health=Known(health, "a look"), tables=Known((), "a look"))
        host = dataclasses.replace(facts.host, name=Known(name, "a test"), identity=Known(name, "a test"))
        (directory / f"{name}.json").write_text(facts_to_json(dataclasses.replace(facts, host=host)))
    return str(directory)


def test_hosts_are_listed_by_their_trouble(tmp_path: Path) -> None:
    where = written(tmp_path, db1=IDLE, db2=HEALTHY, db3=IDLE)
    report = tunewiz("fleet", "plan", where)
    assert report.status == 0
    section = report.out[report.out.index(TITLE) :]
    assert "vacuum is held back: 2 hosts: db1, db3" in section
    document = json.loads(tunewiz("fleet", "plan", where, "--json").out)
    assert document["troubles"] == {"vacuum is held back": ["db1", "db3"]}


def test_a_fleet_without_trouble_says_nothing_of_it(tmp_path: Path) -> None:
    where = written(tmp_path, db1=HEALTHY, db2=HEALTHY)
    assert TITLE not in tunewiz("fleet", "plan", where).out
    assert json.loads(tunewiz("fleet", "plan", where, "--json").out)["troubles"] == {}
