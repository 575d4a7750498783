"""The value to write in the new major, from the old one and the rule that release notes give."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from tunewiz.core.upgrade.release_notes import Rule
from tunewiz.core.values.units import Bytes

SEGMENT = Bytes.parse("16MB")
"""The size of a WAL segment, unless initdb was told another one."""


def value_by(rule: Rule, value: str, segment: Bytes = SEGMENT) -> str:
    """The value to write.

    Args:
        rule: How it follows from the old one.
        value: The old one, as a person writes it.
        segment: The size of this cluster's WAL segments.
    """
    match rule:
        case "":
            return ""
        case "same" | "with unit":
            return value
        case "segments":
            return (segment * int(value)).pg()
        case "doubled":
            return str(2 * int(value))
        case "prefetch":
            return str(_prefetch(int(value)))
        case _:
            assert_never(rule)


def _prefetch(drives: int) -> int:
    """Requests in flight for a number of drives: before 13 the server worked them out in this way.

    >>> _prefetch(200)
    1176
    """
    return round(drives * sum(Fraction(1, index) for index in range(1, drives + 1)))
