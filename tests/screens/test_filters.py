"""The list of recommendations, filtered and sorted: said at the top, and kept over other pages."""

from functools import partial

from rehearsal import Stage, at, forward_to, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine
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
            await until(pilot, partial(says, wizard, f"Sorted by {order}."))
            await pilot.press("home")
            await until(pilot, partial(says, wizard, f"All, by {order}"))
        await pilot.press("s", "home")
        await until(pilot, lambda: shown(wizard).splitlines()[4:16] == at_first)


async def test_sorting_shows_the_first_of_the_new_order() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press(*["down"] * 20, "s", "s")
        await until(pilot, lambda: "Sorted by risk." in shown(wizard))
        rows = shown(wizard).splitlines()
        assert rows[4].strip() == "All, by risk"
        assert rows[5].startswith("▸")
        assert " med " in rows[5]


async def test_a_row_that_a_filter_hides_has_the_cursor_again_without_the_filter() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press(*["down"] * 5)
        before = under_cursor(wizard)
        await pilot.press("f")
        await until(pilot, lambda: "Show which?" in shown(wizard))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "filter: requires a restart" in shown(wizard))
        assert under_cursor(wizard) != before
        await pilot.press("f", "home", "enter")
        await until(pilot, lambda: "filter:" not in shown(wizard))
        assert under_cursor(wizard) == before


async def test_after_a_move_the_cursor_stays_where_it_was_moved_to() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press(*["down"] * 5, "f", "down", "enter")
        await until(pilot, lambda: "filter: requires a restart" in shown(wizard))
        await pilot.press("home", "down")
        moved = under_cursor(wizard)
        await pilot.press("f", "home", "enter")
        await until(pilot, lambda: "filter:" not in shown(wizard))
        assert under_cursor(wizard) == moved


async def test_undo_and_redo_leave_the_cursor_where_it_was() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press(*["down"] * 14)
        before = under_cursor(wizard)
        await pilot.press("space")
        await until(pilot, lambda: under_cursor(wizard)[1:4] != before[1:4])
        declined = under_cursor(wizard)
        await pilot.press("u")
        await until(pilot, lambda: "Undone: " in shown(wizard))
        assert under_cursor(wizard) == before
        await pilot.press("U")
        await until(pilot, lambda: "Redone: " in shown(wizard))
        assert under_cursor(wizard) == declined


def under_cursor(wizard: Wizard) -> str:
    """The row with the cursor."""
    row = next((row for row in shown(wizard).splitlines() if row.startswith("▸")), "")
    return row.rstrip("↑↓ ")


async def test_at_80_columns_the_last_line_says_filter_and_order_where_the_top_has_no_room() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(80, 24)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("f")
        await until(pilot, lambda: "Show which?" in shown(wizard))
        await pilot.press("down", "enter", "s")
        await until(pilot, lambda: "Sorted by impact." in shown(wizard))
        await pilot.press("end")
        await until(pilot, lambda: "Filter: requires a restart, by impact." in shown(wizard))
        assert "Requires a restart, by impact" in shown(wizard)
        assert "left alone" not in shown(wizard)


async def test_the_last_line_never_names_an_order_that_the_list_has_not() -> None:
    wizard = Stage(machine=ExampleMachine("nvme-server")).wizard()
    async with wizard.run_test(size=SIZE) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS, "nvme-server")
        await pilot.press("s", "s", "s", "down")
        await until(pilot, lambda: "Sorted by name. a shows" in shown(wizard))
        assert "subject and effect" not in shown(wizard)
