"""Arrows move, space chooses, enter goes on: who only looks around changes no answer."""

import dataclasses
from pathlib import Path

import pytest
from textual.pilot import Pilot

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.step_order import forward
from tunewiz.core.answers.steps import Step
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import demo_facts
from tunewiz.screens.form import Form
from tunewiz.screens.step_page import NOT_CHOSEN, StepPage
from tunewiz.screens.widgets.choices import Choices
from tunewiz.screens.widgets.key_bar import KeyButton
from tunewiz.screens.widgets.lines import Lines
from tunewiz.tui.app import Wizard
from tunewiz.wizard.outcome import Outcome

SIZE = (100, 36)
MOVES = ("down", "up", "end", "home", "pagedown", "pageup", "tab", "shift+tab")
OURS, THEIRS = "/srv/ours", "/srv/theirs"
REFUSED = "no pg_hba.conf entry for this host"


def two_servers() -> Facts:
    """Ours, which answers, and another team's, which does not let us in."""
    facts = demo_facts("small-vm")
    (server,) = facts.postgres
    ours = dataclasses.replace(server, data_directory=Known(OURS, "ps"), port=Known(5432, "ps"))
    theirs = dataclasses.replace(
        server,
        data_directory=Known(THEIRS, "ps"),
        port=Known(5433, "ps"),
        settings=Unknown(REFUSED),
        activity=Unknown(REFUSED),
    )
    return dataclasses.replace(facts, postgres=(ours, theirs))


def stage() -> Stage:
    facts = two_servers()
    return Stage(machine=ThisHost(), host=lambda _progress: facts)


def page(wizard: Wizard) -> StepPage:
    shown_now = wizard.screen
    assert isinstance(shown_now, StepPage)
    return shown_now


async def to_the_servers(pilot: Pilot[Outcome]) -> None:
    await at(pilot, Step.MACHINE)
    await pilot.press("enter")
    await at(pilot, Step.SERVER)


def under_cursor(wizard: Wizard) -> str:
    """The row with the cursor, if it is on the screen."""
    return next((row for row in shown(wizard).splitlines() if row.startswith("▸")), "")


def given(wizard: Wizard) -> Answers:
    """What the page would say if it were left now."""
    form = wizard.screen
    assert isinstance(form, Form)
    return form.answers()


@pytest.mark.parametrize("step", [Step.SERVER, Step.WORKLOAD, Step.RISK])
async def test_moving_answers_nothing(step: Step) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        before = given(wizard)
        for key in MOVES:
            await pilot.press(*([key] * 4))
            assert given(wizard) == before, key


async def test_moving_over_the_servers_plans_for_no_other() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        before = given(wizard)
        await pilot.press("down", "down", "down", "down", "down", "down", "down", "down", "end", "up")
        assert given(wizard) == before


async def test_a_server_that_is_chosen_is_named() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        await pilot.press("down", "space")
        await until(pilot, lambda: "The plan is now for" in shown(wizard))
        assert given(wizard).server.data_directory == THEIRS
        assert page(wizard).STEP is Step.SERVER


async def test_enter_goes_on_with_the_chosen_server() -> None:
    here = stage()
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        await pilot.press("down", "space", "enter")
        await at(pilot, Step.WORKLOAD)
        planned = page(wizard).journey.plan.start.server
        assert isinstance(planned, PostgresServer)
        assert planned.data_directory == Known(THEIRS, "ps")


@pytest.mark.parametrize("step", [Step.SERVER, Step.WORKLOAD, Step.RISK])
async def test_enter_on_a_row_that_is_not_chosen_goes_on_and_chooses_nothing(step: Step) -> None:
    here = stage()
    wizard = here.wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        before = given(wizard)
        await pilot.press("down")
        await until(pilot, lambda: NOT_CHOSEN in shown(wizard))
        await pilot.press("enter")
        await at(pilot, forward(step, demo_facts("small-vm")))
        assert page(wizard).journey.answers == before


