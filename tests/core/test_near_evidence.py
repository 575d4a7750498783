"""What was measured on something near a recommendation is told as that, wherever a figure of it stands."""

import pytest

from tunewiz.bundle.review.change import change_in_full, expected
from tunewiz.bundle.review.markdown import markdown
from tunewiz.bundle.review.sources import Sources
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.measurement_series import series_behind
from tunewiz.core.planning.plan import Plan
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.knowledge.series import load_series
from tunewiz.planning import default_answers
from tunewiz.text.finding_detail import in_full, in_short
from tunewiz.text.findings import effect_of, grounds_of
from tunewiz.wizard.journey import begin

NAMES = ("pg.log_lock_waits", "pg.idle_in_transaction_session_timeout")
NEAR = "Related evidence: "


def plan_of(machine: str) -> Plan:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return begin(facts, default_answers(facts, knowledge), knowledge, origin=machine, out="bundle").plan


def finding(plan: Plan, name: str) -> Finding:
    return next(entry for entry in plan.findings if entry.recommendation.id == name)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_of_something_near_is_no_effect_in_the_list(name: str) -> None:
    result = finding(plan_of("power10"), name)
    assert grounds_of(result) == "documented"
    assert effect_of(result) == 0


@pytest.mark.parametrize("name", NAMES)
def test_it_is_told_before_the_figure_on_the_pages_and_left_out_of_the_review(name: str) -> None:
    plan = plan_of("power10")
    result = finding(plan, name)
    pane = " ".join(row.plain.strip() for row in in_short(result, plan, 80, 60))
    page = "\n".join(row.plain for row in in_full(result, plan))
    review = markdown(change_in_full(1, result, plan.start, Sources.behind((result,))))
    assert f"{NEAR}+21 %" in pane
    assert f"{NEAR}+21 %" in page
    assert all(text.count(NEAR) >= text.count("+21 %") for text in (pane, page))
    assert "+21 %" not in review + expected(result)


def test_a_measurement_of_what_is_recommended_stands_without_such_words() -> None:
    plan = plan_of("z13-lpar")
    result = finding(plan, "pg.shared_buffers")
    assert grounds_of(result) == "+12% like"
    page = "\n".join(row.plain for row in in_full(result, plan))
    assert "+12 %" in page
    assert f"{NEAR}+12 %" not in page


def test_where_the_very_thing_was_measured_the_short_text_leaves_out_what_is_near() -> None:
    plan = plan_of("z13-lpar")
    result = finding(plan, "pg.shared_buffers")
    assert NEAR in "\n".join(row.plain for row in in_full(result, plan))
    pane = " ".join(row.plain.strip() for row in in_short(result, plan, 80, 60))
    assert "+12 %" in pane
    assert NEAR not in pane


def test_a_part_of_a_gain_is_not_told_as_the_whole() -> None:
    result = finding(plan_of("z13-lpar"), "kernel.transparent_hugepage")
    assert grounds_of(result) == "like yours"
    assert effect_of(result) == 0


def test_no_chart_shows_what_was_measured_on_something_near() -> None:
    charts = load_series()
    for name in demo_names():
        for entry in plan_of(name).findings:
            ids = {evidence.claim.id for evidence in entry.evidence if not evidence.near}
            assert all(ids & {*series.claims} for series in series_behind(entry, charts))
