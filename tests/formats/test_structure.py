"""Records are read strictly: nothing is taken for what it is not, and the first misfit is told by its key."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from typing import Literal

import pytest

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import Bytes, Duration
from tunewiz.formats.mismatch import expected_for
from tunewiz.formats.structure import structure

AT_ONCE = Duration(0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Inner:
    """Within another."""

    size: Bytes
    time: Duration = AT_ONCE


@dataclass(frozen=True, kw_only=True, slots=True)
class Outer:
    """Every kind of field."""

    name: str
    share: Fraction
    kind: Literal["a", "b", ""] = ""
    many: tuple[Inner, ...] = ()
    named: Mapping[str, Inner] | None = None
    perhaps: int | None = None
    rate: float = 0.0


WHOLE: Mapping[str, object] = {"name": "n", "share": "1/4"}


def read(**changed: object) -> Outer:
    return structure({**WHOLE, **changed}, Outer, "p.toml")


def test_what_fits_is_read() -> None:
    assert read(kind="b", many=[{"size": "24MB", "time": "5min"}], perhaps=None, rate=2) == Outer(
        name="n",
        share=Fraction(1, 4),
        kind="b",
        many=(Inner(size=Bytes.parse("24MB"), time=Duration.parse("5min")),),
        rate=2.0,
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"name": 7}, "p.toml: name: found 7, expected text"),
        ({"name": None}, "p.toml: name: found null, expected text"),
        ({"name": datetime(2026, 1, 2, tzinfo=UTC)}, "name: found 2026-01-02 00:00:00+00:00, expected text"),
        ({"share": "1/0"}, 'share: found "1/0", expected a fraction such as "1/4"'),
        ({"share": 0.25}, 'share: found 0.25, expected a fraction such as "1/4"'),
        ({"kind": "c"}, 'kind: found "c", expected one of a, b'),
        ({"kind": ["a"]}, "kind: found […], expected one of a, b"),
        ({"many": "abc"}, 'many: found "abc", expected a list'),
        ({"many": [{"size": "24MB"}, {}]}, 'many.1.size: found nothing, expected a size such as "24MB"'),
        ({"many": [{"size": 24}]}, 'many.0.size: found 24, expected a size such as "24MB"'),
        (
            {"many": [{"size": "1MB", "time": "5m"}]},
            'many.0.time: found "5m", expected a time such as "5min"',
        ),
        ({"many": [7]}, "many.0: found 7, expected keys and values"),
        ({"perhaps": True}, "perhaps: found true, expected a whole number"),
        ({"rate": "2"}, 'rate: found "2", expected a number'),
        ({"rate": float("inf")}, "rate: found Infinity, expected a number"),
        ({"nmae": "n"}, 'p.toml: found the unknown key "nmae", expected name?'),
        ({"zzz": 1, "name": 7}, 'p.toml: found the unknown key "zzz", expected one of name, share, kind'),
    ],
)
def test_what_does_not_fit_is_told_by_its_key(changed: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as refused:
        read(**changed)
    assert message in refused.value.message


def test_what_is_missing_is_told_with_what_was_expected() -> None:
    with pytest.raises(InputError, match=r"^p\.toml: share: found nothing, expected a fraction such as"):
        structure({"name": "n"}, Outer, "p.toml")


@pytest.mark.parametrize("data", [None, [], "text", 7])
def test_what_is_no_record_at_all_is_told(data: object) -> None:
    with pytest.raises(InputError, match=r"^p\.toml: found .*, expected keys and values$"):
        structure(data, Outer, "p.toml")


@pytest.mark.parametrize(
    ("into", "words"),
    [
        (int | None, "a whole number"),
        (Literal["a", "b"], "one of a, b"),
        (tuple[int, ...], "a list"),
        (Inner, "keys and values"),
        (bool, "true or false"),
    ],
)
def test_what_a_type_takes_is_told_in_words(into: object, words: str) -> None:
    assert expected_for(into) == words
