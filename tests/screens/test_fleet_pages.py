"""Many servers in the wizard: from a directory of facts to the written project, and its rollout."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from textual.pilot import Pilot

from command_line import tunewiz
from rehearsal import Stage, shown, until
from small_fleets import write_host
from tunewiz.core.recommendation.examples import Given
from tunewiz.screens.fleet import FleetPage
from tunewiz.screens.fleet_group import GroupPage
from tunewiz.screens.rollout import RolloutPage
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import FleetWritten, Kept, Outcome
from tunewiz.wizard.ports import AskMachine, WizardStart

SIZE = (80, 24)


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four hosts of one group, another major, and a file that is cut."""
    directory = tmp_path / "facts"
    directory.mkdir()
    for number, memory in enumerate(("64GB", "96GB", "96GB", "64GB")):
        write_host(directory, f"db{number}", Given(memory=memory))
    write_host(directory, "rep0", Given(memory="64GB", major="16"))
    (directory / "cut.json").write_text('{"schema": 1,')
    monkeypatch.chdir(tmp_path)
    return directory


def wizard_of(fleet: str, answers: str = "", stage: Stage | None = None) -> Wizard:
    ports = (stage or Stage()).ports()
    return Wizard(WizardStart(ports=ports, machine=AskMachine(), fleet=fleet, fleet_answers=answers))


def resumed(stage: Stage) -> Wizard:
    """As `--resume` starts it."""
    saved = stage.fleets[-1]
    start = WizardStart(ports=stage.ports(), machine=AskMachine(), fleet=saved.place, fleet_session=saved)
    return Wizard(start)


async def planned(pilot: Pilot[Outcome]) -> FleetPage:
    """Wait until the groups are shown."""
    await until(pilot, lambda: " in " in shown(pilot.app) and "group" in shown(pilot.app))
    page = pilot.app.screen
    assert isinstance(page, FleetPage)
    return page


async def on_group(pilot: Pilot[Outcome]) -> GroupPage:
    """Open the group under the cursor."""
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, GroupPage) and "[x]" in shown(pilot.app))
    page = pilot.app.screen
    assert isinstance(page, GroupPage)
    return page


async def written(pilot: Pilot[Outcome]) -> None:
    """Write the project to the directory that is proposed."""
    await pilot.press("w")
    await until(pilot, lambda: "Where should" in shown(pilot.app))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, RolloutPage) and "waiting" in shown(pilot.app))


PROJECT = "rollout-2026-11-21"


