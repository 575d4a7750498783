"""The list of recommendations, filtered and sorted: said at the top, and kept over other pages."""

from functools import partial

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.steps import Step
from tunewiz.tui.app import Wizard

SIZE = (100, 30)


def says(wizard: Wizard, words: str) -> bool:
    return words in shown(wizard)


async def test_a_filter_is_said_and_stays_over_other_pages_until_it_is_taken_away() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        assert "work_mem" in shown(wizard)
        await pilot.press("f")
        await until(pilot, lambda: "Show which?" in shown(wizard))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "filter: requires a restart" in shown(wizard))
        assert "checkpoint_timeout " not in shown(wizard)
        await pilot.press("escape")
        await at(pilot, Step.RISK)
        await pilot.press("enter")
        await at(pilot, Step.RECOMMENDATIONS)
        assert "filter: requires a restart" in shown(wizard)
        await pilot.press("f", "home", "enter")
        await until(pilot, lambda: "checkpoint_timeout " in shown(wizard))
        assert "filter:" not in shown(wizard)


async def test_sorting_goes_through_all_orders_and_back() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        at_first = shown(wizard).splitlines()[4:16]
        for order in ("impact", "risk", "name"):
            await pilot.press("s")
            await until(pilot, partial(says, wizard, f"· by {order}"))
        await pilot.press("s")
        await until(pilot, lambda: "· by " not in shown(wizard))
        assert shown(wizard).splitlines()[4:16] == at_first
