"""Undo and redo on the screen, over every page; a value or a correction of one's own goes back alone."""

from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.answers import Answers, Replaced
from tunewiz.core.answers.corrections import corrected
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome

SIZE = (100, 36)


def answers(stage: Stage) -> Answers:
    """As saved last."""
    return stage.sessions[-1].answers


def facts(stage: Stage) -> Facts:
    """As saved last."""
    return stage.sessions[-1].facts


async def says(pilot: Pilot[Outcome], wizard: Wizard, words: str) -> None:
    await until(pilot, lambda: words in " ".join(shown(wizard).split()))


async def test_a_tick_is_undone_and_redone_where_it_was_made() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("space")
        await until(pilot, lambda: bool(answers(stage).decisions))
        decided = answers(stage)
        await pilot.press("u")
        await says(pilot, wizard, "Undone: ")
        await until(pilot, lambda: not answers(stage).decisions)
        await pilot.press("U")
        await says(pilot, wizard, "Redone: ")
        await until(pilot, lambda: answers(stage) == decided)
        await at(pilot, Step.RECOMMENDATIONS)


async def test_an_answer_of_an_earlier_page_is_undone_from_a_later_one_and_its_page_shows_that() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RISK)
        before = answers(stage)
        await pilot.press("down", "space", "enter")
        await at(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: answers(stage).risk.posture == "bold")
        await pilot.press("u")
        await says(pilot, wizard, "Undone: Posture: bold -> balanced")
        await until(pilot, lambda: answers(stage) == before)
        await pilot.press("escape")
        await at(pilot, Step.RISK)
        await pilot.press("enter")
        await at(pilot, Step.RECOMMENDATIONS)
        assert answers(stage) == before


async def test_what_was_chosen_on_a_page_and_not_left_yet_is_undone_too() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RISK)
        await pilot.press("down", "space", "u")
        await says(pilot, wizard, "Undone: Posture: bold -> balanced")
        await at(pilot, Step.RISK)
        await pilot.press("U")
        await says(pilot, wizard, "Redone: Posture: balanced -> bold")
        await pilot.press("enter")
        await at(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: answers(stage).risk.posture == "bold")


async def test_with_nothing_chosen_there_is_nothing_to_undo() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("u")
        await says(pilot, wizard, "Nothing to undo.")
        await pilot.press("U")
        await says(pilot, wizard, "Nothing to redo.")


async def test_a_value_by_hand_goes_back_to_the_proposal_alone() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("e", *"1GB", "enter")
        await until(pilot, lambda: Replaced(value="1GB") in answers(stage).decisions.values())
        await pilot.press("down", "space")
        await until(pilot, lambda: len(answers(stage).decisions) > 1)
        await pilot.press("up", "x")
        await until(pilot, lambda: len(answers(stage).decisions) == 1)
        assert Replaced(value="1GB") not in answers(stage).decisions.values()
        await pilot.press("x")
        await says(pilot, wizard, "You decided nothing here")


async def test_a_correction_goes_back_to_what_was_read() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        read = facts(stage)
        await pilot.press("down", "down", "c", *"32GB", "enter")
        await until(pilot, lambda: bool(corrected(facts(stage))))
        assert stage.sessions[-1].as_read == read
        await pilot.press("x")
        await until(pilot, lambda: facts(stage) == read)
        await pilot.press("x")
        await says(pilot, wizard, "This fact was not corrected.")


async def test_what_takes_no_value_says_why_where_it_is_asked() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("a", "end", "e")
        await says(pilot, wizard, "No value is proposed here that could be another: ")


async def test_who_takes_a_decision_back_hears_that_the_note_goes_too() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("n", *"later", "enter")
        await until(pilot, lambda: "[x]*" in shown(wizard))
        await pilot.press("x")
        await says(pilot, wizard, "As proposed again, without your note. u takes that back.")
        await pilot.press("down", "space")
        await until(pilot, lambda: "[-]" in shown(wizard))
        await pilot.press("x")
        await says(pilot, wizard, "As proposed again. u takes that back.")


async def test_what_is_declined_is_counted_apart_and_stands_in_the_review() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        assert "declined" not in shown(wizard).splitlines()[1]
        await pilot.press("space")
        await says(pilot, wizard, " open · 1 declined")
        await pilot.press("right")
        await at(pilot, Step.REVIEW)
        await says(pilot, wizard, "· 1 declined by you ·")
        await pilot.press("end")
        await says(pilot, wizard, "stays as it is")


async def test_a_decision_says_what_else_leaves_the_plan_with_it() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("space")
        await says(pilot, wizard, "[-] shared_buffers")
        await says(pilot, wizard, "Also out of the plan: vm.nr_hugepages")
        await pilot.press("down")
        await until(pilot, lambda: "Also out of the plan" not in shown(wizard))
