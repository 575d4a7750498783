"""A thousand walks over all pages: typed at once or in haste, each ends as it does when typed slowly."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import pytest
from textual import events
from textual.pilot import Pilot

from rehearsal import Stage, at, shown
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.steps import Step
from tunewiz.knowledge.loading import demo_facts
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome
from tunewiz.wizard.ports import AskMachine

CHUNKS = 25
WALKS = 40
"""Walks of a chunk: a thousand in all."""
LENGTHS = (2, 4)
"""Keys of a walk, at least and at most."""
HASTE = 0.02
"""Seconds between two keys of a fast typist whose line sends them in packets."""
LONGEST = 60
"""Seconds after which a wizard that is busy will not rest."""

WEIGHTS = {
    "enter": 16,
    "down": 10,
    "space": 7,
    **dict.fromkeys(("up", "right", "tab", "escape"), 6),
    **dict.fromkeys(("pagedown", "end", "left"), 3),
    **dict.fromkeys(("pageup", "home", "shift+tab", "backspace", "delete", "ctrl+u", "f1", "f2"), 2),
    **dict.fromkeys(("slash", "colon", "question_mark", *"qcrkdmenaguUxo0123456789s"), 1),
}
"""How often each key is drawn: those that lead on more often.

Left out is what by intent does not wait: ctrl+c, and `w`, which watches in the background.
"""
KEYS = tuple(WEIGHTS)
SUMS = tuple(accumulate(WEIGHTS.values()))
LETTERS = {"slash": "/", "colon": ":", "question_mark": "?", "space": " "}

WAY = ("enter", "enter", "enter", "enter", "enter", "right", "enter")
"""From the first page to the last one."""

Walk: TypeAlias = tuple[str, ...]
Typing: TypeAlias = Callable[[Pilot[Outcome], Wizard, Walk], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class End:
    """Where a walk ended."""

    walk: Walk
    answers: Answers | str
    pages: tuple[str, ...]
    shown: str


def drawn(chunk: int) -> tuple[Walk, ...]:
    """The walks of a chunk, the same each time."""
    source = random.Random(chunk)  # noqa: S311 - it draws walks, not secrets
    return tuple(
        tuple(source.choices(KEYS, cum_weights=SUMS, k=source.randint(*LENGTHS))) for _ in range(WALKS)
    )


def send(wizard: Wizard, key: str) -> None:
    """As the terminal sends it, which waits for nothing."""
    wizard.post_message(events.Key(key, key if len(key) == 1 else LETTERS.get(key)))


def has_left(wizard: Wizard) -> bool:
    """Whether the wizard was left: `q` is among the keys."""
    return wizard.return_value is not None


def is_busy(wizard: Wizard, arrived: asyncio.Event) -> bool:
    """Whether keys are on their way, a key is still answered, or a machine read for it."""
    return not has_left(wizard) and (not arrived.is_set() or wizard.is_answering or wizard.is_fetching)


async def rested(pilot: Pilot[Outcome], wizard: Wizard) -> None:
    """Wait until everything that was sent is answered, or the wizard was left."""
    arrived = asyncio.Event()
    if not wizard.call_later(arrived.set):
        return
    async with asyncio.timeout(LONGEST):
        while is_busy(wizard, arrived):  # noqa: ASYNC110 - leaving is told by no event
            await asyncio.sleep(0.005)
        if not has_left(wizard):
            await pilot.pause()


async def slowly(pilot: Pilot[Outcome], wizard: Wizard, walk: Walk) -> None:
    """Each key once the page that the one before led to is there."""
    for key in walk:
        if not has_left(wizard):
            send(wizard, key)
            await rested(pilot, wizard)


async def in_a_burst(pilot: Pilot[Outcome], wizard: Wizard, walk: Walk) -> None:
    """All keys at once."""
    for key in walk:
        send(wizard, key)
    await rested(pilot, wizard)


async def in_haste(pilot: Pilot[Outcome], wizard: Wizard, walk: Walk) -> None:
    """A key every 20 ms, whatever the screen shows."""
    for key in walk:
        send(wizard, key)
        await asyncio.sleep(HASTE)
    await rested(pilot, wizard)


def end_of(wizard: Wizard, stage: Stage, walk: Walk) -> End:
    """What is the same however fast the walk was typed."""
    if has_left(wizard):
        return End(walk=walk, answers="left", pages=(str(wizard.return_value),), shown="")
    return End(
        walk=walk,
        answers=stage.sessions[-1].answers if stage.sessions else "none",
        pages=tuple(type(screen).__name__ for screen in wizard.screen_stack),
        shown=shown(wizard),
    )


async def close_overlays(pilot: Pilot[Outcome], wizard: Wizard) -> None:
    """Come back to a page: most keys do nothing else over one."""
    while not has_left(wizard) and len(wizard.screen_stack) > 1:
        await slowly(pilot, wizard, ("escape",))


async def walked(walks: list[Walk], typing: Typing, way: int) -> list[End]:
    """Walk until there are no more walks, or the wizard is left; each begins where the last one ended."""
    stage = Stage(
        machine=AskMachine(),
        out="/nowhere",
        refuses_to_write="this is a rehearsal",
        file=lambda _path: demo_facts("power10"),
    )
    wizard = stage.wizard()
    wizard.animation_level = "none"  # as on a terminal
    ends: list[End] = []
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.WELCOME)
        await slowly(pilot, wizard, WAY[:way])
        while walks and not has_left(wizard):
            walk = walks.pop(0)
            await typing(pilot, wizard, walk)
            ends.append(end_of(wizard, stage, walk))
            await close_overlays(pilot, wizard)
    assert stage.faults == []
    return ends


async def ends_of(chunk: int, typing: Typing) -> list[End]:
    """Where each walk of a chunk ended; chunks begin on different pages."""
    left, ends = [*drawn(chunk)], list[End]()
    while left:
        ends += await walked(left, typing, chunk % (len(WAY) + 1))
    return ends


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_walks_typed_ahead_end_as_when_typed_slowly(chunk: int) -> None:
    patient = await ends_of(chunk, slowly)
    for typing in (in_a_burst, in_haste):
        for hasty, expected in zip(await ends_of(chunk, typing), patient, strict=True):
            assert hasty == expected
