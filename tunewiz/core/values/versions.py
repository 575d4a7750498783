"""PostgreSQL's major versions and their order: 9.5 and 9.6 come before 10."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_FORM = re.compile(r"([89]\.\d|[1-9]\d)(?:\D.*)?")


class MajorError(ValueError):
    """A text that names no major version of PostgreSQL."""


@dataclass(frozen=True, order=True, slots=True)
class Major:
    """One major version.

    >>> Major.parse("9.6") < Major.parse("10.23")
    True
    """

    rank: int
    """906 for 9.6, 1500 for 15: orders and compares."""

    @classmethod
    def parse(cls, text: str) -> Major:
        """Read `9.6`, `9.6.24`, `15` or `15.18 (Debian …)`; raises MajorError."""
        return cls(_rank(text))

    @property
    def place(self) -> int:
        """Its place in the order of all majors, from 8.0 on: 9.6 is one before 10."""
        first, second = divmod(self.rank, 100)
        if self >= _ONE_PART:
            return _MAJORS_OF_8 + _MAJORS_OF_9 + first - _FIRST_OF_ONE_PART
        return second if first < _NINE else _MAJORS_OF_8 + second

    def __str__(self) -> str:
        whole, part = divmod(self.rank, 100)
        return str(whole) if self >= _ONE_PART else f"{whole}.{part}"


@lru_cache(maxsize=256)
def _rank(text: str) -> int:
    """Cached: the same few versions are read hundreds of times in a plan."""
    matched = _FORM.fullmatch(text.strip())
    if matched is None:
        raise MajorError(f"expected a version such as 9.6 or 15, found {text!r}")
    first, _, second = matched[1].partition(".")
    return int(first) * 100 + int(second or 0)


_NINE, _FIRST_OF_ONE_PART = 9, 10
_MAJORS_OF_8, _MAJORS_OF_9 = 5, 7
"""8.0 to 8.4, and 9.0 to 9.6."""
_ONE_PART = Major(1000)
"""From 10 on a major version is one number; 9.0 was one of two."""
OLDEST = Major(905)
NEWEST = Major(1900)
SUPPORTED = (OLDEST, Major(906), *(Major(number * 100) for number in range(10, 20)))

V96, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19 = SUPPORTED[1:]

SUPPORTED_RANGE = f"{OLDEST}, {V96}, {V10} … {NEWEST}"
"""All of them as a person is told them."""

NEWEST_RUN = V19
"""The newest that bundles were tried on: 19 as its first release candidate."""
USUAL = V18
"""What is assumed where nothing names a version, and where the page of upgrades begins."""
