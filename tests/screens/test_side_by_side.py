"""From 120 columns on the list and what is told of one stand side by side; no text is wider than 100.

The frame (top, question, rules, keys) is as wide as the terminal on every page.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.geometry import Size

from rehearsal import Stage, forward_to, shown, until
from tunewiz.core.answers.machine_choice import ExampleMachine
from tunewiz.core.answers.steps import Step
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.ascii import in_ascii
from tunewiz.core.words.finding import words_of
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.screens.finding_pane import AROUND, HIGH, WIDE, division_of
from tunewiz.screens.page import WIDEST
from tunewiz.screens.recommendations import Recommendations
from tunewiz.text.finding_beside import beside
from tunewiz.text.finding_detail import in_short
from tunewiz.text.findings import heading, rows_of
from tunewiz.tui.app import Wizard

WIDTHS = range(80, 221)
DIVIDER = "│"


@pytest.fixture(scope="module", name="plan")
def _plan() -> Plan:
    facts, knowledge = demo_facts("nvme-server"), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


@given(st.integers(1, 400), st.integers(1, 120))
def test_list_and_pane_share_the_terminal_without_overlap(columns: int, rows: int) -> None:
    place = division_of(Size(columns, rows))
    assert place.is_beside == (columns >= WIDE and rows >= HIGH)
    assert place.list_width <= min(columns, WIDEST)
    assert place.pane_width <= WIDEST
    if place.is_beside:
        assert place.list_width + 1 + place.pane_width <= columns
        assert place.pane_width >= 40


@pytest.mark.parametrize("columns", WIDTHS)
def test_no_row_is_wider_than_its_place(columns: int, plan: Plan) -> None:
    place = division_of(Size(columns, 40))
    result = [heading(plan, place.list_width - 1, everything=True)]
    result += [row.text for row in rows_of(plan, place.list_width - 1, find="", everything=True)]
    assert max(text.cell_len for text in result) < place.list_width
    for finding in plan.findings:
        rows = (
            beside(finding, plan, width=place.pane_width, height=place.pane_height, cells=place.cells)
            if place.is_beside
            else in_short(finding, plan, place.pane_width, place.pane_height)
        )
        assert len(rows) == place.pane_height
        assert max(row.cell_len for row in rows) <= place.pane_width


@pytest.mark.parametrize("rows", range(HIGH, 61, 4))
def test_beside_the_list_the_decision_and_the_memory_are_always_there(rows: int, plan: Plan) -> None:
    place = division_of(Size(WIDE, rows))
    for finding in plan.findings:
        result = beside(finding, plan, width=place.pane_width, height=place.pane_height, cells=place.cells)
        assert len(result) == rows - AROUND
        words = words_of(finding, plan.start)
        assert words.takes in result[2].plain
        assert words.risk in result[2].plain
        assert "Cache" in result[-1].plain


def test_beside_the_list_more_is_told_than_below_it(plan: Plan) -> None:
    place = division_of(Size(200, 60))
    finding = next(change for change in plan.changes if change.recommendation.id == "pg.shared_buffers")
    more = beside(finding, plan, width=place.pane_width, height=place.pane_height, cells=place.cells)
    text = " ".join(" ".join(row.plain.split()) for row in more)
    assert finding.recommendation.explanation.changes in text
    assert "… " not in text.partition("changes")[0]


def test_in_ascii_the_shades_of_the_bar_still_differ(plan: Plan) -> None:
    place = division_of(Size(160, 40))
    result = beside(
        plan.changes[0], plan, width=place.pane_width, height=place.pane_height, cells=place.cells
    )
    for row in result:
        ascii_row = in_ascii(row.plain)
        assert len(ascii_row) == row.cell_len
        assert "?" not in ascii_row or "?" in row.plain
    legend = in_ascii(" ".join(row.plain for row in result))
    assert all(mark in legend for mark in ("#Buffers", "%Work", "=Maint", ".System", "-Cache"))


@pytest.mark.parametrize(("columns", "is_beside"), [(119, False), (120, True)])
async def test_the_page_changes_its_shape_at_120_columns(columns: int, *, is_beside: bool) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(columns, 40)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        row = next(row for row in shown(wizard).split("\n") if "shared_buffers  " in row)
        assert (DIVIDER in row) == is_beside


async def test_a_terminal_that_is_resized_gets_the_other_shape_and_keeps_the_cursor() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(120, 40)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press("down", "down")
        page = wizard.screen
        assert isinstance(page, Recommendations)
        before = page.advice.key
        for columns, rows in ((80, 24), (200, 60), (100, 30)):
            await pilot.resize_terminal(columns, rows)
            await pilot.pause()
            assert page.has_class("beside") == (columns >= WIDE)
            assert page.advice.key == before
            assert page.listed.find.display is False


def inside(wizard: Wizard) -> list[str]:
    """The rows of a page within its frame."""
    _top, _question, *rows, _keys = shown(wizard).split("\n")
    return [row for row in rows if not row.startswith("───")]


@pytest.mark.parametrize(
    "step", [Step.MACHINE, Step.WORKLOAD, Step.RISK, Step.RECOMMENDATIONS, Step.REVIEW, Step.WRITE]
)
async def test_the_frame_is_the_same_on_every_page(step: Step) -> None:
    wizard = Stage(machine=ExampleMachine("small-vm")).wizard()
    async with wizard.run_test(size=(200, 60)) as pilot:
        await forward_to(pilot, step)
        for columns in (200, 160, 120, 80):
            await pilot.resize_terminal(columns, 60)
            await pilot.pause()
            top, _question, rule, *_rest = (row.rstrip() for row in shown(wizard).split("\n"))
            assert (len(top), len(rule)) == (columns - 1, columns)


@pytest.mark.parametrize(
    "step", [Step.MACHINE, Step.SERVER, Step.WORKLOAD, Step.RISK, Step.REVIEW, Step.WRITE]
)
async def test_no_page_writes_wider_than_100_columns(step: Step) -> None:
    wizard = Stage(machine=ExampleMachine("small-vm")).wizard()
    async with wizard.run_test(size=(200, 60)) as pilot:
        await forward_to(pilot, step)
        assert max(map(len, inside(wizard))) <= WIDEST


@pytest.mark.parametrize(
    ("key", "sees"), [("enter", "What changes"), ("f1", "What is asked")], ids=["explanation", "help"]
)
async def test_nothing_over_a_page_writes_wider_than_100_columns(key: str, sees: str) -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(200, 60)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        await pilot.press(key)
        await until(pilot, lambda: sees in shown(wizard))
        assert max(map(len, inside(wizard))) <= WIDEST


async def test_beside_the_list_each_half_is_at_most_100_wide() -> None:
    wizard = Stage().wizard()
    async with wizard.run_test(size=(220, 50)) as pilot:
        await forward_to(pilot, Step.RECOMMENDATIONS)
        body = [row for row in shown(wizard).split("\n") if DIVIDER in row]
        assert len(body) > 20
        assert all(row.index(DIVIDER) == WIDEST for row in body)
        assert all(len(row) <= 2 * WIDEST for row in body)
