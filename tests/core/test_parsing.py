"""What people type: read generously, refused with what was expected."""

import pytest

from tunewiz.core.answers.answers import Answers, Workload
from tunewiz.core.answers.parsing import checked, major, number, size, time
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import Bytes, Duration


def answers(connections: int) -> Answers:
    return Answers(workload=Workload(kind="oltp", connections=connections, database_size=Bytes.parse("10GB")))


def test_numbers_may_have_commas_and_blanks() -> None:
    assert number("connections", " 1,200 ") == 1200


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "1e3", "٣"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="connections: expected a whole number such as 200, found"):
        number("connections", text)


def test_sizes_have_postgresql_s_units() -> None:
    assert size("size", "256GB") == Bytes.parse("256GB")


@pytest.mark.parametrize("text", ["", "256", "256gb", "256 G"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="size: expected a size such as 256GB or 2TB, found"):
        size("size", text)


def test_times_have_postgresql_s_units() -> None:
    assert time("recovery", "5min") == Duration.parse("300s")


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(InputError, match="recovery: expected a time such as 90s or 5min, found 'soon'"):
        time("recovery", "soon")


@pytest.mark.parametrize(("text", "expected"), [("9.6", "9.6"), ("15", "15"), ("15.18", "15")])
def test_majors_are_read_as_people_write_them(text: str, expected: str) -> None:
    assert major("version", text) == expected


@pytest.mark.parametrize("text", ["", "8.4", "9.4", "20", "fifteen"])
def test_majors_that_are_not_known_here_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"version: expected 9\.5, 9\.6, 10 … 19, found"):
        major("version", text)


def test_possible_answers_pass() -> None:
    assert checked(answers(200)) == answers(200)


@pytest.mark.parametrize("connections", [0, 10**18])
def test_impossible_answers_are_told_by_what_is_asked(connections: int) -> None:
    with pytest.raises(InputError, match=r"^connections: expected 1 to 262143, found"):
        checked(answers(connections))
