"""The what-if panel on the screen: moved, taken over as one choice, or left without a trace."""

from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.steps import Step
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome

SIZE = (100, 36)


async def says(pilot: Pilot[Outcome], wizard: Wizard, words: str) -> None:
    await until(pilot, lambda: words in " ".join(shown(wizard).split()))


async def test_what_was_moved_is_taken_over_as_one_choice_that_undo_takes_back() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        before = stage.sessions[-1]
        await pilot.press("i")
        await says(pilot, wizard, "Nothing is moved yet.")
        await pilot.press("left", "down", "right")
        await says(pilot, wizard, "recommendations differ")
        await pilot.press("t")
        await says(pilot, wizard, "Taken over. u takes it back.")
        await at(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: stage.sessions[-1].answers != before.answers)
        assert stage.sessions[-1].facts != before.facts
        await pilot.press("u")
        await says(pilot, wizard, "Undone: Memory:")
        await until(pilot, lambda: stage.sessions[-1] == before)


async def test_what_is_left_leaves_no_trace() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        before = len(stage.sessions), shown(wizard)
        await pilot.press("i", "left", "left", "down", "right")
        await says(pilot, wizard, "recommendations differ")
        await pilot.press("escape")
        await at(pilot, Step.RECOMMENDATIONS)
        await until(pilot, lambda: shown(wizard) == before[1])
        assert len(stage.sessions) == before[0]


async def test_a_value_is_typed_and_one_that_does_not_fit_is_told() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("i", "down", "enter")
        await says(pilot, wizard, "take it")
        await pilot.press(*"zero", "enter")
        await says(pilot, wizard, "expected a whole number")
        await pilot.press(*(["backspace"] * 4), *"700", "enter")
        await says(pilot, wizard, "< 700 >")


async def test_nothing_is_taken_over_where_nothing_was_moved() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("i", "t")
        await says(pilot, wizard, "! Nothing is moved yet.")
