"""What of a plan goes to a managed service, what is left out, and what stops it."""

import dataclasses
from collections.abc import Mapping
from typing import get_args

import pytest

from small_plans import small_facts
from tunewiz.core.answers.answers import Accepted, Answers, Decision, Refused, Replaced, Risk
from tunewiz.core.keepers.exported import Export, answers_there, exported
from tunewiz.core.keepers.services import ServiceName
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.managed.loading import load_service
from tunewiz.planning import default_answers, make_plan

NAMES: tuple[ServiceName, ...] = get_args(ServiceName)
KNOWLEDGE = load_knowledge()
FACTS = small_facts(Given(major="15", memory="64GB", settings={"jit": "on", "work_mem": "8MB"}))


def answers(decisions: Mapping[str, Decision]) -> Answers:
    return dataclasses.replace(default_answers(FACTS, KNOWLEDGE), decisions=decisions)


def given_to(name: ServiceName, decisions: Mapping[str, Decision] = {}) -> Export:
    service = load_service(name)
    there = answers_there(answers(decisions), service, KNOWLEDGE.catalogue, "answers.toml")
    return exported(make_plan(FACTS, there, KNOWLEDGE), service, "db1")


def values(export: Export) -> Mapping[str, str]:
    return {setting.name: setting.value for setting in export.settings}


@pytest.mark.parametrize("name", NAMES)
def test_only_what_can_be_set_there_goes_there(name: ServiceName) -> None:
    export = given_to(name)
    assert export.settings
    assert values(export).keys() <= load_service(name).parameters.keys()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_left_out_says_why_and_is_not_set(name: ServiceName) -> None:
    export = given_to(name)
    assert export.left_out
    for entry in export.left_out:
        assert entry.why
        assert entry.text
        assert entry.name not in values(export)


def test_nothing_rests_on_a_setting_that_cannot_be_set_there() -> None:
    service = load_service("aurora")
    there = answers_there(answers({}), service, KNOWLEDGE.catalogue, "answers.toml")
    plan = make_plan(FACTS, there, KNOWLEDGE)
    assert plan.end.will_be("shared_buffers") == plan.start.will_be("shared_buffers")


@pytest.mark.parametrize("name", NAMES)
def test_no_kernel_is_changed(name: ServiceName) -> None:
    there = answers_there(answers({}), load_service(name), KNOWLEDGE.catalogue, "answers.toml")
    assert there.risk == Risk(kernel=False)
    changes = make_plan(FACTS, there, KNOWLEDGE).changes
    assert all(isinstance(change.recommendation.target, PgTarget) for change in changes)


def test_a_decision_of_the_user_stands() -> None:
    decisions: Mapping[str, Decision] = {
        "pg.work_mem": Replaced(value="24MB"),
        "pg.jit": Refused(note="reports at night"),
    }
    export = given_to("rds", decisions)
    assert values(export)["work_mem"] == "24576"
    assert "jit" not in values(export)
    assert "jit" not in {entry.name for entry in export.left_out}


@pytest.mark.parametrize("decision", [Accepted(), Replaced(value="off")])
def test_what_was_asked_for_and_cannot_be_set_there_is_refused(decision: Decision) -> None:
    with pytest.raises(
        InputError, match=r'answers.toml: decisions."pg.full_page_writes": .* cannot be set in'
    ):
        given_to("rds", {"pg.full_page_writes": decision})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("azure", "1MB", "would not accept work_mem = 1MB: work_mem: expected at least 4096"),
        ("aiven", "65000kB", "would take 63MB for work_mem, found 65000kB in the answers"),
    ],
)
def test_a_value_that_was_asked_for_is_taken_as_it_is_or_refused(
    name: ServiceName, value: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        given_to(name, {"pg.work_mem": Replaced(value=value)})


def test_a_refused_setting_of_the_service_can_be_declined_by_the_user_too() -> None:
    export = given_to("rds", {"pg.log_line_prefix": Refused(note="ours")})
    assert "log_line_prefix" not in {entry.name for entry in export.left_out}


def test_what_was_set_before_is_known_and_what_was_not_is_empty() -> None:
    before = {setting.name: setting.before for setting in given_to("rds").settings}
    assert before["work_mem"] == "8192"
    assert before["jit"] == "1"
