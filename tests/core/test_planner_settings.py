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
    result = planner_settings(plan)
    values = {finding.recommendation.target.name: finding.sets for finding in plan.findings}
    assert result
    assert all(values[setting_tried.name] == setting_tried.after for setting_tried in result)
    assert [setting_tried.name for setting_tried in result] == sorted(
        setting_tried.name for setting_tried in result
    )


def test_what_the_planner_does_not_read_is_left_out(plan: Plan) -> None:
    set_by_plan = {finding.recommendation.target.name for finding in plan.findings if finding.sets}
    read = {planner_setting.name for planner_setting in planner_settings(plan)}
    assert {"shared_buffers", "max_wal_size"} <= set_by_plan - read
