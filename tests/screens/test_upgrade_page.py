"""The page of an upgrade: opened from the review, one version after another, closed without a trace."""

import dataclasses

from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.core.upgrade.upgrade import upgrade_of
from tunewiz.core.values.versions import USUAL
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.knowledge.upgrades import load_release_notes
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.upgrade import UpgradePage
from tunewiz.text.upgrade import upgrade_lines
from tunewiz.wizard.outcome import Outcome

SIZE = (80, 24)


def page_of(pilot: Pilot[Outcome]) -> UpgradePage:
    """The page, which must be on top."""
    page = pilot.app.screen
    assert isinstance(page, UpgradePage)
    return page


async def opened(pilot: Pilot[Outcome], example: str = "small-vm") -> UpgradePage:
    """The newest version that was tried."""
    await forward_to(pilot, Step.REVIEW, example)
    await pilot.press("V")
    await until(
        pilot, lambda: isinstance(pilot.app.screen, UpgradePage) and bool(page_of(pilot).reader.plain)
    )
    return page_of(pilot)


async def test_every_newer_version_is_reached_and_the_ends_say_so() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot)
        assert f"PostgreSQL {USUAL} " in page.heading()
        while "the next version" not in page.message.plain:
            await pilot.press("left_square_bracket")
        observation = [page.heading()]
        while "the newest version" not in page.message.plain:
            await pilot.press("right_square_bracket")
            observation += [page.heading()] if page.heading() != observation[-1] else []
        majors = sorted(load_knowledge().settings)
        newer = [major for major in majors if f"PostgreSQL {major} " in " ".join(observation)]
        assert newer == majors[-len(observation) :]
        assert page.aside() == f"{len(observation)} of {len(observation)}"


async def test_it_says_what_the_command_says() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.REVIEW)
        review = pilot.app.screen
        assert isinstance(review, StepPage)
        plan, knowledge = review.journey.plan, review.journey.knowledge
        upgrade = upgrade_of(plan, knowledge.settings[USUAL], load_release_notes(), knowledge.catalogue)
        words = " ".join(text.plain for text in upgrade_lines(upgrade, review.journey.facts)).split()
        await pilot.press("V")
        await until(pilot, lambda: isinstance(pilot.app.screen, UpgradePage))
        await until(pilot, lambda: page_of(pilot).reader.plain.split() == words)


async def test_without_a_newer_version_or_without_settings_the_review_says_why() -> None:
    known = load_knowledge()
    newest = max(known.settings)
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.REVIEW)
        review = pilot.app.screen
        assert isinstance(review, StepPage)
        only = {
            major: setting
            for major, setting in known.settings.items()
            if major <= review.journey.plan.start.major
        }
        assert newest not in only
        review.journey = dataclasses.replace(
            review.journey, knowledge=dataclasses.replace(known, settings=only)
        )
        await pilot.press("V")
        await until(pilot, lambda: "No version newer than 15" in shown(pilot.app))
        assert pilot.app.screen is review


async def test_it_is_closed_and_nothing_has_changed() -> None:
    stage = Stage()
    async with stage.wizard().run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.REVIEW)
        before, saved = shown(pilot.app), stage.sessions[-1]
        for key in ("escape", "V", "enter", "q"):
            await pilot.press("V")
            await until(pilot, lambda: isinstance(pilot.app.screen, UpgradePage))
            await pilot.press(key)
            await at(pilot, Step.REVIEW)
        assert (shown(pilot.app), stage.sessions[-1]) == (before, saved)


async def test_the_oldest_server_has_every_version_before_it() -> None:
    stage = Stage(machine=ExampleMachine("z13-lpar"))
    async with stage.wizard().run_test(size=SIZE) as pilot:
        page = await opened(pilot, "z13-lpar")
        assert page.aside().endswith(f" of {len(load_knowledge().settings) - 1}")


async def test_its_help_tells_what_the_groups_mean() -> None:
    async with Stage().wizard().run_test(size=SIZE) as pilot:
        _ = await opened(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: "Help: upgrade" in shown(pilot.app))
        assert "another effect" in shown(pilot.app)
