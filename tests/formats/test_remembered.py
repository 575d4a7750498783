"""Records that were read before are read as strictly as the first ones."""

from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values.units import Bytes
from tunewiz.formats.mismatch import MismatchError
from tunewiz.formats.remembered import MOST_REMEMBERED, is_plain
from tunewiz.formats.structure import DocumentForm, Notes


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """Plain values of every type."""

    name: str
    count: int
    on: bool
    size: Bytes
    kind: Literal["a", "b"] = "a"
    perhaps: str | None = None


SHARED = DocumentForm("whole numbers")
VALUES: st.SearchStrategy[object] = st.sampled_from(
    ["a", "b", "", "\ud800", 0, 1, -1, True, False, 0.0, 1.0, None, (), [], {}, ["a"]]
)
RECORDS = st.dictionaries(
    st.sampled_from(["name", "count", "on", "size", "kind", "perhaps", "other"]), VALUES, min_size=4
)
LIKELY = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["a", 1]),
        "count": st.sampled_from([0, 1, True, False, 1.0]),
        "on": st.sampled_from([True, False, 0, 1, None]),
        "size": st.sampled_from([0, 1, True, 1.0]),
    },
    optional={"kind": st.sampled_from(["a", "b", "c"]), "perhaps": st.sampled_from([None, "a", 0])},
)


def outcome(form: DocumentForm, data: object) -> tuple[str, object]:
    """What is read, with the types of its values, or the message."""
    try:
        result = form.read(data, Seen, Notes())
    except MismatchError as error:
        return "refused", str(error)
    kinds: list[str] = [type(getattr(result, name)).__name__ for name in ("name", "count", "on", "kind")]
    return "read", (result, kinds)


@given(data=st.one_of(RECORDS, LIKELY, VALUES))
def test_a_form_that_has_read_others_reads_as_a_new_one(data: object) -> None:
    assert outcome(SHARED, data) == outcome(DocumentForm("whole numbers"), data)
    assert outcome(SHARED, data) == outcome(DocumentForm("whole numbers"), data)


def test_equal_records_are_read_once() -> None:
    data: dict[str, Any] = {"name": "n", "count": 1, "on": True, "size": 2}
    assert SHARED.read(dict(data), Seen, Notes()) is SHARED.read(dict(data), Seen, Notes())


@pytest.mark.parametrize("like", [{"count": True}, {"count": 1.0}, {"on": 1}])
def test_what_is_equal_but_of_another_type_is_refused_afterwards_too(like: dict[str, object]) -> None:
    data = {"name": "n", "count": 1, "on": True, "size": 2}
    SHARED.read(data, Seen, Notes())
    with pytest.raises(MismatchError):
        SHARED.read({**data, **like}, Seen, Notes())


def test_no_more_is_remembered_than_some_megabytes() -> None:
    form = DocumentForm("whole numbers")
    first = {"name": "n", "count": 0, "on": True, "size": 2}
    before = form.read(first, Seen, Notes())
    for count in range(1, MOST_REMEMBERED + 1):
        form.read({**first, "count": count}, Seen, Notes())
    again = form.read(first, Seen, Notes())
    assert again == before
    assert again is not before


@pytest.mark.parametrize("into", [float, float | None, tuple[str, ...], dict, Seen])
def test_numbers_with_a_point_lists_and_records_are_not_plain(into: object) -> None:
    assert not is_plain(into)
