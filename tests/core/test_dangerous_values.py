"""Values that are dangerous whoever set them are named, and values that are not are left alone."""

import dataclasses
import re
from collections.abc import Collection, Mapping
from typing import get_args

import pytest

from dangers import a_value
from small_plans import small_facts
from tunewiz.core.facts.server import Override
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.dangers import Danger, Harm
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
ROWS = KNOWLEDGE.dangers.rows
MAJOR = Major(1500)
CODES = {"data_at_risk", "work_stops", "dangerous_value"}
NOTE = "value_note"


def planned(settings: Mapping[str, str], major: Major = MAJOR, **machine: str) -> Plan:
    given = dataclasses.replace(Given(settings=dict(settings), major=str(major)), **machine)  # type: ignore[arg-type]
    facts = small_facts(given)
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def named(plan: Plan, codes: Collection[str] = CODES) -> list[str]:
    """The settings that the warnings begin with."""
    return [warning.text.partition(" = ")[0] for warning in plan.warnings if warning.code in codes]


def is_settled(plan: Plan, danger: Danger, value: str) -> bool:
    """Whether the plan itself puts another value in force."""
    info = plan.end.settings[danger.setting]
    return danger.setting in plan.end.chosen and not info.same(plan.end.will_be(danger.setting), value)


def newest_with(setting: str) -> Major:
    """The newest major that has the setting, 15 where it has it."""
    having = [major for major, known in KNOWLEDGE.settings.items() if known.has(setting)]
    return MAJOR if MAJOR in having else max(having)


def accepts(info: SettingInfo, value: str) -> bool:
    """Whether that major has the value: choices come and go."""
    return info.vartype not in {"bool", "enum"} or value in (info.choices or ("on", "off"))


def beside(danger: Danger, known: Mapping[str, SettingInfo]) -> dict[str, str]:
    return {name: values[0] for name, values in danger.beside.items() if name in known}


def troubled(danger: Danger, major: Major) -> dict[str, str]:
    """Settings of a server with the danger."""
    known = KNOWLEDGE.settings[major].known
    return beside(danger, known) | {danger.setting: a_value(danger, known[danger.setting])}


@pytest.mark.parametrize("danger", ROWS, ids=lambda danger: danger.setting)
def test_a_dangerous_value_is_named_with_why_and_what_to_do(danger: Danger) -> None:
    major = newest_with(danger.setting)
    settings = troubled(danger, major)
    plan = planned(settings, major)
    expected = [] if is_settled(plan, danger, settings[danger.setting]) else [danger.setting]
    if danger.harm == "note":
        assert danger.setting in named(plan, {NOTE})
        expected = []
    assert named(plan) == expected
    texts = [warning.text for warning in plan.warnings if warning.code in CODES]
    assert all(danger.why in text and danger.instead in text for text in texts)


@pytest.mark.parametrize("major", sorted(KNOWLEDGE.settings, key=str))
def test_all_of_them_at_once_are_all_named_and_what_loses_data_is_first(major: Major) -> None:
    known = KNOWLEDGE.settings[major].known
    rows = [danger for danger in ROWS if danger.setting in known]
    rows = [
        danger for danger in rows if accepts(known[danger.setting], a_value(danger, known[danger.setting]))
    ]
    settings = dict[str, str]()
    for danger in rows:
        settings |= {name: value for name, value in troubled(danger, major).items() if name not in settings}
    plan = planned(settings, major)
    codes = [warning.code for warning in plan.warnings]
    lost = codes.count("data_at_risk")
    assert lost > 0
    assert codes[: lost + 1] == ["durability_lost", *["data_at_risk"] * lost]
    unsaid = {name for danger in rows if (name := danger.setting) not in named(plan, {*CODES, NOTE})}
    settled = {danger.setting for danger in rows if is_settled(plan, danger, settings[danger.setting])}
    assert settled <= unsaid
    assert unsaid - settled <= {"random_page_cost"}, "not the lower one beside a seq_page_cost of nearly 0"


@pytest.mark.parametrize("major", sorted(KNOWLEDGE.settings, key=str))
def test_no_default_of_any_major_is_called_dangerous(major: Major) -> None:
    known = KNOWLEDGE.settings[major].known
    names = {danger.setting for danger in ROWS} | {name for danger in ROWS for name in danger.beside}
    assert named(planned({name: known[name].default for name in names if name in known}, major)) == []


@pytest.mark.parametrize("danger", ROWS, ids=lambda danger: danger.setting)
def test_each_row_is_about_a_setting_that_some_major_has_and_its_value_fits(danger: Danger) -> None:
    infos = [known[danger.setting] for known in KNOWLEDGE.settings.values() if known.has(danger.setting)]
    having = [info for info in infos if accepts(info, a_value(danger, info))]
    assert having
    assert all(danger.applies(info, info.show(a_value(danger, info))) for info in having)
    assert danger.harm in get_args(Harm)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("random_page_cost", "1"),
        ("seq_page_cost", "0.1"),
        ("archive_command", ""),
        ("jit_above_cost", "-1"),
        ("log_min_duration_statement", "-1"),
        ("temp_file_limit", "-1"),
        ("max_connections", "1999"),
        ("from_collapse_limit", "12"),
        ("statement_timeout", "30s"),
        ("deadlock_timeout", "1s"),
        ("log_statement", "ddl"),
        ("fsync", "on"),
        ("plan_cache_mode", "force_custom_plan"),
        ("constraint_exclusion", "off"),
        ("autovacuum_vacuum_threshold", "10000"),
        ("autovacuum_vacuum_insert_threshold", "100000"),
        ("max_files_per_process", "200"),
        ("superuser_reserved_connections", "1"),
        ("min_parallel_table_scan_size", "1MB"),
        ("log_transaction_sample_rate", "0.001"),
        ("max_slot_wal_keep_size", "-1"),
        ("max_slot_wal_keep_size", "64GB"),
        ("wal_sender_timeout", "10s"),
        ("tcp_user_timeout", "30s"),
        ("archive_timeout", "1min"),
        ("vacuum_failsafe_age", "1700000000"),
        ("autovacuum_freeze_max_age", "1000000000"),
        ("cpu_tuple_cost", "0.001"),
        ("log_rotation_age", "0"),
        ("ssl", "off"),
        ("listen_addresses", "*"),
        ("dynamic_shared_memory_type", "sysv"),
    ],
)
def test_a_usual_value_is_left_alone(name: str, value: str) -> None:
    assert named(planned({name: value})) == []


