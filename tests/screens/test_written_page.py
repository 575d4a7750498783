"""After the bundle is written: its review, its dry run, and the end with the next steps."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from rehearsal import Stage, forward_to, until
from tunewiz.bundle.dry_run import DryRun
from tunewiz.core.answers.steps import Step
from tunewiz.core.values.errors import BundleError
from tunewiz.screens.written import WrittenPage
from tunewiz.wizard.outcome import Outcome, Written

SIZE = (80, 24)


def page_of(pilot: Pilot[Outcome]) -> WrittenPage:
    """The page, which must be on top."""
    page = pilot.app.screen
    assert isinstance(page, WrittenPage)
    return page


async def written(pilot: Pilot[Outcome]) -> WrittenPage:
    """Write the bundle."""
    await forward_to(pilot, Step.WRITE)
    await pilot.press("enter")
    await until(
        pilot, lambda: isinstance(pilot.app.screen, WrittenPage) and bool(page_of(pilot).reader.plain)
    )
    return page_of(pilot)


async def test_what_is_read_of_the_review_is_what_the_file_says(tmp_path: Path) -> None:
    wizard = Stage(out=str(tmp_path / "bundle")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await written(pilot)
        await pilot.press("v")
        await until(pilot, lambda: "Change bundle for" in page.reader.plain)
        read = page.reader.plain
    file = (tmp_path / "bundle/REVIEW.md").read_text(encoding="utf-8")
    for line in file.splitlines():
        if line.startswith("#"):
            assert line.lstrip("# ").replace("`", "").replace("\\", "") in read
    assert "Approved (name, date)" in read


async def test_from_a_view_escape_leads_to_the_next_steps_and_never_back_to_the_questions(
    tmp_path: Path,
) -> None:
    wizard = Stage(out=str(tmp_path / "bundle")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await written(pilot)
        steps = page.reader.plain
        assert "apply.sh --dry-run" in steps
        await pilot.press("v", "escape")
        await until(pilot, lambda: page.reader.plain == steps)
        await pilot.press("escape", "left")
        await pilot.pause()
        assert page_of(pilot) is page
        assert page.reader.plain == steps


@pytest.mark.parametrize("key", ["enter", "q", "ctrl+c"])
async def test_it_ends_with_the_bundle_whichever_key_ends_it(tmp_path: Path, key: str) -> None:
    stage = Stage(out=str(tmp_path / "bundle"))
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await written(pilot)
        await pilot.press(key)
        await until(pilot, lambda: wizard.return_value is not None)
    assert isinstance(wizard.return_value, Written)
    assert wizard.return_value.directory == str(tmp_path / "bundle")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "Nothing stands in its way"),
        (2, "did not begin"),
        (3, "applied here before"),
        (4, "not what was planned on"),
        (5, "It failed"),
        (75, "holds the lock"),
        (99, "It failed"),
    ],
)
async def test_the_dry_run_is_told_with_its_status_and_its_words(
    tmp_path: Path, status: int, words: str
) -> None:
    def ends(_directory: str, _is_enough: Callable[[], bool]) -> DryRun:
        return DryRun(status=status, lines=("first \x1b[2J line", "second line"))

    wizard = Stage(out=str(tmp_path / "bundle"), dry_run=ends).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await written(pilot)
        await pilot.press("t")
        await until(pilot, lambda: "second line" in page.reader.plain)
        assert words in page.reader.plain
        assert f"exit status {status}." in page.reader.plain
        assert "\x1b" not in page.reader.plain


async def test_a_dry_run_that_goes_on_is_stopped_and_asked_for_once(tmp_path: Path) -> None:
    begun = list[str]()
    ended = threading.Event()

    def goes_on(directory: str, is_enough: Callable[[], bool]) -> DryRun:
        begun.append(directory)
        while not is_enough():
            ended.wait(0.01)
        ended.set()
        raise BundleError("the dry run was stopped after 1 s", "Try it on the command line.")

    wizard = Stage(out=str(tmp_path / "bundle"), dry_run=goes_on).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await written(pilot)
        await pilot.press("t", "t", "v")
        await until(pilot, lambda: "has not ended" in page.message.plain)
        await pilot.press("escape")
        await until(pilot, lambda: "was stopped" in page.message.plain)
        assert begun == [str(tmp_path / "bundle")]
        await pilot.press("v")
        await until(pilot, lambda: "Change bundle for" in page.reader.plain)


async def test_leaving_stops_the_dry_run(tmp_path: Path) -> None:
    ended = threading.Event()

    def goes_on(_directory: str, is_enough: Callable[[], bool]) -> DryRun:
        while not is_enough():
            ended.wait(0.01)
        ended.set()
        raise BundleError("the dry run was stopped after 1 s")

    wizard = Stage(out=str(tmp_path / "bundle"), dry_run=goes_on).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await written(pilot)
        await pilot.press("t")
        await pilot.pause()
        await pilot.press("q")
        await until(pilot, lambda: wizard.return_value is not None)
    assert ended.wait(10)
