"""Filters and orders of the list: no finding is lost or shown twice, and each is where it was asked for."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.answers.answers import Accepted
from tunewiz.core.planning.decisions import is_open, noted
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import Effect
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.arrangement import (
    AS_USUAL,
    ORDERS,
    SHOWN,
    Arrangement,
    choices,
    is_mine,
    next_order,
)
from tunewiz.text.findings import Widths, rows_of

arrangements = st.builds(Arrangement, shown=st.sampled_from(SHOWN), order=st.sampled_from(ORDERS))


def plan_of(machine: str) -> Plan:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


PLANS = {name: plan_of(name) for name in demo_names()}


def ids(findings: Iterable[Finding]) -> set[str]:
    return {finding.recommendation.id for finding in findings}


def keys(plan: Plan, arrangement: Arrangement, *, everything: bool = True) -> list[str]:
    rows = rows_of(plan, 120, find="", everything=everything, arrangement=arrangement)
    return [row.key for row in rows if row.key]


@given(st.sampled_from(sorted(PLANS)), arrangements)
def test_no_order_loses_a_finding_or_shows_it_twice(machine: str, arrangement: Arrangement) -> None:
    plan = PLANS[machine]
    shown = [finding.recommendation.id for finding in arrangement.of(plan.findings)]
    assert len(shown) == len({*shown})
    assert sorted(keys(plan, arrangement)) == sorted(shown)
    by_subject = Arrangement(shown=arrangement.shown)
    assert sorted(shown) == sorted(finding.recommendation.id for finding in by_subject.of(plan.findings))


@pytest.mark.parametrize("machine", demo_names())
def test_as_usual_everything_is_there(machine: str) -> None:
    plan = PLANS[machine]
    assert {*keys(plan, AS_USUAL)} == {finding.recommendation.id for finding in plan.findings}
    assert AS_USUAL.in_words == ""


@pytest.mark.parametrize("machine", demo_names())
def test_each_filter_shows_what_it_says_and_all_of_it(machine: str) -> None:
    findings = PLANS[machine].findings
    opened = [finding for finding in findings if is_open(finding)]
    restart = Arrangement(shown="restart").of(findings)
    assert ids(restart) == ids(finding for finding in opened if finding.takes_effect is Effect.RESTART)
    undecided = Arrangement(shown="undecided").of(findings)
    assert ids(undecided) == ids(finding for finding in opened if not finding.changes)
    assert Arrangement(shown="mine").of(findings) == ()
    assert choices(findings)[0].about == str(len(findings))


def test_what_a_person_decided_is_theirs() -> None:
    facts, knowledge = demo_facts("nvme-server"), load_knowledge()
    answers = default_answers(facts, knowledge)
    first = next(finding for finding in PLANS["nvme-server"].findings if is_open(finding))
    decided = make_plan(facts, noted(first, "agreed", answers), knowledge)
    (mine,) = Arrangement(shown="mine").of(decided.findings)
    assert mine.recommendation.id == first.recommendation.id
    assert is_mine(mine)
    assert isinstance(mine.decision, Accepted) or not first.changes


def test_by_name_means_the_alphabet_and_by_risk_the_riskiest_first() -> None:
    findings = PLANS["nvme-server"].findings
    risks = [finding.recommendation.risk.value for finding in Arrangement(order="risk").of(findings)]
    assert risks == sorted(risks, key=["high", "medium", "low"].index)


def test_the_orders_come_round() -> None:
    order = AS_USUAL.order
    for _ in ORDERS:
        order = next_order(order)
    assert order == AS_USUAL.order


@pytest.mark.parametrize("width", [79, 89, 99])
@pytest.mark.parametrize("machine", demo_names())
def test_no_name_is_cut_while_a_column_has_cells_to_spare(machine: str, width: int) -> None:
    plan = PLANS[machine]
    columns = Widths.fitted(plan, width, everything=False)
    rows = [row.text.plain[5:] for row in rows_of(plan, width, find="", everything=False) if row.key]
    if any("…" in row[: columns.name] for row in rows):
        begin = columns.name + columns.now
        assert max(len(row[columns.name : begin].rstrip()) for row in rows) == columns.now - 1
        assert max(len(row[begin : begin + columns.then].rstrip()) for row in rows) == columns.then - 1


@pytest.mark.parametrize("machine", demo_names())
def test_on_a_wide_terminal_every_setting_has_its_whole_name(machine: str) -> None:
    plan = PLANS[machine]
    columns = Widths.fitted(plan, 99, everything=False)
    for row in rows_of(plan, 99, find="", everything=False):
        assert "…" not in row.text.plain[: 5 + columns.name]


@pytest.mark.parametrize("machine", demo_names())
def test_by_risk_no_row_is_riskier_than_the_one_above(machine: str) -> None:
    shown = Arrangement(order="risk").of(PLANS[machine].findings)
    risks = [["high", "medium", "low"].index(finding.recommendation.risk.value) for finding in shown]
    assert risks == sorted(risks)


@given(arrangements)
def test_the_hint_fits_80_columns_and_says_the_filter_or_the_order_that_is_shown(
    arrangement: Arrangement,
) -> None:
    hint = arrangement.hint(117)
    assert len(hint) < 80
    named = "subject" if arrangement.order == "subject" else arrangement.order
    if arrangement.shown == "all":
        assert hint.startswith(f"Sorted by {named}")
        assert "117" in hint
    else:
        assert hint.startswith("Filter: ")
        assert "117" not in hint
        assert (f"by {arrangement.order}" in hint) == (arrangement.order != "subject")


def test_one_list_of_a_filter_is_headed_by_it_not_by_all() -> None:
    plan = PLANS["nvme-server"]
    rows = rows_of(
        plan, 120, find="", everything=False, arrangement=Arrangement(shown="restart", order="risk")
    )
    assert rows[0].text.plain == "Requires a restart, by risk"


def test_the_mark_of_what_a_person_declined_is_on_nothing_that_the_plan_leaves_alone() -> None:
    for plan in PLANS.values():
        rows = rows_of(plan, 120, find="", everything=True)
        assert [row.text.plain for row in rows if row.text.plain.startswith("[-]")] == []
