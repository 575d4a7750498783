"""The wizard's steps: their order, what is left out where there is nothing to ask."""

import dataclasses

import pytest

from tunewiz.core.answers.step_order import back, forward, place, steps_for
from tunewiz.core.answers.steps import QUESTIONS, Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import NO_SETTINGS
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.values.known import Known, Unknown

SETTLED = facts_of(Given(disk="ssd"), NO_SETTINGS)
OPEN = dataclasses.replace(SETTLED, postgres=())


def test_a_server_of_a_known_major_on_a_disk_that_tells_leaves_nothing_to_ask() -> None:
    assert Step.SERVER not in steps_for(SETTLED)


def test_without_a_server_its_version_is_asked() -> None:
    assert Step.SERVER in steps_for(OPEN)


def test_of_two_servers_one_is_to_be_chosen() -> None:
    two = dataclasses.replace(SETTLED, postgres=SETTLED.postgres * 2)
    assert Step.SERVER in steps_for(two)


def test_storage_that_is_not_known_is_asked() -> None:
    assert Step.SERVER in steps_for(dataclasses.replace(SETTLED, storage=()))


@pytest.mark.parametrize("major", [Unknown("not read"), Known("9.4", "test"), Known("20", "test")])
def test_a_version_that_is_not_known_here_is_asked(major: Known[str] | Unknown) -> None:
    server = dataclasses.replace(SETTLED.postgres[0], major=major)
    assert Step.SERVER in steps_for(dataclasses.replace(SETTLED, postgres=(server,)))


def test_forward_and_back_leave_out_the_step_that_asks_nothing() -> None:
    assert forward(Step.MACHINE, SETTLED) is Step.WORKLOAD
    assert back(Step.WORKLOAD, SETTLED) is Step.MACHINE


def test_forward_and_back_stop_at_a_step_that_asks() -> None:
    assert forward(Step.MACHINE, OPEN) is Step.SERVER
    assert back(Step.WORKLOAD, OPEN) is Step.SERVER


def test_the_first_and_the_last_step_lead_to_themselves() -> None:
    assert back(Step.WELCOME, OPEN) is Step.WELCOME
    assert forward(Step.WRITE, OPEN) is Step.WRITE


@pytest.mark.parametrize("facts", [SETTLED, OPEN])
def test_back_undoes_forward_from_every_step(facts: Facts) -> None:
    steps = steps_for(facts)
    assert [back(forward(step, facts), facts) for step in steps[:-1]] == list(steps[:-1])


def test_places_are_counted_over_the_steps_that_appear() -> None:
    assert [place(step, SETTLED) for step in steps_for(SETTLED)] == [(number, 7) for number in range(1, 8)]


def test_a_session_that_stands_on_a_step_which_no_longer_appears_still_has_a_place() -> None:
    assert place(Step.SERVER, SETTLED) == (2, 7)


def test_every_step_has_a_question() -> None:
    assert all(QUESTIONS[step] for step in Step)
