"""The page of what was observed before and after a change: the command's words, and nothing is changed."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from bench_seen_cases import SEEN
from command_line import tunewiz
from rehearsal import Stage, forward_to, shown, until
from tunewiz.commands.options import parse
from tunewiz.commands.start import start_of
from tunewiz.core.answers.steps import Step
from tunewiz.formats.records import facts_to_json
from tunewiz.screens.observed import ObservedPage
from tunewiz.screens.proving import ProvingPage
from tunewiz.screens.written import WrittenPage
from tunewiz.wizard.outcome import Outcome
from watched_windows import TUESDAY, WEEK, statements, watched

SIZE = (80, 24)
SLOW = statements({"q1": (1000, 25.0), "q2": (200, 50.0)})


def staged(tmp_path: Path) -> Stage:
    """A wizard that reads and compares real files."""
    ports = start_of(parse([])).ports
    return Stage(
        out=str(tmp_path / "bundle"),
        proving=lambda _directory: SEEN["explained"],
        windows=ports.windows,
        compare=ports.compare,
    )


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with an hour before and one after a change, a week apart."""
    (tmp_path / "before.json").write_text(facts_to_json(watched("before.json").facts))
    (tmp_path / "after.json").write_text(facts_to_json(watched("after.json", TUESDAY + WEEK, SLOW).facts))
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def opened(pilot: Pilot[Outcome], sees: str) -> ObservedPage:
    await forward_to(pilot, Step.WRITE)
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, WrittenPage))
    await pilot.press("p")
    await until(pilot, lambda: isinstance(pilot.app.screen, ProvingPage))
    await pilot.press("c")
    await until(pilot, lambda: sees in shown(pilot.app))
    page = pilot.app.screen
    assert isinstance(page, ObservedPage)
    return page


async def name(pilot: Pilot[Outcome], key: str, path: str) -> None:
    """Type a path for a side."""
    await pilot.press(key)
    await until(pilot, lambda: "take it" in shown(pilot.app))
    await pilot.press("ctrl+u", *path, "enter")


async def test_two_windows_are_compared_in_the_words_of_the_command(here: Path) -> None:
    wizard = staged(here).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await opened(pilot, "before.json  Tue 2026-11-03")
        await pilot.press("enter")
        await until(pilot, lambda: "Both sides are needed" in shown(wizard))
        await name(pilot, "b", "before.json")
        await name(pilot, "a", "after.json")
        await until(pilot, lambda: "observed, not proved\n" in page.reader.plain)
        read = page.reader.plain
    printed = tunewiz("prove", "compare", "before.json", "after.json").out
    assert "select q1" in printed
    assert printed in f"{read}\n"


async def test_the_window_of_the_bundle_and_a_later_one_are_compared_at_once(here: Path) -> None:
    (here / "bundle").mkdir()
    (here / "before.json").rename(here / "bundle/facts.json")
    stage = staged(here)
    stage.out = str(here / "another")
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        _ = wizard.push_screen(ObservedPage(str(here / "bundle")))
        await until(pilot, lambda: isinstance(wizard.screen, ObservedPage))
        page = wizard.screen
        assert isinstance(page, ObservedPage)
        await until(pilot, lambda: "observed, not proved\n" in page.reader.plain)
        assert page.sides == (str(here / "bundle/facts.json"), "after.json")


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("after.json", "before.json", "refused:\n  time: found before.json of AFTER"),
        ("before.json", "gone.json", "gone.json: cannot be read: No such file or directory"),
        ("before.json", "empty", "empty: found no file of facts (*.json), expected one or more"),
        ("before.json", "text.txt", "text.txt:"),
    ],
)
async def test_what_cannot_be_compared_is_told_in_its_place(
    here: Path, before: str, after: str, words: str
) -> None:
    (here / "empty").mkdir()
    (here / "text.txt").write_text("nothing of the kind\n")
    wizard = staged(here).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await opened(pilot, "before.json  Tue 2026-11-03")
        await name(pilot, "b", before)
        await name(pilot, "a", after)
        await until(pilot, lambda: words in page.reader.plain)
        said = tunewiz("prove", "compare", before, after).err
        for line in said.removeprefix("tunewiz: ").removeprefix("prove compare: ").splitlines():
            assert line in page.reader.plain
        await name(pilot, "b", "before.json")
        await name(pilot, "a", "after.json")
        await until(pilot, lambda: "observed, not proved\n" in page.reader.plain)


async def test_where_there_is_no_window_it_says_how_to_record_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wizard = staged(tmp_path).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await opened(pilot, "tunewiz facts --watch 1h -o FILE")


@pytest.mark.parametrize("key", ["escape", "left", "q", "c"])
async def test_each_of_its_keys_leads_back_to_the_measurement(here: Path, key: str) -> None:
    wizard = staged(here).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await opened(pilot, "before.json  Tue 2026-11-03")
        await pilot.press(key)
        await until(pilot, lambda: isinstance(wizard.screen, ProvingPage))


async def test_the_command_is_copied_once_both_sides_are_named(here: Path) -> None:
    wizard = staged(here).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        page = await opened(pilot, "before.json  Tue 2026-11-03")
        await pilot.press("y")
        await until(pilot, lambda: "no command to copy" in page.message.plain)
        await name(pilot, "b", "before.json")
        await name(pilot, "a", "after.json")
        await until(pilot, lambda: "observed, not proved\n" in page.reader.plain)
        await pilot.press("y")
        await until(pilot, lambda: "prove compare before.json after.json" in page.message.plain)
