"""What changed since the last visit: offered where there was one, in the words of the command, and closed."""

import pytest
from textual import events
from textual.pilot import Pilot

from last_visits import AGE, last_visit, today, visited
from rehearsal import Stage, a_few, at, shown, until
from tunewiz.core.answers.machine_choice import SavedSession, ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.planning import default_answers
from tunewiz.screens.page import Page
from tunewiz.screens.since import SincePage
from tunewiz.session.record import Session
from tunewiz.text.since import since_rows
from tunewiz.wizard.last_visit import LastVisit, host_news
from tunewiz.wizard.outcome import Outcome

SMALL, LARGE = (80, 24), (120, 40)


def page_of(pilot: Pilot[Outcome]) -> SincePage:
    """The page, which must be on top."""
    page = pilot.app.screen
    assert isinstance(page, SincePage)
    return page


async def opened(pilot: Pilot[Outcome]) -> SincePage:
    await at(pilot, Step.MACHINE)
    await pilot.press("v")
    await until(pilot, lambda: isinstance(pilot.app.screen, SincePage) and bool(page_of(pilot).reader.plain))
    return page_of(pilot)


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
async def test_the_line_and_the_footer_lead_to_it(size: tuple[int, int]) -> None:
    wizard = visited().wizard()
    async with wizard.run_test(size=size) as pilot:
        await at(pilot, Step.MACHINE)
        await until(pilot, lambda: f"Since your last visit, {AGE}" in shown(wizard))
        rows = shown(wizard).splitlines()
        assert "v: all of it." in " ".join(shown(wizard).split())
        assert " v last visit " in rows[-1]
        assert " esc back " in rows[-1]
        _ = await opened(pilot)
        assert page_of(pilot).max_scroll_x == 0


async def test_it_says_what_the_command_says() -> None:
    async with visited().wizard().run_test(size=SMALL) as pilot:
        page = await opened(pilot)
        rows = since_rows(host_news(last_visit(), today(), a_few()))
        assert page.reader.plain == "\n".join(row.plain for row in rows)
        assert "New troubles and warnings (1)" in page.reader.plain
        titles = ("Applied, as it was planned (1)", "Changed (11)", "Machine and servers (3)")
        assert all(title in page.reader.plain for title in titles)
        by = "in /etc/postgresql/15/main/conf.d/90-team.conf:3"
        assert f"work_mem: 4MB -> 64MB, {by}" in page.reader.plain


async def test_it_is_read_to_its_end_and_from_its_start_again() -> None:
    async with visited().wizard().run_test(size=SMALL) as pilot:
        reader = (await opened(pilot)).reader
        assert "Machine and servers (3)" not in shown(pilot.app)
        await pilot.press("end")
        await until(pilot, lambda: "Machine and servers (3)" in shown(pilot.app))
        assert reader.scroll_offset.y == reader.max_scroll_y > 0
        await pilot.press("home")
        await until(pilot, lambda: reader.scroll_offset.y == 0)


@pytest.mark.parametrize("key", ["escape", "enter", "left", "q", "v"])
async def test_it_is_closed_and_nothing_has_changed(key: str) -> None:
    stage = visited()
    async with stage.wizard().run_test(size=SMALL) as pilot:
        _ = await opened(pilot)
        saved = stage.sessions[-1]
        await pilot.press(key)
        await at(pilot, Step.MACHINE)
        await until(pilot, lambda: " v last visit " in shown(pilot.app))
        assert stage.sessions[-1] == saved


async def test_keys_typed_ahead_open_it_scroll_it_and_close_it() -> None:
    wizard = visited().wizard()
    wizard.animation_level = "none"
    async with wizard.run_test(size=SMALL) as pilot:
        for key in ("v", "end"):
            wizard.post_message(events.Key(key, None))
        await until(pilot, lambda: isinstance(wizard.screen, SincePage) and not wizard.is_answering)
        assert page_of(pilot).reader.scroll_offset.y > 0
        for key in ("escape", "enter"):
            wizard.post_message(events.Key(key, None))
        await at(pilot, Step.SERVER)


@pytest.mark.parametrize("step", [Step.SERVER, Step.RECOMMENDATIONS, Step.REVIEW])
async def test_a_run_that_goes_on_offers_it_on_whichever_page_it_goes_on(step: Step) -> None:
    facts = today()
    session = Session(facts=facts, as_read=facts, answers=default_answers(facts, a_few()), step=step, out="x")
    stage = Stage(machine=SavedSession(""), knowledge=a_few, sessions=[session], visit=last_visit())
    async with stage.wizard().run_test(size=SMALL) as pilot:
        await at(pilot, step)
        await until(pilot, lambda: f"Since your last visit, {AGE}" in shown(pilot.app))
        page = pilot.app.screen
        assert isinstance(page, Page)
        assert "since" in {command.action for command in page.commands()}
        await pilot.press("v")
        await until(pilot, lambda: isinstance(pilot.app.screen, SincePage))
        await pilot.press("escape")
        await at(pilot, step)


@pytest.mark.parametrize("origin", ["facts.json", "nvme-server"])
async def test_a_run_for_another_machine_that_goes_on_does_not(origin: str) -> None:
    facts = today()
    answers = default_answers(facts, a_few())
    session = Session(facts=facts, as_read=facts, answers=answers, step=Step.REVIEW, out="x", origin=origin)
    stage = Stage(machine=SavedSession(""), knowledge=a_few, sessions=[session], visit=last_visit())
    async with stage.wizard().run_test(size=SMALL) as pilot:
        await at(pilot, Step.REVIEW)
        page = pilot.app.screen
        assert isinstance(page, Page)
        assert "since" not in {command.action for command in page.commands()}
        assert "last visit" not in shown(pilot.app)


@pytest.mark.parametrize(
    "stage", [Stage(), Stage(machine=ThisHost())], ids=["an example", "a host never read before"]
)
async def test_without_an_earlier_visit_nothing_offers_it(stage: Stage) -> None:
    wizard = stage.wizard()
    async with wizard.run_test(size=SMALL) as pilot:
        await at(pilot, Step.MACHINE)
        page = wizard.screen
        assert isinstance(page, Page)
        assert "last visit" not in shown(wizard)
        assert "since" not in {command.action for command in page.commands()}
        await pilot.press("v")
        await until(pilot, lambda: "No earlier run" in shown(wizard))
        assert wizard.screen is page


async def test_where_nothing_changed_it_says_so() -> None:
    stage = Stage(machine=ThisHost(), host=lambda _progress: today(), visit=LastVisit(facts=today(), age=AGE))
    async with stage.wizard().run_test(size=SMALL) as pilot:
        page = await opened(pilot)
        assert "Nothing that was known both times has changed." in page.reader.plain


async def test_it_is_found_by_name_and_has_help() -> None:
    wizard = visited().wizard()
    async with wizard.run_test(size=SMALL) as pilot:
        await at(pilot, Step.MACHINE)
        await pilot.press("f2", *"visit")
        await until(pilot, lambda: "what changed since your last visit" in shown(wizard))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(wizard.screen, SincePage))
        await pilot.press("f1")
        await until(pilot, lambda: "Help: since" in shown(wizard))
        assert "before -> now" in shown(wizard)