async def test_what_is_decided_for_a_group_is_in_every_bundle_of_it(facts: Path, tmp_path: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        assert "5 hosts in 2 groups · 1 host not planned" in shown(wizard)
        page = await on_group(pilot)
        assert "shared_buffers" in shown(wizard)
        await pilot.press("space")
        await until(pilot, lambda: "[-]" in shown(wizard))
        assert page.journey.name == "db0"
        await pilot.press("escape")
        await planned(pilot)
        await until(pilot, lambda: "again" not in shown(wizard))
        await written(pilot)
        await pilot.press("q")
        await until(pilot, lambda: wizard.return_value is not None)
    assert isinstance(wizard.return_value, FleetWritten)
    assert wizard.return_value.directory == PROJECT
    for number in range(4):
        plan = json.loads((tmp_path / PROJECT / "bundles" / f"db{number}" / "plan.json").read_text())
        state = {value["id"]: value["state"] for value in plan["recommendations"]}
        assert state["pg.shared_buffers"] == "declined"
    other = json.loads((tmp_path / PROJECT / "bundles" / "rep0" / "plan.json").read_text())
    assert {value["id"]: value["state"] for value in other["recommendations"]}[
        "pg.shared_buffers"
    ] == "change"
    assert not (tmp_path / PROJECT / "bundles" / "cut").exists()


async def test_the_answers_that_are_written_make_the_same_project_again(facts: Path, tmp_path: Path) -> None:
    answers = tmp_path / "default.toml"
    answers.write_text('schema = 1\n[decisions]\n"pg.jit" = { decline = true }\n')
    wizard = wizard_of(str(facts), str(answers))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("down", "space")
        await until(pilot, lambda: "[-]" in shown(wizard))
        await pilot.press("escape")
        await planned(pilot)
        await until(pilot, lambda: "again" not in shown(wizard))
        await written(pilot)
    one = tmp_path / PROJECT
    again = tunewiz("fleet", "write", facts, "--answers", one / "answers", "-o", tmp_path / "again")
    assert again.status == 1  # the file that is cut
    assert contents(tmp_path / "again") == contents(one)


def contents(directory: Path) -> Mapping[str, bytes]:
    """All files but those of the answers, whose names and grouping are free."""
    files = (path for path in directory.rglob("*") if path.is_file())
    return {
        str(file.relative_to(directory)): file.read_bytes()
        for file in files
        if file.relative_to(directory).parts[0] != "answers"
    }


async def test_leaving_a_group_without_a_decision_plans_nothing_again(facts: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("space", "u", "escape")
        page = await planned(pilot)
        await pilot.pause()
        assert "Planning" not in shown(wizard)
        assert page.groups.key == "group pg15-1"


async def test_a_host_that_could_not_be_read_is_told_in_full(facts: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        page = await planned(pilot)
        await pilot.press("end")
        await until(pilot, lambda: "cut.json: not valid JSON" in page.pane.plain)
        await pilot.press("enter")
        await until(pilot, lambda: "row is not a group" in shown(wizard))
        assert isinstance(wizard.screen, FleetPage)


async def test_the_review_of_a_group_is_the_one_that_is_written(facts: Path, tmp_path: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("right")
        await until(pilot, lambda: "Group pg15-1: 4 hosts with the same decisions" in shown(wizard))
        await pilot.press("escape", "escape")
        await planned(pilot)
        await written(pilot)
    review = (tmp_path / PROJECT / "REVIEW-pg15-1.md").read_text()
    assert "# Group pg15-1: 4 hosts with the same decisions" in review


async def test_stopping_keeps_nothing_and_leads_back_to_the_first_page(facts: Path, tmp_path: Path) -> None:
    for number in range(10, 40):
        write_host(facts, f"db{number}")
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(wizard.screen, FleetPage))
        await pilot.press("escape")
        await until(pilot, lambda: "Which machine" in shown(wizard))
    assert not (tmp_path / PROJECT).exists()


async def test_a_directory_without_facts_is_told_on_the_first_page(tmp_path: Path) -> None:
    wizard = wizard_of(str(tmp_path))
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "found no file of facts" in " ".join(shown(wizard).split()))
        assert "Which machine" in shown(wizard)


@pytest.mark.usefixtures("facts")
async def test_the_first_page_leads_to_the_groups_and_escape_back() -> None:
    wizard = Wizard(WizardStart(ports=Stage().ports(), machine=AskMachine()))
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Many servers" in shown(wizard))
        await pilot.press("down", "down", "enter")
        await until(pilot, lambda: "Which directory?" in shown(wizard))
        await pilot.press(*"facts", "enter")
        await planned(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: "Which machine" in shown(wizard))


async def test_a_rollout_is_read_again_while_it_goes_on(facts: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    answers = tmp_path / "answers.toml"
    answers.write_text("schema = 1\n")
    tunewiz("fleet", "write", facts, "--answers", answers, "-o", project)
    records = project / "ansible/rollout"
    records.mkdir()
    wizard = wizard_of(str(project))
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "5 waiting" in shown(wizard))
        (records / "db0").write_text("1795512000 began\n1795512010 applied\n1795512020 verified\n")
        page = wizard.screen
        assert isinstance(page, RolloutPage)
        page._look()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - else it waits for two seconds
        await until(pilot, lambda: "1 under way · 4 waiting" in shown(wizard))
        (records / "db0").write_text("1795512000 began\n1795512010 applied\n1795512020 not-verified\n")
        (project / "ansible/failed").mkdir()
        (project / "ansible/failed/db0").write_text("work_mem: planned 64MB, running 4MB\n")
        page._look()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - as above
        await until(pilot, lambda: "1 failed" in shown(wizard))
        assert "verify.sh found a difference" in shown(wizard)
        await pilot.press("n", "enter")
        await until(pilot, lambda: "work_mem: planned 64MB" in shown(wizard))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "Which machine" in shown(wizard))


async def test_decisions_are_saved_as_they_are_made_and_resumed(facts: Path) -> None:
    stage = Stage()
    wizard = wizard_of(str(facts), stage=stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await until(pilot, lambda: "many servers · saved" in shown(wizard))
        page = await on_group(pilot)
        await pilot.press("space")
        await until(pilot, lambda: bool(stage.fleets[-1].own))
        assert "values of db0 · saved" in shown(wizard)
        decided = page.journey.answers.decisions.keys()
    # The connection was lost on the page of the group.
    assert stage.fleets[-1].own.keys() == {"db0", "db1", "db2", "db3"}
    assert stage.fleets[-1].own["db0"].keys() == decided
    saves = len(stage.fleets)
    wizard = resumed(stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        assert "not taken over" not in shown(wizard)
        page = await on_group(pilot)
        assert "[-]" in shown(wizard)
        assert page.journey.answers.decisions.keys() == decided
    assert len(stage.fleets) == saves


async def test_what_was_taken_back_is_not_saved(facts: Path) -> None:
    stage = Stage()
    wizard = wizard_of(str(facts), stage=stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("space")
        await until(pilot, lambda: bool(stage.fleets[-1].own))
        await pilot.press("u")
        await until(pilot, lambda: not stage.fleets[-1].own)


async def test_a_host_that_changed_since_is_named_and_gets_no_decision(facts: Path, tmp_path: Path) -> None:
    stage = Stage()
    wizard = wizard_of(str(facts), stage=stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("space", "escape")
        await planned(pilot)
        await until(pilot, lambda: "again" not in shown(wizard))
    write_host(facts, "db1", Given(memory="80GB"))
    (facts / "db2.json").unlink()
    wizard = resumed(stage)
    async with wizard.run_test(size=SIZE) as pilot:
        page = await planned(pilot)
        await until(pilot, lambda: "Your decisions for 2 hosts were not taken over" in shown(wizard))
        assert "Since this was saved" in shown(wizard)
        await pilot.press("down", "down", "down")
        await until(pilot, lambda: "facts or answers changed: db1. Your" in page.pane.plain)
        await pilot.press("down")
        await until(pilot, lambda: "no facts any more: db2. Your decisions for it" in page.pane.plain)
        await pilot.press("home")
        await written(pilot)
    states = {
        host: {load["id"]: load["state"] for load in json.loads(plan.read_text())["recommendations"]}
        for host in ("db0", "db1", "db3")
        for plan in [tmp_path / PROJECT / "bundles" / host / "plan.json"]
    }
    assert {host: state["pg.shared_buffers"] for host, state in states.items()} == {
        "db0": "declined",
        "db1": "change",
        "db3": "declined",
    }


async def test_the_first_page_offers_to_continue_with_the_groups(facts: Path) -> None:
    stage = Stage()
    async with wizard_of(str(facts), stage=stage).run_test(size=SIZE) as pilot:
        await planned(pilot)
        await until(pilot, lambda: bool(stage.fleets))
    wizard = Wizard(WizardStart(ports=stage.ports(), machine=AskMachine()))
    async with wizard.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "13 changes · 12 min ago" in shown(wizard))
        await pilot.press("enter")
        await planned(pilot)


async def test_leaving_keeps_the_session_and_discarding_is_offered(facts: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await pilot.press("q")
        await until(pilot, lambda: "Leave and discard" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: wizard.return_value is not None)
    assert isinstance(wizard.return_value, Kept)


async def test_a_decision_after_the_project_was_written_is_asked_about_before_it_is_left(facts: Path) -> None:
    wizard = wizard_of(str(facts))
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await written(pilot)
        await pilot.press("escape")
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("space", "q")
        await until(pilot, lambda: "Leave and discard" in shown(wizard))


async def test_a_decision_that_one_host_refuses_is_not_kept(facts: Path) -> None:
    stage = Stage()
    wizard = wizard_of(str(facts), stage=stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await on_group(pilot)
        await pilot.press("space")
        await until(pilot, lambda: bool(stage.fleets[-1].own))
        (facts / "db3.json").write_text("{}")
        await pilot.press("escape")
        await until(pilot, lambda: "Nothing was changed for the group" in shown(wizard))
        await until(pilot, lambda: not stage.fleets[-1].own)


async def test_a_full_disk_is_told_and_the_groups_go_on(facts: Path) -> None:
    stage = Stage(disk_full=True)
    wizard = wizard_of(str(facts), stage=stage)
    async with wizard.run_test(size=SIZE) as pilot:
        await planned(pilot)
        await until(pilot, lambda: "Your answers are not being saved: no space left" in shown(wizard))
        assert "NOT SAVED" in shown(wizard)
        await on_group(pilot)
