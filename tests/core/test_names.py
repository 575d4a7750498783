"""A mistyped name leads to the one that was meant; a name like no other leads nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values.names import expected_name, in_words, meant, nearest

SETTINGS = ("pg.shared_buffers", "pg.work_mem", "pg.maintenance_work_mem", "pg.wal_buffers", "kernel.swap")
MACHINES = ("nvme-server", "power10-lpar", "small-vm", "z13-lpar")


@pytest.mark.parametrize(
    ("typed", "among", "expected"),
    [
        ("pg.shared_bufers", SETTINGS, "pg.shared_buffers"),
        ("shared-buffers", SETTINGS, "pg.shared_buffers"),
        ("PG.WORK_MEM", SETTINGS, "pg.work_mem"),
        ("work_mem", SETTINGS, "pg.work_mem"),
        ("nvme", MACHINES, "nvme-server"),
        ("z13lpar", MACHINES, "z13-lpar"),
        ("Power10 LPAR", MACHINES, "power10-lpar"),
        ("paln", ("facts", "plan", "check"), "plan"),
    ],
)
def test_the_likeliest_comes_first(typed: str, among: tuple[str, ...], expected: str) -> None:
    assert nearest(typed, among)[0] == expected


@pytest.mark.parametrize(
    ("typed", "among"), [("cray", MACHINES), ("", MACHINES), ("x", ()), ("vm", ("z13",))]
)
def test_a_name_like_no_other_leads_nowhere(typed: str, among: tuple[str, ...]) -> None:
    assert nearest(typed, among) == ()
    assert meant(typed, among) == ""


def test_a_name_that_may_mean_several_offers_them_all() -> None:
    assert set(nearest("lpar", MACHINES)) == {"power10-lpar", "z13-lpar"}


def test_among_few_words_only_a_very_similar_one_is_meant() -> None:
    assert nearest("olap", ("oltp", "analytics")) == ("oltp",)
    assert nearest("olap", ("oltp", "analytics"), likeness=0.8) == ()
    assert nearest("analytic", ("oltp", "analytics"), likeness=0.8) == ("analytics",)


def test_never_more_than_three_are_offered() -> None:
    assert len(nearest("setting", [f"setting{number}" for number in range(9)])) == 3


@given(
    st.lists(st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=1), unique=True, min_size=1)
)
def test_a_name_that_is_there_is_its_own_nearest(names: list[str]) -> None:
    assert nearest(names[-1], names) == (names[-1],)


@given(st.text(), st.lists(st.text(), unique=True))
def test_only_known_names_are_offered_and_each_once(typed: str, known: list[str]) -> None:
    result = nearest(typed, known)
    assert set(result) <= set(known)
    assert len(result) == len(set(result))


def test_messages_offer_or_list() -> None:
    assert expected_name("plam", ("plan", "facts")) == "plan?"
    assert expected_name("zebra", ("plan", "facts")) == "one of plan, facts"
    assert expected_name("zebra", ()) == "none: there are no names"
    assert meant("plam", ("plan", "facts")) == "Did you mean plan?"
    assert in_words(("a", "b", "c")) == "a, b or c"
