"""Saved sessions on the first page: any of them can be continued, by a key of its own."""

import dataclasses

from rehearsal import Stage, at, shown, until
from tunewiz.core.answers.steps import Step
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers
from tunewiz.session.record import Session
from tunewiz.session.store import Earlier
from tunewiz.wizard.ports import AskMachine

SIZE = (80, 24)
NAMES = ("z13-lpar-20261121-120000-7", "power10-20261120-080000-9")


def saved(name: str) -> Session:
    facts = demo_facts(name)
    answers = default_answers(facts, load_knowledge())
    return Session(facts=facts, answers=answers, step=Step.RISK, origin=name, as_read=facts)


def stage() -> Stage:
    earlier = tuple(
        Earlier(name=name, about=f"{name[:8]} · risk · 13 changes", age="2 h ago") for name in NAMES
    )
    sessions = {name: saved(name.split("-2026")[0]) for name in NAMES}
    return Stage(machine=AskMachine(), earlier=earlier, named=sessions)


async def test_the_one_that_is_picked_is_continued_where_it_was_left() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        await pilot.press("down", "enter")
        await at(pilot, Step.RISK)
        assert "power10" in shown(wizard)


async def test_the_box_stands_in_the_middle_as_others_do_and_cuts_no_heading() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        rows = shown(wizard).splitlines()
        assert rows[0].endswith("PostgreSQL on Linux, tuned with reasons")
        assert not rows[0].lstrip().startswith("┌")


async def test_escape_continues_none() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        await pilot.press("escape")
        await until(pilot, lambda: "Continue which" not in shown(wizard))
        await at(pilot, Step.WELCOME)


async def test_without_saved_sessions_that_is_said() -> None:
    wizard = dataclasses.replace(stage(), earlier=()).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "No session is saved yet." in shown(wizard))


async def test_one_is_deleted_by_the_same_key_twice_and_the_others_stay() -> None:
    stage_of_two = stage()
    wizard = stage_of_two.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        await pilot.press("x")
        await until(pilot, lambda: "x again deletes it" in shown(wizard))
        assert len(stage_of_two.earlier) == len(NAMES)
        await pilot.press("x")
        await until(pilot, lambda: f"Deleted: {NAMES[0]}" in shown(wizard))
        assert [earlier.name for earlier in stage_of_two.earlier] == [NAMES[1]]
        await pilot.press("enter")
        await at(pilot, Step.RISK)


async def test_a_move_between_the_two_keys_deletes_nothing() -> None:
    stage_of_two = stage()
    wizard = stage_of_two.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        await pilot.press("x", "down", "x")
        await until(pilot, lambda: "x again deletes it" in shown(wizard))
        assert len(stage_of_two.earlier) == len(NAMES)


async def test_one_that_cannot_be_deleted_stays_with_the_reason() -> None:
    wizard = dataclasses.replace(stage(), disk_full=True).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        await until(pilot, lambda: "power10" in shown(wizard))
        await pilot.press("x", "x")
        await until(pilot, lambda: "read-only file system" in shown(wizard))
        assert "z13-lpar" in shown(wizard)
