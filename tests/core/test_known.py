"""A fact is known, absent or unknown, and a decision says what it lacks."""

import pytest

from tunewiz.core.values.known import Absent, Known, MissingFact, Unknown, known_or, needed


def test_a_known_fact_gives_its_value() -> None:
    assert needed(Known(4, "/proc/cpuinfo"), "cpu.cores") == 4
    assert known_or(Known(0, "/proc/cpuinfo"), 7) == 0


@pytest.mark.parametrize("fact", [Unknown("permission denied"), Absent("no such file")])
def test_a_fact_that_is_not_there_gives_what_is_said_instead(fact: Unknown | Absent) -> None:
    assert known_or(fact, 7) == 7


def test_an_unknown_fact_is_missed_with_its_reason() -> None:
    with pytest.raises(MissingFact, match=r"^cpu\.cores is not known: permission denied$"):
        needed(Unknown("permission denied"), "cpu.cores")


def test_an_absent_fact_is_missed_with_where_that_was_learned() -> None:
    with pytest.raises(MissingFact, match=r"^limits\.memory: none here \(memory\.max\)$"):
        needed(Absent("memory.max"), "limits.memory")
