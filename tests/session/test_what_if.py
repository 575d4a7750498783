"""What is tried in the what-if panel leaves no trace, or holds as if it had been answered on the pages."""

import dataclasses
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunewiz.core.answers.answers import Posture
from tunewiz.core.answers.corrections import corrected
from tunewiz.core.answers.nearby_values import COUNTS, SIZES, TIMES
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, Unknown
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.what_if import MARK, moved_lines, outcome, rows_of
from tunewiz.wizard.journey import Journey, begin
from tunewiz.wizard.what_if import MOVABLE_KEYS, MovableKey, Supposed


def journey_of(machine: str = "nvme-server") -> Journey:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return begin(facts, default_answers(facts, knowledge), knowledge)


START = journey_of()

MOVES = st.lists(st.tuples(st.sampled_from(MOVABLE_KEYS), st.sampled_from((-1, 1))), max_size=12)


def moved(supposed: Supposed, moves: list[tuple[MovableKey, int]]) -> Supposed:
    """After these moves; one that the plan has no place for moves nothing."""
    for key, by in moves:
        try:
            supposed = supposed.moved(key, by)
        except InputError:
            continue
    return supposed


@given(moves=MOVES)
@settings(max_examples=40, deadline=None)
def test_taken_over_it_is_the_plan_that_the_same_answers_make(moves: list[tuple[MovableKey, int]]) -> None:
    supposed = moved(Supposed.of(START), moves)
    choices = supposed.choices
    assert supposed.plan == make_plan(choices.facts, choices.answers, START.knowledge)
    taken = START.changed(choices.facts, choices.answers).journey
    assert taken.plan == supposed.plan
    assert taken.travelled(again=False).journey.choices == START.choices


@given(moves=MOVES)
@settings(max_examples=40, deadline=None)
def test_what_differs_is_told_and_nothing_else(moves: list[tuple[MovableKey, int]]) -> None:
    supposed = moved(Supposed.of(START), moves)
    text = [entry.plain for entry in moved_lines(supposed)]
    differing = [
        f"\t{outcome(was, START.plan)} -> {outcome(then, supposed.plan)}"
        for was, then in zip(START.plan.findings, supposed.plan.findings, strict=True)
        if outcome(was, START.plan) != outcome(then, supposed.plan)
    ]
    before, after = ({warning.text for warning in plan.warnings} for plan in (START.plan, supposed.plan))
    changed = [row for row in text if row.startswith(MARK)]
    assert len(changed) == len(differing) + len(before ^ after)
    assert all(any(row.endswith(text) for row in changed) for text in differing)


@given(key=st.sampled_from(MOVABLE_KEYS), steps=st.integers(1, 30), by=st.sampled_from((-1, 1)))
@settings(max_examples=40, deadline=None)
def test_what_is_moved_away_comes_back_and_leaves_no_trace(key: MovableKey, steps: int, by: int) -> None:
    away = start = Supposed.of(START)
    for made in range(steps):  # fewer where the way ends
        further = moved(away, [(key, by)])
        if further == away:
            steps = made
            break
        away = further
    assert moved(away, [(key, -by)] * steps) == start


@pytest.mark.parametrize("key", MOVABLE_KEYS)
def test_the_value_that_holds_typed_again_leaves_no_trace(key: MovableKey) -> None:
    supposed = Supposed.of(START).moved(key, -1)
    assert supposed.is_moved
    assert supposed.typed(key, supposed.held(key)) == Supposed.of(START)


@pytest.mark.parametrize("key", MOVABLE_KEYS)
def test_a_row_is_marked_exactly_if_it_was_moved(key: MovableKey) -> None:
    supposed = Supposed.of(START).moved(key, -1)
    marked = [row.key for row in rows_of(supposed) if row.text.plain.startswith(MARK)]
    assert marked == [key]
    assert f"now {supposed.held(key)}" in next(row.text.plain for row in rows_of(supposed) if row.key == key)


@pytest.mark.parametrize(
    ("key", "text"),
    [("memory", "plenty"), ("connections", "0"), ("database_size", "3 apples"), ("posture", "brave")],
)
def test_a_value_that_is_none_is_refused_and_nothing_moves(key: MovableKey, text: str) -> None:
    supposed = Supposed.of(START)
    with pytest.raises(InputError):
        _ = supposed.typed(key, text)


@pytest.mark.parametrize("machine", demo_names())
def test_every_example_machine_can_be_tried(machine: str) -> None:
    journey = journey_of(machine)
    for key in MOVABLE_KEYS:
        supposed = Supposed.of(journey)
        if supposed.shown(key):
            assert supposed.moved(key, 1).is_moved or supposed.moved(key, -1).is_moved
        assert moved_lines(supposed)


def test_memory_that_is_not_known_is_typed_and_not_moved() -> None:
    memory = dataclasses.replace(START.facts.memory, total=Unknown("not read"))
    facts = dataclasses.replace(START.facts, memory=memory)
    supposed = Supposed.of(begin(facts, START.answers, START.knowledge))
    with pytest.raises(InputError, match="not known: enter types a value"):
        _ = supposed.moved("memory", 1)
    assert isinstance(supposed.typed("memory", "64GB").choices.facts.memory.total, Known)


def test_memory_taken_over_counts_as_corrected_by_hand() -> None:
    choices = Supposed.of(START).moved("memory", -1).choices
    assert [key for key, _ in corrected(choices.facts)] == ["memory.total"]


def test_the_posture_stops_at_its_ends() -> None:
    supposed: Supposed = moved(Supposed.of(START), [("posture", 1)] * 5)
    posture: Posture = "bold"
    assert supposed.choices.answers.risk.posture == posture
    assert supposed.moved("posture", 1) == supposed


def test_the_steps_go_up_by_about_a_half() -> None:
    sizes = [size.count for size in SIZES]
    times = [time.seconds for time in TIMES]
    for values in (sizes, COUNTS, times):
        assert list(values) == sorted({*values})
        assert all(larger <= 3 * smaller for smaller, larger in pairwise(values))
