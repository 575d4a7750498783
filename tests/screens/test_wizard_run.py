"""Whole runs of the wizard by keyboard, from a recorded machine to a bundle."""

import dataclasses
import json
from pathlib import Path

import pytest

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.answers import Accepted, Refused, Replaced
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.server_here import ServerHere
from tunewiz.core.values.known import Known, known_or
from tunewiz.knowledge.loading import demo_facts
from tunewiz.screens.recommendations import Recommendations
from tunewiz.wizard.last_visit import LastVisit
from tunewiz.wizard.outcome import Dropped, Kept, Written
from tunewiz.wizard.ports import AskMachine

SIZE = (80, 24)


async def test_a_run_from_the_first_page_ends_in_a_bundle(tmp_path: Path) -> None:
    stage = Stage(machine=AskMachine(), out=str(tmp_path / "bundle"))
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.WELCOME)
        await pilot.press("enter")
        for step in (Step.MACHINE, Step.SERVER, Step.WORKLOAD, Step.RISK):
            await at(pilot, step)
            await pilot.press("enter")
        await at(pilot, Step.RECOMMENDATIONS)
        await pilot.press("right")
        await at(pilot, Step.REVIEW)
        await pilot.press("enter")
        await at(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: "What next?" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert isinstance(wizard.return_value, Written)
    assert (tmp_path / "bundle" / "apply.sh").is_file()
    document = json.loads((tmp_path / "bundle" / "plan.json").read_text())
    assert any(recommendation["state"] == "change" for recommendation in document["recommendations"])
    assert wizard.return_code == 0


async def test_back_and_forth_changes_no_answer() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        before = stage.sessions[-1].answers
        for step in (Step.SERVER, Step.WORKLOAD, Step.RISK, Step.RECOMMENDATIONS):
            await pilot.press("enter")
            await at(pilot, step)
        for step in (Step.RISK, Step.WORKLOAD, Step.SERVER, Step.MACHINE):
            await pilot.press("escape")
            await at(pilot, step)
        assert stage.sessions[-1].answers == before


async def test_what_is_typed_reaches_the_plan() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.SERVER)
        await pilot.press("tab", "down", "down", "space", "enter")
        await at(pilot, Step.WORKLOAD)
        await pilot.press("down", "space", "tab", *["backspace"] * 3, "4", "0", "enter")
        await at(pilot, Step.RISK)
        await pilot.press("tab", "space", "enter")
        await at(pilot, Step.RECOMMENDATIONS)
        answers = stage.sessions[-1].answers
    assert (answers.workload.kind, answers.workload.connections) == ("read_mostly", 40)
    assert answers.server.storage == "ssd"
    assert answers.risk.restart is False


async def test_a_number_that_is_none_is_refused_on_the_page_and_kept_in_its_field() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WORKLOAD)
        await pilot.press("tab", "x", "enter")
        await pilot.pause()
        assert "connections: expected a whole number such as 200, found 'x'" in shown(wizard)
        await pilot.press("escape")
        await at(pilot, Step.SERVER)
        assert stage.sessions[-1].answers.workload.connections == 100
        await pilot.press("enter")
        await at(pilot, Step.WORKLOAD)
        assert "Connections at the peak  x " in shown(wizard)


async def test_ten_to_the_eighteen_connections_are_refused() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WORKLOAD)
        await pilot.press("tab", "1", *["0"] * 18, "enter")
        await pilot.pause()
        assert "connections: expected 1 to 262143, found 1000000000000000000" in shown(wizard)


async def test_decline_accept_value_and_note_are_kept() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        page = wizard.screen
        assert isinstance(page, Recommendations)
        first = page.advice.key
        await pilot.press("space")
        await until(pilot, lambda: stage.sessions[-1].answers.decisions.get(first) == Refused())
        await pilot.press("space")
        await until(pilot, lambda: stage.sessions[-1].answers.decisions.get(first) == Accepted())
        await pilot.press("n", "o", "k", "enter")
        await until(pilot, lambda: stage.sessions[-1].answers.decisions.get(first) == Accepted(note="ok"))
        await pilot.press("/", *"work_mem", "enter", "home")
        await until(pilot, lambda: page.advice.key == "pg.maintenance_work_mem")
        await pilot.press("e", *["backspace"] * 8, *"1GB", "enter")
        await until(
            pilot,
            lambda: (
                stage.sessions[-1].answers.decisions.get("pg.maintenance_work_mem") == Replaced(value="1GB")
            ),
        )


