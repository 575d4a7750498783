"""Facts and answers come back as they were; what cannot be is refused by its key."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from made_up import ANSWERS, FACTS
from tunewiz.core.answers.answers import Accepted, Answers, Refused, Replaced
from tunewiz.core.facts.facts import Facts
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import GIB, Bytes, Duration
from tunewiz.formats.records import answers_from_toml, answers_to_toml, facts_from_json, facts_to_json

WHOLE = """schema = 1
[workload]
kind = "oltp"
connections = 200
database_size = "256GB"
"""


def facts(**sections: object) -> Facts:
    return facts_from_json(json.dumps({"schema": 1, **sections}), "f.json")


def refused_facts(text: str) -> str:
    with pytest.raises(InputError) as refused:
        facts_from_json(text, "f.json")
    return refused.value.message


def refused_answers(text: str) -> str:
    with pytest.raises(InputError) as refused:
        answers_from_toml(text, "a.toml")
    return refused.value.message


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(FACTS)
def test_facts_come_back_with_where_they_were_learned(made_up: Facts) -> None:
    assert facts_from_json(facts_to_json(made_up), "f.json") == made_up


@given(ANSWERS)
def test_answers_come_back_with_their_notes(made_up: Answers) -> None:
    assert answers_from_toml(answers_to_toml(made_up), "a.toml") == made_up


def test_the_same_facts_give_the_same_bytes_whatever_the_order_of_their_settings() -> None:
    one = facts(kernel={"settings": {"vm.a": 1, "vm.b": 2}})
    other = facts(kernel={"settings": {"vm.b": 2, "vm.a": 1}})
    assert facts_to_json(one) == facts_to_json(other)


def test_facts_are_written_in_ascii() -> None:
    assert facts_to_json(facts(host={"name": "d\u00e4t\u00e4 \u2603"})).isascii()


def test_facts_are_plain_values_with_the_schema_first() -> None:
    document: dict[str, Any] = json.loads(
        facts_to_json(facts_of(Given(memory="64GB", cores_unknown=True), {}))
    )
    assert next(iter(document)) == "schema"
    assert document["memory"]["total"] == 64 * GIB
    assert document["cpu"]["cores"] is None
    assert document["unknown"]["cpu.cores"] == "not part of the example"
    assert document["learned"]["memory.total"] == "example"


def test_a_file_without_facts_is_refused() -> None:
    with pytest.raises(InputError, match="expected facts"):
        facts()


def test_a_file_with_an_empty_section_knows_nothing() -> None:
    empty = facts(host={})
    assert empty.cpu.cores == Unknown("not stated in the facts")
    assert empty.limits.memory == Unknown("not stated in the facts")
    assert dict(empty.kernel.settings) == {}
    assert (empty.storage, empty.postgres) == ((), ())


def test_null_is_absent_where_a_machine_may_have_none_and_unknown_elsewhere() -> None:
    stated = facts(limits={"memory": None}, cpu={"cores": None})
    assert stated.limits.memory == Absent("not stated in the facts")
    assert stated.cpu.cores == Unknown("not stated in the facts")


def test_a_reason_makes_null_unknown_even_where_a_machine_may_have_none() -> None:
    stated = facts(limits={"memory": None}, unknown={"limits.memory": "permission denied"})
    assert stated.limits.memory == Unknown("permission denied")


def test_a_reason_counts_for_a_key_that_is_left_out() -> None:
    assert facts(unknown={"cpu.cores": "no sysfs"}).cpu.cores == Unknown("no sysfs")


def test_settings_with_dots_in_their_names_find_their_reasons() -> None:
    stated = facts(
        kernel={"settings": {"vm.dirty_bytes": 0, "vm.dirty": None}},
        unknown={"kernel.settings.vm.dirty": "read-only"},
        learned={"kernel.settings.vm.dirty_bytes": "/proc/sys/vm/dirty_bytes"},
    )
    assert stated.kernel.settings["vm.dirty_bytes"] == Known(0, "/proc/sys/vm/dirty_bytes")
    assert stated.kernel.settings["vm.dirty"] == Unknown("read-only")


def test_facts_of_items_in_lists_find_their_reasons() -> None:
    disks = [{"name": "sda", "rotational": True}, {"name": "sdb", "rotational": None}]
    stated = facts(
        storage=[{"mount": "/", "roles": ["data"], "disks": disks}],
        unknown={"storage.0.disks.1.rotational": "no queue directory"},
    )
    assert isinstance(stated.storage[0].disks, Known)
    assert stated.storage[0].disks.value[1].rotational == Unknown("no queue directory")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.json: not valid JSON: Expecting value (line 1, column 1)"),
        ('{"schema": 1,\n}', "(line 2, column 1)"),
        ("[]", "f.json: found [], expected keys and values"),
        ("{}", "f.json: schema: found nothing, expected 1"),
        ('{"schema": 2}', "f.json: schema: found 2, expected 1"),
        ('{"schema": "1"}', 'f.json: schema: found "1", expected 1'),
        ('{"schema": true}', "f.json: schema: found true, expected 1"),
        ('{"schema": 1, "cpus": {}}', 'found the unknown key "cpus", expected cpu?'),
        ('{"schema": 1, "cpu": {"coers": 4}}', 'f.json: cpu: found the unknown key "coers", expected cores?'),
        ('{"schema": 1, "cpu": {"cores": "4"}}', 'f.json: cpu.cores: found "4", expected a whole number'),
        ('{"schema": 1, "cpu": {"cores": 4.0}}', "f.json: cpu.cores: found 4.0, expected a whole number"),
        ('{"schema": 1, "cpu": {"cores": true}}', "f.json: cpu.cores: found true, expected a whole number"),
        ('{"schema": 1, "cpu": 4}', "f.json: cpu: found 4, expected keys and values"),
        ('{"schema": 1, "cpu": null}', "f.json: cpu: found null, expected keys and values"),
        ('{"schema": 1, "storage": {}}', "f.json: storage: found {}, expected a list"),
        (
            '{"schema": 1, "postgres": [{"port": 1}]}',
            "postgres.0.running: found nothing, expected true or false",
        ),
        (
            '{"schema": 1, "host": {"name": "\\ud800"}}',
            'host.name: found "\\ud800", expected whole characters',
        ),
        ('{"schema": 1, "cpu": {"cores": 4, "cores": 5}}', 'found the key "cores" twice, expected it once'),
        ('{"schema": 1, "limits": {"cpus": NaN}}', "f.json: found NaN, expected a number"),
        ('{"schema": 1, "limits": {"cpus": 1e999}}', "limits.cpus: found Infinity, expected a number"),
        (
            '{"schema": 1, "unknown": {"cpu.coers": "x"}}',
            'unknown: found "cpu.coers", expected the dotted key',
        ),
        (
            '{"schema": 1, "cpu": {"cores": 4}, "unknown": {"cpu.cores": "x"}}',
            "cpu.cores: found 4, expected null, since its reason stands under unknown",
        ),
        ('{"schema": 1, "learned": {"cpu.cores": 4}}', "learned.cpu.cores: found 4, expected text"),
        (
            '{"schema": 1, "memory": {"total": ' + "9" * 5000 + "}}",
            "f.json: JSON that cannot be read",
        ),
        ("[" * 100_000, "f.json: JSON that cannot be read"),
    ],
)
def test_unusable_facts_are_refused_with_file_key_found_and_expected(text: str, message: str) -> None:
    assert message in refused_facts(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("schema = 1", "a.toml: workload: found nothing, expected keys and values"),
        (WHOLE.replace("schema = 1", "schema = 7"), "a.toml: schema: found 7, expected 1"),
        (WHOLE.replace("kind", "knd"), 'a.toml: workload: found the unknown key "knd", expected kind?'),
        (
            WHOLE.replace("oltp", "olap"),
            'workload.kind: found "olap", expected one of oltp, read_mostly, mixed',
        ),
        (WHOLE.replace("200", '"200"'), 'workload.connections: found "200", expected a whole number'),
        (
            WHOLE.replace("200", "1" + "0" * 18),
            "workload.connections: found 1000000000000000000, expected 1 to",
        ),
        (
            WHOLE.replace('"256GB"', "256"),
            'workload.database_size: found 256, expected a size such as "24MB"',
        ),
        (WHOLE.replace("256GB", "256gb"), 'workload.database_size: found "256gb", expected a size such as'),
        (WHOLE.replace("256GB", "0GB"), "workload.database_size: found 0 bytes, expected 1 B to"),
        (
            WHOLE + '[server]\npostgres = "9.4"',
            "server.postgres: found '9.4', expected one of 9.5, 9.6, 10, 11",
        ),
        (WHOLE + "[server]\npostgres = 15", "server.postgres: found 15, expected text"),
        (WHOLE + '[server]\nstorage = "tape"', 'server.storage: found "tape", expected one of hdd, ssd'),
        (
            WHOLE + '[server]\ndata_directory = "pg"',
            "server.data_directory: found 'pg', expected an absolute path",
        ),
        (WHOLE + "[server]\nreplicas = -1", "server.replicas: found -1, expected 0 to"),
        (WHOLE + '[risk]\nrecovery_time = "2d"', "risk.recovery_time: found 2d, expected 1s to 1d"),
        (WHOLE + "[risk]\nrestart = 1", "risk.restart: found 1, expected true or false"),
        (WHOLE + '[decisions]\n"pg.a" = 1', "decisions.pg.a: found 1, expected { accept = true }"),
        (WHOLE + '[decisions]\n"pg.a" = {}', "found none of them, expected exactly one of accept, decline"),
        (
            WHOLE + '[decisions]\n"pg.a" = { set = 1, accept = true }',
            "found accept and set, expected exactly one",
        ),
        (
            WHOLE + '[decisions]\n"pg.a" = { decline = false }',
            "decisions.pg.a.decline: found false, expected true",
        ),
        (
            WHOLE + '[decisions]\n"pg.a" = { set = [1] }',
            "decisions.pg.a.set: found […], expected text or a number",
        ),
        (
            WHOLE + '[decisions]\n"pg.a" = { set = 1, nte = "" }',
            'found the unknown key "nte", expected note?',
        ),
        (
            WHOLE + '[decisions]\n"work mem" = { set = 1 }',
            "decisions: found 'work mem', expected an id such as",
        ),
    ],
)
def test_unusable_answers_are_refused_with_file_key_found_and_expected(text: str, message: str) -> None:
    assert message in refused_answers(text)


def test_answers_that_say_only_what_they_must_take_the_usual_for_the_rest() -> None:
    answers = answers_from_toml(WHOLE, "a.toml")
    assert answers.risk.posture == "balanced"
    assert answers.risk.recovery_time == Duration.parse("5min")
    assert answers.server.postgres is None


def test_decisions_are_a_yes_a_no_or_a_value_with_a_note() -> None:
    said = """[decisions]
"pg.work_mem" = { set = "24MB", note = "agreed" }
"pg.jit" = { set = false }
"pg.max_connections" = { set = 300 }
"kernel.swap" = { decline = true, note = "standard" }
"pg.wal_buffers" = { accept = true }
"""
    assert answers_from_toml(WHOLE + said, "a.toml").decisions == {
        "pg.work_mem": Replaced(value="24MB", note="agreed"),
        "pg.jit": Replaced(value="off"),
        "pg.max_connections": Replaced(value="300"),
        "kernel.swap": Refused(note="standard"),
        "pg.wal_buffers": Accepted(),
    }


def test_a_size_that_is_no_whole_kilobyte_is_kept() -> None:
    answers = answers_from_toml(WHOLE.replace("256GB", "1025B"), "a.toml")
    assert answers.workload.database_size == Bytes(1025)
    assert answers_from_toml(answers_to_toml(answers), "a.toml") == answers


def test_what_was_found_is_told_short_and_without_control_characters() -> None:
    message = refused_answers(WHOLE.replace('"oltp"', '"\\u001b[2J' + "x" * 500 + '"'))
    assert "\x1b" not in message
    assert len(message) < 250
