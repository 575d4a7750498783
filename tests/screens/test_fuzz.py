"""Random keys, pastes and sizes: nothing ends the wizard but an answer to its own question."""

import string
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.pilot import Pilot

from rehearsal import Stage, at
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.steps import Step
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine

KEYS = (
    *("up", "down", "left", "right", "tab", "shift+tab", "enter", "space", "escape", "backspace", "delete"),
    *("home", "end", "pageup", "pagedown", "ctrl+c", "ctrl+q", "ctrl+u", "ctrl+k", "ctrl+w", "ctrl+a"),
    *("f1", "f2", "f5", "slash", "colon", "question_mark", "ctrl+left", "ctrl+right", "insert"),
    *string.ascii_lowercase,
    "S",
    *string.digits,
)
SIZES = ((80, 24), (60, 16), (59, 15), (120, 40), (300, 100), (1, 1), (0, 0), (3, 200))

keys = st.sampled_from(KEYS)
pastes = st.text(st.characters(codec="utf-8"), max_size=40).map(lambda text: f"paste:{text}")
resizes = st.sampled_from(SIZES).map(lambda size: f"resize:{size[0]}x{size[1]}")
steps = st.one_of(keys, keys, keys, keys, pastes, resizes)


async def do(pilot: Pilot[Outcome], step: str) -> None:
    """One step of the fuzz."""
    kind, _, what = step.partition(":")
    match kind:
        case "paste" if what:
            pilot.app.post_message(events.Paste(what))
            await pilot.pause()
        case "resize":
            width, _, height = what.partition("x")
            await pilot.resize_terminal(int(width), int(height))
        case _:
            await pilot.press(step)


async def survives(script: Sequence[str], directory: str) -> None:
    """Run a script; the wizard may be left, it must not fail."""
    stage = Stage(machine=AskMachine(), out=directory, refuses_to_write="this is a rehearsal")
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.WELCOME)
        await pilot.press("enter")
        await at(pilot, Step.MACHINE)
        for step in script:
            if wizard.return_value is not None:
                break
            await do(pilot, step)
    assert stage.faults == []
    assert wizard.return_code in (None, 0)


@settings(max_examples=1)
@given(st.lists(steps, min_size=20, max_size=40))
async def test_random_keys_pastes_and_sizes_never_end_it(script: list[str]) -> None:
    await survives(script, "/nowhere")


AT_ONCE = 20
"""Keys that a held key or a paste by hand sends before the screen has followed."""
LETTERS = {"slash": "/", "colon": ":", "question_mark": "?", "space": " "}


def type_ahead(pilot: Pilot[Outcome], key: str) -> None:
    """Send a key as the terminal does, which waits for nothing."""
    letter = key if len(key) == 1 else LETTERS.get(key)
    pilot.app.post_message(events.Key(key, letter))


async def survives_a_rush(steps_left: list[str]) -> None:
    """Run what is left of a script, in bursts, until it is over or the wizard was left."""
    stage = Stage(machine=AskMachine(), out="/nowhere", refuses_to_write="this is a rehearsal")
    wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.WELCOME)
        await pilot.press("enter")
        await at(pilot, Step.MACHINE)
        while steps_left and wizard.return_value is None:
            for step in [steps_left.pop() for _ in steps_left[-AT_ONCE:]]:
                if ":" in step:
                    await do(pilot, step)
                else:
                    type_ahead(pilot, step)
            await pilot.pause()
    assert stage.faults == []
    assert wizard.return_code in (None, 0)


@pytest.mark.slow
@pytest.mark.timeout(400)
@settings(max_examples=10)
@given(st.lists(steps, min_size=200, max_size=400))
async def test_thousands_of_random_steps_never_end_it(script: list[str]) -> None:
    steps_left = [*script]
    while steps_left:
        await survives_a_rush(steps_left)


WAY = (Step.MACHINE, Step.SERVER, Step.WORKLOAD, Step.RISK, Step.RECOMMENDATIONS, Step.REVIEW, Step.WRITE)


async def wander(pilot: Pilot[Outcome], turns: Sequence[bool]) -> None:
    """Forward and back over the pages."""
    place = 0
    for is_forward in turns:
        before, place = place, min(len(WAY) - 1, place + 1) if is_forward else max(0, place - 1)
        if place != before:
            on_the_list = is_forward and WAY[before] is Step.RECOMMENDATIONS
            await pilot.press(("right" if on_the_list else "enter") if is_forward else "escape")
            await at(pilot, WAY[place])


def said(stage: Stage) -> Answers:
    """The answers as they were kept last."""
    return stage.sessions[-1].answers


@pytest.mark.slow
@settings(max_examples=8)
@given(st.lists(st.booleans(), min_size=8, max_size=14))
async def test_back_and_forth_never_changes_an_answer(turns: list[bool]) -> None:
    stage = Stage()
    wizard: Wizard = stage.wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        for _ in range(2):
            await pilot.press("enter")
        await at(pilot, Step.WORKLOAD)
        for _ in range(2):
            await pilot.press("escape")
        await at(pilot, Step.MACHINE)
        before = said(stage)
        await wander(pilot, turns)
        assert said(stage) == before
