"""Facts on the page: told with their origin, corrected by hand, and marked as corrected until the review."""

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.corrections import BY_HAND
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Bytes

SIZE = (80, 24)


async def test_a_corrected_fact_is_marked_and_stands_in_the_review() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("down", "down", "c", "ctrl+u", *"32GB", "enter")
        await until(pilot, lambda: BY_HAND in shown(wizard))
        assert stage.sessions[-1].facts.memory.total == Known(Bytes.parse("32GB"), BY_HAND)
        await forward_to(pilot, Step.REVIEW)
        assert "Memory is 32GB: corrected by hand" in " ".join(shown(wizard).split())


async def test_a_value_far_from_what_was_read_is_asked_for_again() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        before = stage.sessions[-1].facts
        await pilot.press("down", "down", "c", *"900TB", "enter")
        await until(pilot, lambda: "900TB is 38,400 times more than what was read (24GB)" in shown(wizard))
        assert stage.sessions[-1].facts == before
        await pilot.press("enter")
        await until(
            pilot, lambda: stage.sessions[-1].facts.memory.total == Known(Bytes.parse("900TB"), BY_HAND)
        )


async def test_typing_replaces_what_a_field_was_filled_with() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("down", "down", "c", *"32GB", "enter")
        await until(
            pilot, lambda: stage.sessions[-1].facts.memory.total == Known(Bytes.parse("32GB"), BY_HAND)
        )


async def test_an_impossible_correction_is_refused_and_changes_nothing() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        before = stage.sessions[-1].facts
        await pilot.press("down", "down", "c", "ctrl+u", "0", "B", "enter")
        await pilot.pause()
        assert "Memory: expected" in shown(wizard)
        await pilot.press("escape")
        await pilot.pause()
        assert stage.sessions[-1].facts == before


async def test_a_fact_that_cannot_be_corrected_says_so() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("c")
        await pilot.pause()
        assert "cannot be corrected here" in shown(wizard)


async def test_an_example_machine_is_not_read_again() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("r")
        await pilot.pause()
        assert "not read on this host" in shown(wizard)


async def test_this_host_is_read_again_and_corrections_go() -> None:
    stage = Stage(machine=ThisHost())
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("down", "down", "c", "ctrl+u", *"32GB", "enter")
        await until(pilot, lambda: BY_HAND in shown(wizard))
        await pilot.press("r")
        await until(pilot, lambda: BY_HAND not in shown(wizard))
        await at(pilot, Step.MACHINE)
