"""A decision about one finding may move others: they are named, and nothing is said where none moves."""

import dataclasses

from tunewiz.core.answers.answers import Decision, Refused, Replaced
from tunewiz.core.planning.plan import Plan
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.consequences import consequences

KNOWLEDGE = load_knowledge()
FACTS = demo_facts("z13-lpar")
USUAL = default_answers(FACTS, KNOWLEDGE)
PLAN = make_plan(FACTS, USUAL, KNOWLEDGE)


def decided(recommendation: str, decision: Decision) -> Plan:
    answers = dataclasses.replace(USUAL, decisions={recommendation: decision})
    return make_plan(FACTS, answers, KNOWLEDGE)


def test_what_leaves_the_plan_with_a_declined_change_is_named() -> None:
    said = consequences(PLAN, decided("pg.shared_buffers", Refused()))
    assert said.startswith("Also out of the plan: vm.nr_hugepages.")


def test_what_comes_back_with_it_is_named_too() -> None:
    said = consequences(decided("pg.shared_buffers", Refused()), PLAN)
    assert said.startswith("Also in the plan: vm.nr_hugepages.")


def test_a_value_that_moves_with_another_is_named() -> None:
    said = consequences(PLAN, decided("pg.shared_buffers", Replaced(value="8GB")))
    assert said.startswith("Moves with it: ")
    assert "vm.nr_hugepages" in said
    assert "shared_buffers" not in said


def test_a_decision_that_moves_nothing_else_says_nothing() -> None:
    assert consequences(PLAN, decided("pg.log_lock_waits", Refused())) == ""
    assert consequences(PLAN, decided("pg.log_lock_waits", Refused(note="not now"))) == ""
    assert consequences(PLAN, PLAN) == ""