ARCHIVING = {"archive_mode": "on"}


@pytest.mark.parametrize(
    "command",
    [
        *("/bin/true", "/usr/bin/true", " true ", ":", "exit 0", "cd .", "true # cp %p /backup/%f"),
        *("echo %p", "/bin/echo archived %f", "test -f %p", "cp %p /dev/null", "cat %p > /dev/null"),
        *(
            "mv %p /dev/null",
            "rsync -a %p /dev/null",
            "dd if=%p of=/dev/null 2>/dev/null",
            "gzip <%p >/dev/null",
        ),
        *("/bin/cp %p /dev/null 2>&1", "cat %p 1>/dev/null", "cp %p /dev/null >/dev/null 2>&1"),
        *("cp %p /a/%f || true", "cp %p /a/%f; exit 0", "test ! -f /a/%f && cp %p /a/%f || /bin/true"),
    ],
)
def test_a_command_that_keeps_nothing_or_hides_its_failure_puts_data_at_risk(command: str) -> None:
    plan = planned({**ARCHIVING, "archive_command": command})
    assert [warning.code for warning in plan.warnings if "archive_command = " in warning.text] == [
        "data_at_risk"
    ]


@pytest.mark.parametrize("command", ["/bin/false", "false", " exit 1", "/usr/bin/false # later"])
def test_a_command_that_always_fails_is_said_to_fill_the_disk(command: str) -> None:
    plan = planned({**ARCHIVING, "archive_command": command})
    assert [warning.code for warning in plan.warnings if "archive_command = " in warning.text] == [
        "work_stops"
    ]


@pytest.mark.parametrize(
    "command",
    [
        "cp %p /archive/%f",
        "test ! -f /a/%f && cp %p /a/%f",
        "pgbackrest --stanza=main archive-push %p",
        "wal-g wal-push %p >/dev/null",
        "/usr/local/bin/archive.sh",
        "barman-wal-archive backup main %p",
        "gzip < %p > /a/%f.gz || exit 1",
        "/usr/local/bin/true-archive %p",
        "echo %f >> /log && cp %p /a/%f",
        "cp %p /archive/",
        "dd if=%p of=/a/%f bs=1M",
        "rsync -a %p standby:/a/%f",
        "cat %p > /a/%f",
        "cat %p > /dev/null && cp %p /a/%f",
    ],
)
@pytest.mark.parametrize("said", ["", " 2>/dev/null", " 2> /dev/null", " >/dev/null", " >/dev/null 2>&1"])
def test_a_command_that_copies_is_left_alone_wherever_its_messages_go(command: str, said: str) -> None:
    assert named(planned({**ARCHIVING, "archive_command": command + said})) == []


@pytest.mark.parametrize("kind", ["zfs", "btrfs"])
def test_a_page_that_no_crash_can_tear_needs_no_copy(kind: str) -> None:
    plan = planned({"full_page_writes": "off"}, filesystem=kind)
    assert named(plan) == []
    assert "durability_lost" not in [warning.code for warning in plan.warnings]


def test_btrfs_that_overwrites_in_place_is_told_and_keeps_whole_pages() -> None:
    plan = planned({"full_page_writes": "off"}, filesystem="btrfs", mount_options="rw,nodatacow")
    assert plan.warnings[0].code == "durability_lost"
    assert plan.end.will_be("full_page_writes") == "on"
    assert "btrfs_in_place" in [warning.code for warning in plan.warnings]


@pytest.mark.parametrize("danger", ROWS, ids=lambda danger: danger.setting)
@pytest.mark.parametrize(("database", "role"), [("app", ""), ("", "batch"), ("app", "batch")])
def test_what_puts_data_at_risk_is_named_for_roles_and_databases_too(
    danger: Danger, database: str, role: str
) -> None:
    major = newest_with(danger.setting)
    value = a_value(danger, KNOWLEDGE.settings[major].known[danger.setting])
    override = Override(database=database, role=role, name=danger.setting, value=value)
    facts = small_facts(Given(major=str(major)), overrides=Known((override,), "a test"))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    told = danger.harm == "data" and not danger.fine_for_roles and not danger.beside
    assert [name for name in named(plan, {"data_at_risk"}) if name == danger.setting] == [
        danger.setting
    ] * told


APPROVES = re.compile(r"\b(is right|enough|suits|was chosen|is there already|stays)\b")


@pytest.mark.parametrize(
    "danger", [row for row in ROWS if row.harm != "note"], ids=lambda danger: danger.setting
)
def test_no_finding_approves_of_a_dangerous_value(danger: Danger) -> None:
    major = newest_with(danger.setting)
    plan = planned(troubled(danger, major), major)
    findings = [entry for entry in plan.findings if entry.recommendation.id == f"pg.{danger.setting}"]
    kept = [entry.because for entry in findings if entry.state == "keep"]
    assert all(danger.why in text for text in kept)
    assert not any(APPROVES.search(text.partition(danger.why)[0]) for text in kept)