async def test_keys_are_not_told_on_the_chosen_row() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RISK)
        await pilot.press("down")
        await until(pilot, lambda: NOT_CHOSEN in shown(wizard))
        await pilot.press("space")
        await until(pilot, lambda: NOT_CHOSEN not in shown(wizard))


@pytest.mark.parametrize("key", ["down", "tab"])
@pytest.mark.parametrize("step", [Step.WORKLOAD, Step.RISK])
async def test_below_the_choices_the_chosen_one_is_described(step: Step, key: str) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, step)
        of_chosen = page(wizard).query_one("#about", Lines).plain
        await pilot.press("end")
        await until(pilot, lambda: page(wizard).query_one("#about", Lines).plain != of_chosen)
        await pilot.press(key)
        await until(pilot, lambda: not isinstance(wizard.focused, Choices))
        assert page(wizard).query_one("#about", Lines).plain == of_chosen
        assert NOT_CHOSEN not in shown(wizard)


async def test_help_over_the_page_leaves_the_cursor_where_it_was() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WORKLOAD)
        await pilot.press("end")
        of_last = page(wizard).query_one("#about", Lines).plain
        await pilot.press("f1", "escape")
        await at(pilot, Step.WORKLOAD)
        assert page(wizard).query_one("#about", Lines).plain == of_last


async def test_home_and_end_bring_the_cursor_into_view() -> None:
    facts = two_servers()
    many = dataclasses.replace(
        facts,
        postgres=tuple(
            dataclasses.replace(facts.postgres[0], data_directory=Known(f"/srv/{number}", "ps"))
            for number in range(30)
        ),
    )
    wizard = Stage(machine=ThisHost(), host=lambda _progress: many).wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await to_the_servers(pilot)
        await pilot.press("end")
        await until(pilot, lambda: "/srv/29" in under_cursor(wizard))
        await pilot.press("home")
        await until(pilot, lambda: "/srv/0" in under_cursor(wizard))


async def test_nothing_wraps_at_the_ends() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        first = wizard.focused
        await pilot.press("up", "up")
        assert wizard.focused is first
        await pilot.press(*(["down"] * 20))
        last = wizard.focused
        assert last is not first
        await pilot.press("down")
        assert wizard.focused is last


async def test_what_is_shown_is_of_the_server_under_the_cursor() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        assert "What this server counted" in shown(wizard)
        assert REFUSED not in shown(wizard)
        await pilot.press("down")
        await until(pilot, lambda: f"Its settings were not read ({REFUSED})" in shown(wizard))
        assert "What this server counted" not in shown(wizard)
        await pilot.press("up")
        await until(pilot, lambda: "What this server counted" in shown(wizard))


async def test_w_says_why_the_server_under_the_cursor_cannot_be_watched() -> None:
    wizard = stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await to_the_servers(pilot)
        await until(pilot, lambda: "nobody watches here" in shown(wizard))
        await pilot.press("down", "w")
        await until(pilot, lambda: f"Nothing can be watched here: {REFUSED}" in shown(wizard))


@pytest.mark.parametrize("downs", range(1, 6))
async def test_a_page_that_is_shown_again_has_the_focus_on_a_field(downs: int, tmp_path: Path) -> None:
    wizard = Stage(out=str(tmp_path / "bundle")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.WRITE)
        assert not isinstance(wizard.focused, KeyButton)
        await pilot.press(*["down"] * downs, "escape")
        await at(pilot, Step.REVIEW)
        await pilot.press("enter")
        await at(pilot, Step.WRITE)
        assert not isinstance(wizard.focused, KeyButton)
        await pilot.press("enter")
        await until(
            pilot, lambda: "Leave tunewiz?" in shown(wizard) or not isinstance(wizard.screen, StepPage)
        )
        assert "Leave tunewiz?" not in shown(wizard)
