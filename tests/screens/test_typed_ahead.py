"""Keys typed ahead: however fast they come, they mean what they mean one by one."""

from threading import Event

import pytest
from textual import events

from rehearsal import Stage, at, until
from tunewiz.core.answers.machine_choice import ExampleMachine, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.widgets.reader import Reader
from tunewiz.tui.app import Wizard
from tunewiz.wizard.ports import Progress


def type_key(wizard: Wizard, key: str) -> None:
    """As the terminal sends it, which waits for nothing."""
    wizard.post_message(events.Key(key, None))


async def test_enter_while_a_named_machine_is_read_chooses_no_other() -> None:
    earlier = Stage()
    async with earlier.wizard().run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
    stage = Stage(machine=ExampleMachine("power10"), sessions=earlier.sessions)
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        type_key(wizard, "enter")
        await at(pilot, Step.SERVER)
        assert stage.sessions[-1].origin == "power10"


@pytest.mark.parametrize("times", [1, 2, 3, 4])
async def test_a_burst_of_enters_goes_as_many_pages_on(times: int) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        for _ in range(times):
            type_key(wizard, "enter")
        await at(pilot, (Step.SERVER, Step.WORKLOAD, Step.RISK, Step.RECOMMENDATIONS)[times - 1])


async def test_ctrl_c_is_not_kept_waiting_and_drops_what_was_typed_before() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        for key in ("enter", "enter", "enter", "ctrl+c"):
            type_key(wizard, key)
        await until(pilot, lambda: type(wizard.screen).__name__ == "AskOne" and not wizard.is_answering)
        await pilot.press("down", "down", "enter")
        page = wizard.screen
        assert isinstance(page, StepPage)
        assert page.STEP in {Step.MACHINE, Step.SERVER}


async def test_a_machine_that_cannot_be_read_drops_what_was_typed_for_its_pages() -> None:
    typed = Event()

    def refuses(_progress: Progress) -> Facts:
        assert typed.wait(10)
        raise InputError("the host cannot be read")

    stage = Stage(machine=ThisHost(), host=refuses)
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        for _ in range(3):
            type_key(wizard, "enter")
        await until(pilot, lambda: wizard.is_answering)
        typed.set()
        await until(pilot, lambda: not wizard.is_fetching and not wizard.is_answering)
        assert stage.sessions == []
        assert not isinstance(wizard.screen, StepPage)


@pytest.mark.parametrize("key", ["end", "pagedown", "space", "down"])
async def test_a_scroll_key_typed_ahead_waits_until_the_text_has_room(key: str) -> None:
    wizard = Stage().wizard()
    wizard.animation_level = "none"
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        for text in ("f1", key):
            type_key(wizard, text)
        await until(pilot, lambda: type(wizard.screen).__name__ == "Help" and not wizard.is_answering)
        assert wizard.screen.query_one(Reader).scroll_offset.y > 0


async def test_a_key_after_one_that_scrolls_waits_for_the_scroll_while_repaints_are_due() -> None:
    wizard = Stage().wizard()
    wizard.animation_level = "none"
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("f1")
        await until(pilot, lambda: type(wizard.screen).__name__ == "Help" and not wizard.is_answering)
        reader = wizard.screen.query_one(Reader)
        _ = reader.set_interval(0.001, reader.refresh)
        for key in ("end", "up"):
            type_key(wizard, key)
        await until(pilot, lambda: reader.scroll_offset.y > 0 and not wizard.is_answering)
        assert reader.scroll_offset.y == reader.max_scroll_y - 1
