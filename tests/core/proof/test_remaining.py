"""What is left of a measurement, and that nothing is claimed between its looks."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from bench_seen_cases import pairs_of, so_far
from tunewiz.core.proof.looks import FIRST, LAST, SECOND, planned_looks
from tunewiz.core.proof.remaining import looked, next_look, runs_each, seconds_left, total
from tunewiz.core.words.bench import left_in_words, no_verdict_in_words, where_in_words


@given(done=st.integers(0, LAST), seed=st.integers(0, 50))
def test_only_pairs_up_to_a_reached_look_are_judged(done: int, seed: int) -> None:
    measured = dataclasses.replace(so_far(), pairs=pairs_of(done, 1.1, seed))
    result = tuple(looked(measured))
    assert [reached_look.look for reached_look in result] == [
        look for look in planned_looks(LAST) if look.pairs <= done
    ]
    later = dataclasses.replace(measured, pairs=(*measured.pairs, *pairs_of(1, 9.0, seed)))
    assert tuple(looked(later))[: len(result)] == result, "a pair after the look changes nothing"


def test_before_the_pairs_are_agreed_on_nothing_is_judged() -> None:
    measured = dataclasses.replace(so_far(FIRST), agreed=0)
    assert not tuple(looked(measured))


@given(same=st.integers(0, 3), done=st.integers(0, LAST))
def test_the_time_left_is_that_of_the_runs_that_are_left(same: int, done: int) -> None:
    measured = dataclasses.replace(so_far(done), same_pairs=so_far().same_pairs[:same])
    runs = 2 * (3 - same) + 2 * (LAST - done)
    assert seconds_left(measured, LAST) == runs * measured.arm_seconds


def test_the_runs_of_a_cycle_count_one_by_one() -> None:
    measured = dataclasses.replace(so_far(), groups=4, cycles=1, steps=2, agreed=3)
    assert runs_each(4) == 9
    assert seconds_left(measured, total(measured)) == (27 - 11) * measured.arm_seconds
    assert next_look(measured) is None
    assert where_in_words(measured) == "cycle 2 of 3"
    assert no_verdict_in_words(measured) == "No verdict before the last cycle."


def test_the_next_look_is_told_with_the_time_until_it() -> None:
    assert next_look(so_far(FIRST)) == SECOND
    assert left_in_words(so_far(FIRST)) == "about 53 min to the look after 10 pairs, 2 h 13 min at most"
    assert left_in_words(so_far(SECOND)) == "1 h 20 min at most"
    assert left_in_words(so_far(LAST)) == "nothing"
    unknown = dataclasses.replace(so_far(0, same=0), arm_seconds=0.0)
    assert left_in_words(unknown) == "unknown until the first run has ended"
    assert where_in_words(unknown) == "A/A pair 1 of 3"
