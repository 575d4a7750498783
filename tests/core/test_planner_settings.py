"""The settings of a plan that the planner reads, and only those."""

import pytest

from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.planner_settings import planner_settings
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan


@pytest.fixture(scope="module")
def plan() -> Plan:
    """Of an example machine."""
    facts, knowledge = demo_facts("nvme-server"), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


def test_every_setting_is_one_that_the_plan_puts_in_force(plan: Plan) -> None:
    found = planner_settings(plan)
    values = {each.recommendation.target.name: each.sets for each in plan.findings}
    assert found
    assert all(values[each.name] == each.after for each in found)
    assert [each.name for each in found] == sorted(each.name for each in found)


def test_what_the_planner_does_not_read_is_left_out(plan: Plan) -> None:
    set_by_plan = {each.recommendation.target.name for each in plan.findings if each.sets}
    read = {each.name for each in planner_settings(plan)}
    assert {"shared_buffers", "max_wal_size"} <= set_by_plan - read
