"""What keeps data safe is never turned off, neither by a posture nor by hand."""

import dataclasses

import pytest

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.plan import plan_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.errors import InputError
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

UNSAFE = {
    "pg.fsync": "off",
    "pg.full_page_writes": "false",
    "pg.synchronous_commit": "off",
    "pg.data_sync_retry": "on",
}


def asked_for(name: str, value: str) -> Situation:
    situation = example_situation(Given(), load_knowledge())
    answers = dataclasses.replace(situation.answers, decisions={name: Replaced(value=value)})
    return dataclasses.replace(situation, answers=answers)


@pytest.mark.parametrize(("name", "value"), UNSAFE.items())
def test_a_value_that_puts_data_at_risk_is_refused_though_asked_for(name: str, value: str) -> None:
    with pytest.raises(InputError, match=rf"decisions\.{name}: .* is never set by a bundle"):
        plan_of(load_knowledge().catalogue, asked_for(name, value))


def test_a_weaker_commit_that_loses_nothing_in_a_crash_may_be_asked_for() -> None:
    plan = plan_of(load_knowledge().catalogue, asked_for("pg.synchronous_commit", "local"))
    assert "local" in [change.sets for change in plan.changes]
