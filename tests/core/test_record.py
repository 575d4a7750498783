"""Records behave as frozen dataclasses of the standard library: each class is made by both, and compared."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunewiz.core.values import record

Maker: TypeAlias = Callable[..., Any]
"""`dataclass`, of the library or ours; a type checker takes both for the first."""


@dataclasses.dataclass(frozen=True)
class Described:
    """Both classes of one description."""

    theirs: type
    ours: type


def named(maker: Maker) -> type:
    @maker(frozen=True, kw_only=True, slots=True)
    class Point:
        x: int
        y: object = 2
        tags: tuple[str, ...] = ()
        notes: dict[str, int] = field(default_factory=dict[str, int])
        aside: int = field(default=0, compare=False, repr=False)

    return Point


def positional(maker: Maker) -> type:
    @maker(frozen=True, slots=True)
    class Pair:
        value: object
        how: str = "read"

    return Pair


def empty(maker: Maker) -> type:
    @maker(frozen=True, kw_only=True, slots=True)
    class Nothing:
        """None."""

    return Nothing


def inheriting(maker: Maker) -> type:
    @maker(frozen=True, kw_only=True, slots=True)
    class Below(named(maker)):  # type: ignore[misc]
        z: int

        def __hash__(self) -> int:
            return 7

    return Below


KINDS = [
    Described(make(dataclasses.dataclass), make(record.dataclass))
    for make in (named, positional, empty, inheriting)
]
Call: TypeAlias = tuple[tuple[object, ...], dict[str, object]]
CALLS: tuple[Call, ...] = (
    ((), {}),
    ((1,), {}),
    ((1, "b"), {}),
    ((1, 2, 3), {}),
    ((), {"x": 1}),
    ((), {"x": 1, "z": 2}),
    ((), {"x": 1, "y": [1], "tags": ("a",), "notes": {"b": 1}, "aside": 5}),
    ((), {"value": 1}),
    ((), {"x": 1, "unknown": 2}),
    ((1,), {"value": 1}),
)
USES: dict[str, Callable[[Any], object]] = {
    "repr": repr,
    "hash of itself": lambda made: hash(made) == hash(copy.copy(made)),
    "equal to a copy": lambda made: made == copy.deepcopy(made),
    "not equal to others": lambda made: (made == 1, made != object(), made.__eq__(1)),
    "replaced": lambda made: repr(dataclasses.replace(made, y=5)),
    "as keys and values": dataclasses.asdict,
    "set": lambda made: setattr(made, "x", 1),
    "set what it has not": lambda made: setattr(made, "another", 1),
    "deleted": lambda made: delattr(made, "x"),
    "dictionary": lambda made: made.__dict__,
    "matched by place": lambda made: made.__match_args__,
    "slots": lambda made: made.__class__.__slots__,
    "fields": lambda made: [(e.name, e.type, e.kw_only, e.compare, e.repr) for e in dataclasses.fields(made)],
    "frozen": lambda made: made.__dataclass_params__.frozen,
}
REFUSED = {"set", "set what it has not", "deleted"}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.ours.__name__)
def test_records_are_made_and_used_as_dataclasses_are(kind: Described, use: str) -> None:
    outcomes = [[used(cls, call, use) for call in CALLS] for cls in (kind.ours, kind.theirs)]
    assert outcomes[0] == outcomes[1]
    assert any(entry[0] != "not made" for entry in outcomes[0])


def used(cls: type, call: Call, use: str) -> tuple[str, object]:
    """What comes of it, or how it fails."""
    by_place, by_name = call
    try:
        made = cls(*by_place, **by_name)
    except TypeError as error:
        return "not made", str(error)
    try:
        return "used", USES[use](made)
    except (TypeError, AttributeError) as error:
        # The library's own slips for an unknown name: it is refused, with another message.
        return "refused", use in REFUSED or str(error)


@given(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
def test_equality_and_hash_follow_the_compared_fields(x: int, y: int, other_x: int, other_y: int) -> None:
    cls = KINDS[1].ours
    first, second = cls(x, str(y)), cls(other_x, str(other_y))
    assert (first == second) == ((x, y) == (other_x, other_y))
    if first == second:
        assert hash(first) == hash(second)


def test_what_is_not_compared_makes_no_difference() -> None:
    cls = KINDS[0].ours
    assert cls(x=1, aside=1) == cls(x=1, aside=2)
    assert cls(x=1, y=1) != cls(x=1, y=2)


def test_each_record_has_a_default_of_its_own() -> None:
    cls = KINDS[0].ours
    assert cls(x=1).notes is not cls(x=1).notes


@record.dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """Between processes."""

    name: str
    parts: tuple[int, ...] = ()


def test_a_record_can_be_sent_to_another_process() -> None:
    sent = Sent(name="a", parts=(1, 2))
    back = pickle.loads(pickle.dumps(sent))  # noqa: S301 - its own
    assert back == sent
    with pytest.raises(FrozenInstanceError):
        back.name = "b"


def test_a_record_that_contains_itself_is_shown() -> None:
    parts = list[object]()
    made = KINDS[1].ours(parts)
    parts.append(made)
    assert repr(made).endswith("Pair(value=[...], how='read')")


def test_a_dataclass_may_inherit_from_a_record() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
    class Below(Sent):
        more: int = 3

    assert Below(name="a", more=4) == Below(name="a", more=4)
    assert repr(Below(name="a")).endswith("Below(name='a', parts=(), more=3)")


def test_nothing_is_compiled_before_the_first_is_made() -> None:
    cls = named(record.dataclass)
    before = vars(cls)["__init__"]
    cls(x=1)
    after = vars(cls)["__init__"]
    cls(x=2)
    assert before is not after
    assert vars(cls)["__init__"] is after


def test_all_but_frozen_records_with_slots_are_left_to_the_library() -> None:
    @record.dataclass(frozen=True, order=True, slots=True)
    class Ordered:
        value: int

    @record.dataclass(slots=True)
    class Open:
        value: int

    assert Ordered(1) < Ordered(2)
    made = Open(1)
    made.value = 2
    assert made == Open(2)
