"""In a printed plan, a gain of several changes counts once, and cells that need it are explained."""

import dataclasses

from rich.cells import cell_len

from tunewiz.core.answers.answers import Answers, Replaced
from tunewiz.core.planning.plan import Plan
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.evidence_marks import gains, gains_explained
from tunewiz.text.report import plan_in_short

KNOWLEDGE = load_knowledge()
FACTS = demo_facts("z13-lpar")
USUAL = default_answers(FACTS, KNOWLEDGE)


def z13(answers: Answers = USUAL) -> Plan:
    return make_plan(FACTS, answers, KNOWLEDGE)


def cell(plan: Plan, recommendation: str) -> str:
    return dict(
        zip((finding.recommendation.id for finding in plan.changes), gains(plan.changes), strict=True)
    )[recommendation]


def test_what_was_measured_together_is_said_to_be_one_gain() -> None:
    assert cell(z13(), "pg.shared_buffers") == "+12 % together"
    assert cell(z13(), "pg.effective_cache_size") == "+12 % together"
    assert cell(z13(), "kernel.dirty_bytes").endswith(" together")


def test_a_gain_of_its_own_is_left_as_it_is() -> None:
    assert cell(z13(), "pg.checkpoint_timeout") == "+1.5..+12 %, 2 of 2"
    assert cell(z13(), "pg.work_mem") == "documented"


def test_without_its_partner_a_change_has_no_gain_together() -> None:
    own = dataclasses.replace(USUAL, decisions={"pg.effective_cache_size": Replaced(value="20GB")})
    assert cell(z13(own), "pg.shared_buffers") == "+12 %"
    assert cell(z13(own), "pg.effective_cache_size") == "your value"


def test_both_kinds_of_cells_are_explained_in_one_line_of_80_columns() -> None:
    legend = gains_explained(z13().changes)
    assert legend == "together: one gain of several; 2 of 3: on so many of the measured systems"
    assert cell_len(legend) < 78
    assert legend in plan_in_short(z13(), answered=True)


def test_nothing_is_explained_that_is_not_there() -> None:
    documented = [finding for finding in z13().changes if finding.recommendation.id == "pg.work_mem"]
    assert gains_explained(documented) == ""
    assert gains_explained(()) == ""
