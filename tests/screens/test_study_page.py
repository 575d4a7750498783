"""The studies beside the plan: opened from the review, one after another, closed without a trace."""

import pytest
from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.core.recommendation.situation import Situation
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.studies import closest, load_studies
from tunewiz.planning import default_answers, situation_of
from tunewiz.screens.study import StudyPage
from tunewiz.wizard.outcome import Outcome

SIZE = (80, 24)


def page_of(pilot: Pilot[Outcome]) -> StudyPage:
    """The page, which must be on top."""
    page = pilot.app.screen
    assert isinstance(page, StudyPage)
    return page


async def opened(pilot: Pilot[Outcome], example: str = "small-vm") -> StudyPage:
    """The first study."""
    await forward_to(pilot, Step.REVIEW, example)
    await pilot.press("S")
    await until(pilot, lambda: isinstance(pilot.app.screen, StudyPage) and bool(page_of(pilot).reader.plain))
    return page_of(pilot)


def start_of(machine: str) -> Situation:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return situation_of(facts, default_answers(facts, knowledge), knowledge)


@pytest.mark.parametrize(
    ("machine", "study"),
    [
        ("z13-lpar", "z13"),
        ("power10", "power10"),
        ("ice-lake", "power10"),
        ("dl185", "vxfs"),
        ("talk-m5", "kernel-talk"),
    ],
)
def test_it_begins_with_the_study_of_the_system_most_like_this_one(machine: str, study: str) -> None:
    assert closest(start_of(machine)) == study


async def test_every_study_is_reached_and_the_ends_say_so() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        for _ in load_studies():
            await pilot.press("left_square_bracket")
        await until(pilot, lambda: "the first study" in page.message.plain)
        observation = [page.aside().partition(",")[0]]
        for _ in list(load_studies())[1:]:
            await pilot.press("right_square_bracket")
            observation.append(page.aside().partition(",")[0])
        assert observation == list(load_studies())
        assert page.question.right.plain == page.aside()
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: "the last study" in page.message.plain)


async def test_s_goes_to_the_steps() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        assert "Its steps beside this plan" not in shown(pilot.app)
        await pilot.press("s")
        await until(pilot, lambda: "Its steps beside this plan" in shown(pilot.app))
        assert " 1. " in shown(pilot.app)
        assert page.message.plain.strip() == ""


async def test_it_is_closed_and_nothing_has_changed() -> None:
    stage = Stage()
    async with stage.wizard().run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.REVIEW)
        before, saved = shown(pilot.app), stage.sessions[-1]
        for key in ("escape", "S", "enter", "q"):
            await pilot.press("S")
            await until(pilot, lambda: isinstance(pilot.app.screen, StudyPage))
            await pilot.press(key)
            await at(pilot, Step.REVIEW)
        assert (shown(pilot.app), stage.sessions[-1]) == (before, saved)


async def test_its_help_tells_what_the_marks_mean() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        _ = await opened(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: "Help: study" in shown(pilot.app))
        assert "corrected [~]" in shown(pilot.app)


async def test_a_machine_of_which_little_is_known_has_its_studies_too() -> None:
    async with Stage(machine=ExampleMachine("z13-sandbox")).wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot, "z13-sandbox")
        assert "z13" in page.aside()
