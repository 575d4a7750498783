"""One file as one value: what is accepted, and the words for what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recorded_machines import machine
from tunewiz.collect import file_values
from tunewiz.core.values.known import Known, Unknown


@pytest.mark.parametrize(
    ("content", "members"),
    [("0-3,8", {0, 1, 2, 3, 8}), ("0", {0}), ("", set[int]()), ("0,8,16", {0, 8, 16}), ("5-5", {5})],
)
def test_a_list_of_processors_is_understood(content: str, members: set[int]) -> None:
    assert set(file_values.as_list(content) or ()) == members


@pytest.mark.parametrize("content", ["3-1", "a", "0-", "-1", "0-99999999", "0,,1", "٣", "0-70000"])
def test_what_is_no_list_is_refused(content: str) -> None:
    assert file_values.as_list(content) is None


@given(st.sets(st.integers(0, 8191)))
def test_list_and_map_of_the_same_processors_agree(members: set[int]) -> None:
    bits = sum(1 << member for member in members)
    words = f"{bits:x}".zfill(8)
    words = words.zfill(-(-len(words) // 8) * 8)
    grouped = ",".join(words[start : start + 8] for start in range(0, len(words), 8))
    assert set(file_values.as_map(grouped) or ()) == members
    listed = file_values.as_list(",".join(str(member) for member in sorted(members)))
    assert set(listed or ()) == members


def test_a_map_may_begin_with_a_short_word() -> None:
    assert file_values.as_map("0000,00000000,000000ff") == frozenset(range(8))
    assert file_values.as_map("ff") == frozenset(range(8))
    assert file_values.as_map("") is None
    assert file_values.as_map("fg") is None


def test_the_word_in_brackets_is_the_active_one() -> None:
    assert file_values.as_active("always [madvise] never") == "madvise"
    assert file_values.as_active("none") is None
    assert file_values.as_active("[a] [b]") is None


def test_an_unexpected_content_is_named_with_its_path_and_what_was_expected() -> None:
    number = file_values.number(machine({"proc/sys/vm/swappiness": "sixty\n"}), "/proc/sys/vm/swappiness")
    assert number == Unknown("expected a whole number, found 'sixty': /proc/sys/vm/swappiness")


def test_a_known_value_says_its_path() -> None:
    assert file_values.number(machine({"a": " 60\n"}), "/a") == Known(60, "/a")
    assert file_values.text(machine({"a": "dummy-virt\0"}), "/a") == Known("dummy-virt", "/a")


def test_of_several_sources_the_first_known_is_taken_and_all_reasons_are_kept() -> None:
    system = machine({"b": "7"})
    assert file_values.first([file_values.number(system, "/a"), file_values.number(system, "/b")]) == Known(
        7, "/b"
    )
    nothing = file_values.first([file_values.number(system, "/a"), file_values.number(system, "/c")])
    assert nothing == Unknown("no such file: /a; no such file: /c")


@given(st.text())
def test_no_text_breaks_a_converter(content: str) -> None:
    for convert in (
        file_values.as_list,
        file_values.as_map,
        file_values.as_integer,
        file_values.as_active,
        file_values.as_word,
    ):
        convert(content)
