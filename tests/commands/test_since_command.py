"""`tunewiz since` from the command line: a file, a bundle, the last visit; its text, JSON and status."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from command_line import tunewiz
from small_health import HEALTHY, SESSION
from small_plans import small_answers, small_facts, small_plan, with_settings
from tunewiz.bundle.write import write_bundle
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.health import Health
from tunewiz.core.facts.server import Setting
from tunewiz.core.values.known import Known
from tunewiz.formats.records import answers_to_toml, facts_from_json, facts_to_json
from tunewiz.session.current import CurrentSession
from tunewiz.session.record import Session
from tunewiz.session.store import sessions_directory

BEFORE = small_facts()
BY_HAND = Setting(
    value="65536",
    unit="kB",
    source="configuration file",
    sourcefile="/var/lib/pg/postgresql.auto.conf:3",
)


def dated(facts: Facts, when: str) -> Facts:
    return dataclasses.replace(facts, host=dataclasses.replace(facts.host, read_at=Known(when, "the clock")))


def changed() -> Facts:
    return dataclasses.replace(BEFORE, postgres=(with_settings(BEFORE.postgres[0], work_mem=BY_HAND),))


def written(directory: Path, name: str, facts: Facts) -> str:
    path = directory / name
    path.write_text(facts_to_json(facts))
    return str(path)


def test_a_changed_setting_is_told_with_who_did_it(tmp_path: Path) -> None:
    before = written(tmp_path, "before.json", dated(BEFORE, "2026-11-20T14:00:00Z"))
    after = written(tmp_path, "after.json", dated(changed(), "2026-11-29T14:00:00Z"))
    ended = tunewiz("since", before, "--facts", after)
    assert (ended.status, ended.err) == (1, "")
    assert ended.out.startswith("db1: since 2026-11-20 14:00 UTC, 9 days ago")
    assert "work_mem: 4MB -> 64MB, by ALTER SYSTEM" in ended.out
    loads = json.loads(tunewiz("since", before, "--facts", after, "--json").out)
    assert (loads["schema"], loads["then"], loads["host"]) == (1, "2026-11-20T14:00:00Z", "db1")
    assert loads["news"] == [
        {"kind": "changed", "what": "work_mem", "before": "4MB", "after": "64MB", "by": "by ALTER SYSTEM"}
    ]


def test_a_new_trouble_is_told_first_and_changes_the_status(tmp_path: Path) -> None:
    def read(health: Health) -> Facts:
        directory, known_health = Known("/srv/pg", "/proc"), Known(health, "a look")
        server = dataclasses.replace(BEFORE.postgres[0], data_directory=directory, health=known_health)
        return dataclasses.replace(BEFORE, postgres=(server,))

    before = written(tmp_path, "before.json", read(HEALTHY))
    transactions = (SESSION,)
    after = written(tmp_path, "after.json", read(dataclasses.replace(HEALTHY, transactions=transactions)))
    ended = tunewiz("since", before, "--facts", after)
    assert (ended.status, ended.err) == (1, "")
    assert "New troubles and warnings (1)\n  vacuum is held back: session 4711 of app" in ended.out
    (finding,) = json.loads(tunewiz("since", before, "--facts", after, "--json").out)["findings"]
    assert (finding["change"], finding["kind"]) == ("new", "vacuum is held back")
    assert "No trouble any more, as it was told then (1)" in tunewiz("since", after, "--facts", before).out


def test_of_the_same_facts_nothing_is_told_and_the_status_is_0(tmp_path: Path) -> None:
    before = written(tmp_path, "before.json", BEFORE)
    ended = tunewiz("since", before, "--facts", before)
    assert (ended.status, ended.err) == (0, "")
    assert "Nothing that was known both times has changed." in ended.out


def test_a_bundle_says_what_of_its_plan_is_in_force(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    facts = dataclasses.replace(
        BEFORE,
        postgres=tuple(
            dataclasses.replace(
                server, data_directory=Known("/srv/pg", "test"), config_file=Known("/srv/pg/c.conf", "test")
            )
            for server in BEFORE.postgres
        ),
    )
    plan = small_plan(facts, {"pg.work_mem": "64MB"})
    write_bundle(plan, bundle, facts_to_json(facts), answers_to_toml(small_answers()))
    still = tunewiz("since", str(bundle), "--facts", written(tmp_path, "before.json", facts))
    assert "Planned, and still as before (1)" in still.out
    done = dataclasses.replace(facts, postgres=(with_settings(facts.postgres[0], work_mem=BY_HAND),))
    applied = tunewiz("since", str(bundle), "--facts", written(tmp_path, "after.json", done))
    assert "Applied, as it was planned (1)" in applied.out


def test_a_finished_run_of_the_wizard_on_this_host_is_what_it_compares_with(tmp_path: Path) -> None:
    read = tmp_path / "here.json"
    assert tunewiz("facts", "-o", str(read)).status == 0
    here = facts_from_json(read.read_text(), str(read))
    run = CurrentSession(sessions_directory(os.environ))
    run.save(Session(facts=here, as_read=here, answers=small_answers(), step=Step.WRITE, out="tuning"))
    run.finish()
    ended = tunewiz("since", "--json")
    assert (ended.status in {0, 1}, ended.err) == (True, "")
    assert json.loads(ended.out)["earlier"].startswith("the wizard's run of ")
    assert " finished, wrote tuning; kept to tell what changed since" in tunewiz("sessions").out
    assert tunewiz("sessions", "--remove-all").status == 0
    assert "found no earlier run of the wizard" in tunewiz("since").err


def test_facts_of_another_machine_are_refused_in_one_line(tmp_path: Path) -> None:
    other = dataclasses.replace(
        BEFORE,
        host=dataclasses.replace(
            BEFORE.host, name=Known("db2", "uname"), identity=Known("b" * 64, "/etc/machine-id")
        ),
    )
    before = written(tmp_path, "before.json", BEFORE)
    ended = tunewiz("since", before, "--facts", written(tmp_path, "other.json", other))
    assert ended.status == 2
    assert "found facts of db1, expected those of db2" in ended.one_message


@pytest.mark.parametrize("arguments", [("--demo", "nvme-server"), ()])
def test_without_anything_to_compare_with_it_says_what_to_name(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    ended = tunewiz("since", *arguments)
    assert (ended.status, ended.out) == (2, "")
    assert "bundle" in ended.err


def test_names_from_a_file_cannot_reach_the_terminal(tmp_path: Path) -> None:
    hostile = dataclasses.replace(BY_HAND, sourcefile="/etc/x\x1b[31m.conf:1")
    facts = dataclasses.replace(BEFORE, postgres=(with_settings(BEFORE.postgres[0], work_mem=hostile),))
    ended = tunewiz(
        "since", written(tmp_path, "a.json", BEFORE), "--facts", written(tmp_path, "b.json", facts)
    )
    assert ended.status == 1
    assert "\x1b" not in ended.out
