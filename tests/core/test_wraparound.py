"""A server that is about to refuse writes is warned of that before anything else."""

import dataclasses

import pytest

from small_plans import small_facts
from tunewiz.core.recommendation.examples import Given
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import default_answers, make_plan
from watched import activity

KNOWLEDGE = load_knowledge()
HALF = 2**30


def codes_and_texts(age: int) -> list[tuple[str, str]]:
    facts = small_facts(Given())
    server = dataclasses.replace(facts.postgres[0], activity=activity(transaction_age=age))
    facts = dataclasses.replace(facts, postgres=(server,))
    plan = make_plan(facts, default_answers(facts, KNOWLEDGE), KNOWLEDGE)
    return [(warning.code, warning.text) for warning in plan.warnings]


@pytest.mark.parametrize("age", [HALF + 1, 1_950_000_000, 2_100_000_000, 2**31 - 1])
def test_beyond_half_of_all_ids_it_is_the_first_warning(age: int) -> None:
    code, text = codes_and_texts(age)[0]
    assert code == "wraparound"
    assert f"{age:,} transactions old" in text
    assert "pg_prepared_xacts" in text


@pytest.mark.parametrize("age", [0, 200_000_000, HALF])
def test_up_to_half_of_them_nothing_is_said(age: int) -> None:
    assert "wraparound" not in dict(codes_and_texts(age))
