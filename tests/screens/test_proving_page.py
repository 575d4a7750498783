"""The page that follows a measurement: opened from a written or a reopened bundle, it changes nothing."""

from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bench_seen_cases import BUNDLE, SEEN
from rehearsal import Stage, forward_to, shown, until
from tunewiz.core.answers.machine_choice import ThisHost, WrittenBundle
from tunewiz.core.answers.steps import Step
from tunewiz.core.proof.bench_seen import BenchSeen
from tunewiz.screens.proving import ProvingPage
from tunewiz.screens.review import Review
from tunewiz.screens.written import WrittenPage
from tunewiz.wizard.outcome import Outcome, Written

SIZE = (80, 24)


class Following:
    """A measurement that goes on when a test says so."""

    def __init__(self, name: str) -> None:
        self.state: BenchSeen = SEEN[name]
        self.directories = list[str]()

    def __call__(self, directory: str) -> BenchSeen:
        """Where it stands now."""
        self.directories.append(directory)
        return self.state


async def opened(pilot: Pilot[Outcome], sees: str) -> ProvingPage:
    await forward_to(pilot, Step.WRITE)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, WrittenPage))
    await pilot.press("p")
    await until(pilot, lambda: sees in shown(pilot.app))
    page = pilot.app.screen
    assert isinstance(page, ProvingPage)
    return page


def _reads(page: ProvingPage, words: str) -> bool:
    return words in page.reader.plain


async def test_it_follows_from_the_explanation_to_the_result(tmp_path: Path) -> None:
    following = Following("explained")
    wizard = Stage(out=str(tmp_path / "bundle"), proving=following).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await opened(pilot, "prove bench")
        for name, sees in (
            ("running", "No verdict before"),
            ("a_look", "planned look"),
            ("finished", "helped"),
        ):
            following.state = SEEN[name]
            await until(pilot, partial(_reads, page, sees))
        assert set(following.directories) == {str(tmp_path / "bundle")}


async def test_who_scrolled_stays_there_while_pairs_come_in(tmp_path: Path) -> None:
    following = Following("running")
    wizard = Stage(out=str(tmp_path / "bundle"), proving=following).wizard()
    async with wizard.run_test(size=(60, 16)) as pilot:
        page = await opened(pilot, "left")
        await pilot.press("down", "down")
        await until(pilot, lambda: page.reader.scroll_offset.y == 2)
        following.state = SEEN["a_look"]
        await until(pilot, lambda: "planned look" in page.reader.plain)
        assert page.reader.scroll_offset.y == 2
        following.state = SEEN["finished"]
        await until(pilot, lambda: "all changes" in page.reader.plain)
        assert page.reader.scroll_offset.y == 0


@pytest.mark.parametrize("key", ["escape", "enter", "left", "q", "p"])
async def test_each_of_its_keys_leads_back(tmp_path: Path, key: str) -> None:
    wizard = Stage(out=str(tmp_path / "bundle"), proving=Following("explained")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await opened(pilot, "prove bench")
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, WrittenPage))


async def test_an_interrupt_ends_the_wizard_with_the_bundle(tmp_path: Path) -> None:
    wizard = Stage(out=str(tmp_path / "bundle"), proving=Following("running")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await opened(pilot, "left")
        await pilot.press("ctrl+c")
        await until(pilot, lambda: wizard.return_value is not None)
    assert isinstance(wizard.return_value, Written)


async def test_the_command_is_copied(tmp_path: Path) -> None:
    wizard = Stage(out=str(tmp_path / "bundle"), proving=Following("explained")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await opened(pilot, "prove bench")
        await pilot.press("y")
        await until(pilot, lambda: f"sudo tunewiz prove bench {BUNDLE}" in page.message.plain)


async def test_a_reopened_bundle_is_measured_from_the_review(tmp_path: Path) -> None:
    written = tmp_path / "bundle"
    wizard = Stage(out=str(written)).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, WrittenPage))
    following = Following("running")
    wizard = Stage(machine=WrittenBundle(str(written)), proving=following).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "change" in shown(wizard) and bool(wizard.screen.query("Rows, RowList")))
        await pilot.press("right")
        await until(pilot, lambda: isinstance(wizard.screen, Review))
        await pilot.press("p")
        await until(pilot, lambda: isinstance(wizard.screen, ProvingPage) and "left" in shown(wizard))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(wizard.screen, Review))
    assert set(following.directories) == {str(written)}


async def test_before_there_is_a_bundle_the_review_says_so() -> None:
    wizard = Stage(machine=ThisHost()).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.REVIEW)
        await pilot.press("p")
        await until(pilot, lambda: "write it first" in shown(wizard))
        assert isinstance(wizard.screen, Review)
