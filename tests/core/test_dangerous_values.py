"""Values that are dangerous whoever set them are named, and values that are not are left alone."""

from collections.abc import Mapping
from typing import get_args

import pytest

from dangers import a_value
from small_plans import small_facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.dangers import Danger, Harm
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.pg_settings import SettingInfo
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
ROWS = KNOWLEDGE.dangers.rows
MAJOR = Major(1500)
CODES = {"data_at_risk", "work_stops", "dangerous_value"}


def planned(settings: Mapping[str, str], major: Major = MAJOR) -> Plan:
    facts = small_facts(Given(settings=dict(settings), major=str(major)))
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def named(plan: Plan) -> list[str]:
    """The settings that the warnings begin with."""
    return [warning.text.partition(" = ")[0] for warning in plan.warnings if warning.code in CODES]


def is_settled(plan: Plan, danger: Danger, value: str) -> bool:
    """Whether the plan itself puts another value in force."""
    info = plan.end.settings[danger.setting]
    return danger.setting in plan.end.chosen and not info.same(plan.end.will_be(danger.setting), value)


def newest_with(setting: str) -> Major:
    """The newest major that has the setting, 15 where it has it."""
    having = [major for major, known in KNOWLEDGE.settings.items() if known.has(setting)]
    return MAJOR if MAJOR in having else max(having)


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
    assert named(plan) == expected
    texts = [warning.text for warning in plan.warnings if warning.code in CODES]
    assert all(danger.why in text and danger.instead in text for text in texts)


@pytest.mark.parametrize("major", sorted(KNOWLEDGE.settings, key=str))
def test_all_of_them_at_once_are_all_named_and_what_loses_data_is_first(major: Major) -> None:
    known = KNOWLEDGE.settings[major].known
    rows = [danger for danger in ROWS if danger.setting in known]
    settings = dict[str, str]()
    for danger in rows:
        settings |= {name: value for name, value in troubled(danger, major).items() if name not in settings}
    plan = planned(settings, major)
    codes = [warning.code for warning in plan.warnings]
    lost = codes.count("data_at_risk")
    assert lost > 0
    assert codes[: lost + 1] == ["durability_lost", *["data_at_risk"] * lost]
    unsaid = {name for danger in rows if (name := danger.setting) not in named(plan)}
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
    having = [known[danger.setting] for known in KNOWLEDGE.settings.values() if known.has(danger.setting)]
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
    ],
)
def test_a_usual_value_is_left_alone(name: str, value: str) -> None:
    assert named(planned({name: value})) == []
