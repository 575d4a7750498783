"""Tab completes a path where one is typed, and is what it was everywhere else."""

from pathlib import Path

import pytest
from textual.widgets import Input

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.steps import Step
from tunewiz.wizard.ports import AskMachine


@pytest.fixture(name="here", autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "machines").mkdir()
    (tmp_path / "machines" / "first.json").touch()
    (tmp_path / "machines" / "second.json").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_the_path_of_a_facts_file_is_completed() -> None:
    wizard = Stage(machine=AskMachine()).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "A facts file" in shown(wizard))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "Which facts file?" in shown(wizard))
        assert "complete it" in shown(wizard)
        field = wizard.screen.query_one(Input)
        await pilot.press("m", "tab")
        await until(pilot, lambda: field.value == "machines/")
        await pilot.press("tab", "s", "tab")
        await until(pilot, lambda: field.value == "machines/second.json")
        assert field.has_focus


async def test_the_directory_of_the_bundle_is_completed_and_an_untouched_name_stays() -> None:
    wizard = Stage(out="bundle-of-today").wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.WRITE)
        await at(pilot, Step.WRITE)
        field = wizard.screen.query_one("#out", Input)
        await pilot.press("tab")
        await pilot.pause()
        assert field.value == "bundle-of-today"
        await pilot.press("m", "tab")
        await until(pilot, lambda: field.value == "machines/")
        await pilot.press(*"new")
        await until(pilot, lambda: field.value == "machines/new")


async def test_a_question_for_a_number_completes_nothing(here: Path) -> None:
    (here / "200-and-more").touch()
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.WORKLOAD)
        page = wizard.screen
        first = page.query(Input).first()
        first.focus()
        await pilot.press("2", "0", "0", "tab")
        await until(pilot, lambda: not first.has_focus)
        assert first.value == "200"


@pytest.mark.parametrize(
    ("row", "question"), [("A facts file", "Which facts file?"), ("Many servers", "Which directory?")]
)
async def test_a_wrong_path_is_still_there_to_be_corrected(row: str, question: str, here: Path) -> None:
    (here / "empty").mkdir()
    wizard = Stage(machine=AskMachine()).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: row in shown(wizard))
        await pilot.press("down", *(["down"] if row == "Many servers" else []), "enter")
        await until(pilot, lambda: question in shown(wizard))
        await pilot.press(*"empty", "enter")
        await until(pilot, lambda: question not in shown(wizard))
        await until(pilot, lambda: "! " in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: question in shown(wizard))
        assert wizard.screen.query_one(Input).value == "empty"
