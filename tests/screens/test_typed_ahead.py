"""Keys typed ahead: however fast they come, they mean what they mean one by one."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from textual import events
from textual.pilot import Pilot

from rehearsal import Stage, at, until
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.screens.step_page import StepPage
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome

LETTERS = {"slash": "/", "space": " "}
KEYS = (
    *(["enter"] * 6),
    *(["down"] * 4),
    *("up", "up", "tab", "shift+tab", "space", "space", "escape", "left", "right", "right"),
    *("pageup", "pagedown", "home", "end", "backspace", "1", "2", "0", "e", "n", "x", "a", "slash", "f1"),
)
"""Every key that answers, moves or opens; not the one that watches a server, which takes its own time."""
PACED = 0.02
"""Seconds between two keys of somebody who looks."""
SHARDS, WALKS = 4, 250
MOST_KEYS = 12


@dataclass(frozen=True)
class End:
    """Where a walk ended."""

    page: str
    step: Step | None
    answers: Answers | None


def type_key(wizard: Wizard, key: str) -> None:
    """As the terminal sends it, which waits for nothing."""
    wizard.post_message(events.Key(key, key if len(key) == 1 else LETTERS.get(key)))


async def type_all(pilot: Pilot[Outcome], keys: Sequence[str], pause: float) -> None:
    """Type keys, and wait until the last one was answered."""
    wizard = pilot.app
    assert isinstance(wizard, Wizard)
    for key in keys:
        type_key(wizard, key)
        if pause:
            await asyncio.sleep(pause)
    taken = asyncio.Event()
    wizard.call_later(taken.set)
    await until(
        pilot,
        lambda: wizard.return_value is not None or (taken.is_set() and not wizard.is_answering),
    )


def end(wizard: Wizard) -> End:
    """What stands there now."""
    if wizard.return_value is not None:
        return End(page="left", step=None, answers=None)
    pages = [page for page in wizard.screen_stack if isinstance(page, StepPage)]
    return End(
        page=type(wizard.screen).__name__,
        step=pages[-1].STEP if pages else None,
        answers=pages[-1].journey.answers if pages else None,
    )


def walks(seed: int) -> list[list[str]]:
    """The walks of a shard, the same each time."""
    drawn = random.Random(seed)  # noqa: S311 - no secret
    return [drawn.choices(KEYS, k=drawn.randint(1, MOST_KEYS)) for _ in range(WALKS)]


async def ends(seed: int, pause: float) -> list[End]:
    """Type a shard's walks, one after the other, in a wizard that is started again where a walk left it."""
    left, found = walks(seed), list[End]()
    while left:
        stage = Stage(out="/nowhere", refuses_to_write="this is a rehearsal")
        wizard = stage.wizard()
        async with wizard.run_test(size=(80, 24)) as pilot:
            await at(pilot, Step.MACHINE)
            while left and wizard.return_value is None:
                await type_all(pilot, left.pop(0), pause)
                found.append(end(wizard))
        assert stage.faults == []
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(SHARDS))
async def test_walks_end_the_same_however_fast_they_are_typed(seed: int) -> None:
    paced = await ends(seed, PACED)
    rushed = await ends(seed, 0)
    assert len(paced) == len(rushed) == WALKS
    keys = walks(seed)
    for number, (slow, fast) in enumerate(zip(paced, rushed, strict=True)):
        assert fast == slow, keys[: number + 1]


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
    stage = Stage(machine=ExampleMachine("no such machine"))
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        for _ in range(3):
            type_key(wizard, "enter")
        await until(pilot, lambda: not wizard.is_fetching and not wizard.is_answering)
        assert stage.sessions == []
        assert not isinstance(wizard.screen, StepPage)
