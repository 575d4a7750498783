"""The marks of evidence: one cell each, explained on the page, a bracket around a gain of several changes."""

import dataclasses

import pytest

from tunewiz.core.answers.answers import Refused
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.words.ascii import in_ascii
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demos
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.bullets import MINUS, PLUS, bullets, dealt
from tunewiz.text.evidence_marks import FIRST, LAST, LEGEND, LIKE, TOGETHER, brackets, joint_of, marks_of
from tunewiz.text.findings import grouped, heading, marks_in_words, rows_of

EVERY_DEMO = pytest.mark.parametrize("name", sorted(demos()))


def plan_of(name: str) -> Plan:
    facts, knowledge = demo_facts(name), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge)


def finding(plan: Plan, name: str) -> Finding:
    return next(entry for entry in plan.findings if entry.recommendation.id == name)


def test_the_marks_differ_from_each_other_and_from_those_of_decisions_in_ascii_too() -> None:
    marks = [mark for mark, _ in LEGEND]
    others = {"[", "!", "·", "*", "x"}
    assert len({*map(in_ascii, marks), *map(in_ascii, others)}) == len(marks) + len(others)
    assert all(len(mark) == 1 for mark in marks)


def test_the_legend_names_decisions_only_where_there_are_some() -> None:
    plan = plan_of("small-vm")
    words = marks_in_words(plan.findings).plain
    assert all(meaning in words for _, meaning in LEGEND)
    assert "declined" not in words
    assert "note" not in words


def test_what_was_measured_together_on_a_system_like_this_has_one_figure_in_one_bracket() -> None:
    plan = plan_of("z13-lpar")
    rows = [row.text.plain for row in rows_of(plan, 79, find="", everything=False)]
    (first,) = [row for row in rows if " shared_buffers " in row]
    (second,) = [row for row in rows if " effective_cache_size " in row]
    assert rows.index(second) == rows.index(first) + 1
    assert f"{FIRST}{LIKE} +12%" in first
    assert f"{LAST}{TOGETHER}" in second
    assert "12%" not in second


def test_what_was_measured_alone_has_no_bracket() -> None:
    plan = plan_of("z13-lpar")
    alone = finding(plan, "kernel.sched_migration_cost_ns")
    assert joint_of(alone) is None
    assert brackets([alone, alone]) == (" ", " ")
    assert LIKE in marks_of(alone).plain


def test_what_was_declined_leaves_the_bracket() -> None:
    plan = plan_of("z13-lpar")
    buffers, cache = finding(plan, "pg.shared_buffers"), finding(plan, "pg.effective_cache_size")
    assert brackets([buffers, cache]) == (FIRST, LAST)
    declined = dataclasses.replace(buffers, decision=Refused(note=""))
    assert brackets([declined, cache]) == (" ", " ")


@EVERY_DEMO
def test_a_bracket_that_begins_ends_in_the_same_group(name: str) -> None:
    for title, members in grouped(plan_of(name).findings, everything=True):
        parts = brackets(members)
        assert parts.count(FIRST) == parts.count(LAST), title


@EVERY_DEMO
def test_no_finding_is_lost_or_doubled_where_some_stand_together(name: str) -> None:
    plan = plan_of(name)
    listed = [member for _, members in grouped(plan.findings, everything=True) for member in members]
    assert sorted(one.recommendation.id for one in listed) == sorted(
        one.recommendation.id for one in plan.findings
    )


@EVERY_DEMO
def test_at_80_columns_no_mark_is_cut(name: str) -> None:
    plan = plan_of(name)
    assert heading(plan, 79, everything=True).cell_len <= 79
    rows = [row.text for row in rows_of(plan, 79, find="", everything=False) if row.key]
    assert rows
    assert max(row.cell_len for row in rows) <= 79


@EVERY_DEMO
def test_dots_never_stand_above_an_empty_line(name: str) -> None:
    for entry in plan_of(name).findings:
        for room in (3, 4, 9, 14):
            rows = tuple(dealt(bullets(entry), room, 80))
            assert len(rows) <= room
            if any(row.plain.endswith(" …") for row in rows):
                assert len(rows) == room


def test_both_sides_are_shown_before_more_of_either() -> None:
    entry = finding(plan_of("z13-lpar"), "pg.shared_buffers")
    signs = [row.plain.strip()[:1] for row in dealt(bullets(entry), 3, 80)]
    assert signs == [PLUS, MINUS, LIKE]