async def test_a_value_that_the_setting_does_not_take_is_refused_before_it_is_taken() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("e", *["backspace"] * 6, *"1kB", "enter")
        await pilot.pause()
        assert "shared_buffers: expected at least 128kB, found '1kB'" in " ".join(shown(wizard).split())
        await pilot.press("escape")
        await pilot.pause()
        assert stage.sessions[-1].answers.decisions == {}


@pytest.mark.slow
async def test_a_bundle_that_cannot_be_written_is_a_message_and_nothing_is_lost(tmp_path: Path) -> None:
    stage = Stage(out="/nowhere/at/all", refuses_to_write="no space left on device")
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        await pilot.press("enter")
        await until(pilot, lambda: "no space left on device" in shown(wizard))
        stage.refuses_to_write = ""
        await pilot.press("ctrl+u", *str(tmp_path / "again"), "enter")
        await until(pilot, lambda: "What next?" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert (tmp_path / "again" / "apply.sh").is_file()


async def test_leaving_is_asked_and_escape_stays() -> None:
    stage = Stage(machine=ThisHost())
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("q")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))
        await pilot.press("escape")
        await at(pilot, Step.MACHINE)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert wizard.return_value == Kept()
    assert stage.sessions


async def test_leaving_and_forgetting_is_offered_too() -> None:
    stage = Stage(machine=ThisHost())
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("q", "down", "enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert wizard.return_value == Dropped()


async def test_an_example_in_which_nothing_was_chosen_leaves_nothing_to_come_back_to() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("q")
        await until(pilot, lambda: "Leave tunewiz?" in shown(wizard))
        assert "--resume" not in shown(wizard)
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert wizard.return_value == Dropped()


async def test_an_example_in_which_something_was_chosen_is_kept() -> None:
    stage = Stage()
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("space", "q")
        await until(pilot, lambda: "--resume" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert wizard.return_value == Kept()
    assert stage.sessions[-1].changes > 0
    assert not stage.sessions[-1].is_worthless


async def test_on_a_known_host_the_first_page_after_reading_says_what_changed_since() -> None:
    stage = Stage(machine=ThisHost(), visit=LastVisit(facts=demo_facts("small-vm"), age="12 days ago"))
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await at(pilot, Step.MACHINE)
        await until(pilot, lambda: "Last visit 12 days ago" in shown(wizard))


async def test_a_server_that_is_chosen_on_the_first_page_is_planned_for_first() -> None:
    second = "/srv/pg16"
    one = demo_facts("small-vm")
    (server,) = one.postgres
    other = dataclasses.replace(server, data_directory=Known(second, "/proc"), port=Known(5433, "/proc"))
    facts = dataclasses.replace(one, postgres=(server, other))
    here = ServerHere(version="16", port="5433", directory=second, size=None, is_running=True)
    stage = Stage(machine=AskMachine(), host=lambda _progress: facts, servers=(here,))
    wizard = stage.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: second in shown(wizard))
        await pilot.press("down", "enter")
        await at(pilot, Step.MACHINE)
        assert known_or(stage.sessions[-1].facts.postgres[0].data_directory, "") == second


async def test_examples_are_listed_once_they_are_wanted() -> None:
    wizard = Stage(machine=AskMachine()).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "enter shows them" in shown(wizard))
        assert "z13-lpar" not in shown(wizard)
        await pilot.press("G", "enter")
        await until(pilot, lambda: "enter folds them" in shown(wizard))
        await pilot.press("down", "enter")
        await at(pilot, Step.MACHINE)
    assert wizard.return_value is None
