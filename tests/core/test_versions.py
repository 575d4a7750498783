"""9.5 and 9.6 come before 10, and what a server prints is read."""

import pytest

from tunewiz.core.values.versions import NEWEST, OLDEST, SUPPORTED, V10, V19, Major, MajorError


def test_majors_are_in_their_order() -> None:
    assert list(SUPPORTED) == sorted(SUPPORTED)
    assert (SUPPORTED[0], SUPPORTED[-1]) == (OLDEST, NEWEST)
    assert (SUPPORTED[2], SUPPORTED[-1]) == (V10, V19)


@pytest.mark.parametrize("major", SUPPORTED)
def test_a_major_comes_back_from_its_text(major: Major) -> None:
    assert Major.parse(str(major)) == major


@pytest.mark.parametrize(
    ("text", "major"),
    [("9.6.24", "9.6"), ("15.18 (Debian 15.18-1.pgdg120+1)", "15"), ("19devel", "19"), (" 10.23 ", "10")],
)
def test_what_servers_print_is_read(text: str, major: str) -> None:
    assert str(Major.parse(text)) == major


@pytest.mark.parametrize("text", ["", "fifteen", "9", "1", "156", "-15", "15-"[::-1]])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(MajorError, match="expected a version such as"):
        Major.parse(text)


def test_every_major_has_the_next_place() -> None:
    old = [f"8.{second}" for second in range(5)] + [f"9.{second}" for second in range(5)]
    places = [Major.parse(text).place for text in old] + [major.place for major in SUPPORTED]
    assert places == [*range(len(places))]
