"""Curves in a facts file: those that were collected read back and are drawn, impossible ones are refused."""

import dataclasses
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.collect.postgres.curves import MAX_VALUES
from tunewiz.core.answers.bounds import MAX_COUNT
from tunewiz.core.answers.server_limits import FEWEST_IN_A_CURVE, MAX_CONNECTIONS, MAX_WINDOW
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import Curve, Curved
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts
from tunewiz.text.counters import NAMES, counters
from watched import window

PLAIN = demo_facts("small-vm")
COUNTED = st.sampled_from(get_args(Curved))
FITTING = st.lists(st.integers(0, MAX_CONNECTIONS), min_size=FEWEST_IN_A_CURVE, max_size=MAX_VALUES)


def with_curve(counted: Curved, *values: int) -> Facts:
    """The example with a server that was watched, and this curve of it."""
    curves = (Curve(counted=counted, values=values),)
    observation = Known(dataclasses.replace(window(60).value, curves=curves), "watched")
    return dataclasses.replace(PLAIN, postgres=(dataclasses.replace(PLAIN.postgres[0], window=observation),))


def read_back(facts: Facts) -> Facts:
    return facts_from_json(facts_to_json(facts), "facts.json")


@given(COUNTED, FITTING)
def test_what_can_be_collected_reads_back_the_same_and_is_drawn(counted: Curved, values: list[int]) -> None:
    facts = with_curve(counted, *values)
    assert read_back(facts) == facts
    drawn = [row.plain for row in counters(read_back(facts).postgres[0]) if NAMES[counted] in row.plain]
    assert len(drawn) == any(values)


@given(COUNTED, FITTING, st.integers(max_value=-1), st.data())
def test_a_value_below_zero_is_refused_by_its_place(
    counted: Curved, values: list[int], negative: int, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(values) - 1))
    values[place] = negative
    with pytest.raises(
        InputError, match=rf"window\.curves\.0\.values\.{place}: found {negative}, expected 0"
    ):
        read_back(with_curve(counted, *values))


@pytest.mark.parametrize("values", [(), (7,), (0,) * (MAX_WINDOW.seconds + 1)], ids=len)
def test_too_few_or_too_many_values_are_refused(values: tuple[int, ...]) -> None:
    with pytest.raises(
        InputError, match=rf"curves\.0\.values: found {len(values)}, expected 2 to 86400 values"
    ):
        read_back(with_curve("commits", *values))


@pytest.mark.parametrize(("counted", "most"), [("connections", MAX_CONNECTIONS), ("wal_bytes", MAX_COUNT)])
def test_the_highest_possible_value_is_left_alone_and_one_more_is_refused(counted: Curved, most: int) -> None:
    assert read_back(with_curve(counted, 0, most)) == with_curve(counted, 0, most)
    with pytest.raises(InputError, match=rf"curves\.0\.values\.1: found {most + 1}, expected 0 to {most}"):
        read_back(with_curve(counted, 0, most + 1))
