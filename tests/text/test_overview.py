"""The first page of an explanation: both sides, a chart, what was seen and computed, in its width."""

import dataclasses

import pytest
from rich.cells import cell_len
from rich.text import Text

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.finding_detail import beyond_overview, in_full
from tunewiz.text.folding import UNFOLD, folded
from tunewiz.text.measured_chart import measured_of
from tunewiz.text.overview import DIVIDER, overview
from tunewiz.text.reading import numbered, section_keys, sections_of
from tunewiz.text.wrapping import hanging

WIDTHS = (57, 77, 97)


@pytest.fixture(scope="module", name="plan")
def _plan() -> Plan:
    facts, knowledge = demo_facts("z13-lpar"), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


@pytest.fixture(scope="module", name="buffers")
def _buffers(plan: Plan) -> Finding:
    return next(finding for finding in plan.findings if finding.recommendation.id == "pg.shared_buffers")


@pytest.fixture(scope="module", name="fitted")
def _fitted(buffers: Finding) -> Fitted:
    return next(fitted for fitted in buffers.evidence if "+12 %" in fitted.figure)


@pytest.mark.parametrize("width", WIDTHS)
def test_no_row_is_wider_than_the_page(plan: Plan, width: int) -> None:
    for finding in plan.findings:
        assert max(row.cell_len for row in overview(finding, plan, width)) <= width


def test_every_reason_stands_on_its_side(plan: Plan, buffers: Finding) -> None:
    rows = [row.plain for row in overview(buffers, plan, 77) if DIVIDER in row.plain]
    left = " ".join(" ".join(row.partition(DIVIDER)[0] for row in rows).split())
    right = " ".join(" ".join(row.partition(DIVIDER)[2] for row in rows).split())
    assert all(pro[1:].removesuffix(".") in left for pro in buffers.recommendation.pros)
    assert all(con[1:].removesuffix(".") in right for con in buffers.recommendation.cons)


def test_what_the_overview_leaves_out_is_below_it(plan: Plan, buffers: Finding) -> None:
    below = {row.plain for row in beyond_overview(buffers, plan)}
    whole = {row.plain for row in in_full(buffers, plan)}
    assert below < whole
    assert "What it costs" in below
    assert "Against" not in below


@pytest.mark.parametrize(
    ("figure", "percents"),
    [
        ("+12 %", (12, 12, 12)),
        ("+1.5 to +2.5 %", (2, 1.5, 2.5)),
        (
            "throughput 0.99 of that without these changes (98.8 %: 0.94 to 1.03), no difference shown",
            (-1, -6, 3),
        ),
    ],
)
def test_a_figure_is_drawn_between_its_bounds(
    fitted: Fitted, figure: str, percents: tuple[float, float, float]
) -> None:
    result = measured_of(dataclasses.replace(fitted, figure=figure))
    assert result is not None
    drawn = tuple(round(100 * (ratio - 1), 6) for ratio in (result.ratio, result.low, result.high))
    assert drawn == percents


@pytest.mark.parametrize(
    "figure",
    ["the kernel's out-of-memory killer was active at 1/2", "0 % between 1/8 and 1/4", "worst second +9 %"],
)
def test_words_and_other_quantities_are_not_drawn(fitted: Fitted, figure: str) -> None:
    assert measured_of(dataclasses.replace(fitted, figure=figure)) is None


def test_folded_every_title_is_named_once_and_nothing_else_of_the_sections(
    plan: Plan, buffers: Finding
) -> None:
    texts = numbered((*overview(buffers, plan, 77), *beyond_overview(buffers, plan)))
    lines = folded(texts)[sections_of(texts)[0] :]
    titles = " ".join(line.plain for line in lines)
    assert all(texts[place].plain in titles for place in sections_of(texts))
    assert titles.endswith(UNFOLD)
    assert folded(texts)[: -len(lines)] == texts[: sections_of(texts)[0]]
    assert all(line.cell_len <= 80 and len(hanging(line, 80)) == 1 for line in lines)


def rows_in(texts: tuple[Text, ...], width: int) -> int:
    return sum(len(hanging(text, width)) for text in texts)


@pytest.mark.parametrize("room", [18, 34, 54, 80])
def test_a_large_page_shows_every_section_that_fits_whole_and_names_the_others(
    plan: Plan, buffers: Finding, room: int
) -> None:
    texts = numbered((*overview(buffers, plan, 97), *beyond_overview(buffers, plan)))
    places = sections_of(texts)
    shown = folded(texts, room=room, width=97)
    unfolded = max(place for place in places if shown[:place] == texts[:place])
    assert unfolded == places[0] or rows_in(shown, 97) <= room
    titles = " ".join(row.plain for row in shown[unfolded:])
    assert [texts[place].plain in titles for place in places] == [place >= unfolded for place in places]
    assert rows_in(texts[: places[places.index(unfolded) + 1]], 97) + 2 > room


def test_what_fits_whole_is_not_folded(plan: Plan, buffers: Finding) -> None:
    texts = (*overview(buffers, plan, 97), *beyond_overview(buffers, plan))
    assert folded(texts, room=rows_in(texts, 97), width=97) == texts


def test_the_digits_lead_somewhere_that_can_be_read_at_80_columns(plan: Plan, buffers: Finding) -> None:
    texts = numbered((*overview(buffers, plan, 77), *beyond_overview(buffers, plan)))
    narrow = section_keys(texts, 77)
    assert narrow == "1 what 2 why 3 leave 4 costs 5 dispute 6 evidence 7 chart 8 watch 9 undo"


def test_the_digits_of_every_recommendation_fit_80_columns(plan: Plan) -> None:
    for finding in plan.findings:
        texts = numbered((*overview(finding, plan, 77), *beyond_overview(finding, plan)))
        assert cell_len(section_keys(texts, 77)) <= 77


def test_titles_stand_in_full_where_they_fit(plan: Plan, buffers: Finding) -> None:
    texts = numbered((*overview(buffers, plan, 97), *beyond_overview(buffers, plan)))
    assert section_keys(texts, 400).startswith("1 What changes  2 Why it helps  3 When to leave it alone")


def test_between_the_two_sides_there_is_a_blank_on_both_sides_of_the_line(plan: Plan) -> None:
    for finding in plan.findings:
        rows = [row.plain for row in overview(finding, plan, 77) if DIVIDER in row.plain]
        assert all(f" {DIVIDER} " in row or row.endswith(f" {DIVIDER}") for row in rows if " ─" not in row)
