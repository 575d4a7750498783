"""Values that are dangerous whoever set them are named, and values that are not are left alone."""

from collections.abc import Mapping
from typing import get_args

import pytest

from small_plans import small_facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.dangers import Danger, Harm
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan

KNOWLEDGE = load_knowledge()
ROWS = KNOWLEDGE.dangers.rows
CODES = {"data_at_risk", "dangerous_value"}


def planned(settings: Mapping[str, str]) -> Plan:
    facts = small_facts(Given(settings=dict(settings)))
    return make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)


def named(plan: Plan) -> list[str]:
    """The settings that the warnings begin with."""
    return [warning.text.partition(" = ")[0] for warning in plan.warnings if warning.code in CODES]


def is_settled(plan: Plan, danger: Danger) -> bool:
    """Whether the plan itself puts another value in force."""
    return danger.setting in plan.end.chosen and plan.end.will_be(danger.setting) != a_value(danger)


def a_value(danger: Danger) -> str:
    """One that the row is about."""
    if danger.values:
        return danger.values[0]
    if danger.below is not None:
        return {"1s": "1ms", "100ms": "1ms"}.get(danger.below, "0")
    return {"9999": "10000", "4999ms": "10s"}[danger.above or ""]


@pytest.mark.parametrize("danger", ROWS, ids=lambda danger: danger.setting)
def test_a_dangerous_value_is_named_with_why_and_what_to_do(danger: Danger) -> None:
    plan = planned({danger.setting: a_value(danger)})
    assert named(plan) == ([] if is_settled(plan, danger) else [danger.setting])


def test_all_of_them_at_once_are_all_named_and_what_loses_data_is_first() -> None:
    plan = planned({danger.setting: a_value(danger) for danger in ROWS})
    codes = [warning.code for warning in plan.warnings]
    lost = codes.count("data_at_risk")
    assert lost > 0
    assert codes[: lost + 1] == ["durability_lost", *["data_at_risk"] * lost]
    assert set(named(plan)) == {danger.setting for danger in ROWS if not is_settled(plan, danger)}


@pytest.mark.parametrize("major", sorted(KNOWLEDGE.settings, key=str))
def test_no_default_of_any_major_is_called_dangerous(major: Major) -> None:
    settings = KNOWLEDGE.settings[major]
    for danger in ROWS:
        if settings.has(danger.setting):
            info = settings[danger.setting]
            assert not danger.applies(info, info.show(info.default)), (major, danger.setting)


@pytest.mark.parametrize("danger", ROWS, ids=lambda danger: danger.setting)
def test_each_row_is_about_a_setting_that_some_major_has_and_its_value_fits(danger: Danger) -> None:
    having = [known[danger.setting] for known in KNOWLEDGE.settings.values() if known.has(danger.setting)]
    assert having
    assert all(danger.applies(info, info.show(a_value(danger))) for info in having)
    assert danger.harm in get_args(Harm)


@pytest.mark.parametrize(
    ("name", "value"),
    [("statement_timeout", "30s"), ("deadlock_timeout", "1s"), ("log_statement", "ddl"), ("fsync", "on")],
)
def test_a_usual_value_is_left_alone(name: str, value: str) -> None:
    assert named(planned({name: value})) == []
