"""Values outside of their bounds, each with what is said of it; nothing for those within."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import TIB, Bytes

MAX_COUNT = 2**64
"""Kernel and server count in 64 bits."""
MAX_DISK = Bytes(8 * 1024 * 1024 * TIB)
"""8 EiB: the largest file system that Linux can address."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ImpossibleValue:
    """An impossible value."""

    key: str
    """Dotted, as in the file."""
    found: str
    expected: str


def known_count_outside(
    key: str, fact: Known[int] | Known[int | str] | Absent | Unknown, least: int, most: int
) -> Iterator[ImpossibleValue]:
    """A count, if it is known."""
    if isinstance(fact, Known) and isinstance(fact.value, int):
        yield from count_outside(key, fact.value, least, most)


def count_outside(key: str, number: int, least: int, most: int) -> Iterator[ImpossibleValue]:
    """A count."""
    if not least <= number <= most:
        yield ImpossibleValue(key=key, found=str(number), expected=f"{least} to {most}")


def known_size_outside(
    key: str, fact: Known[Bytes] | Absent | Unknown, least: Bytes, most: Bytes
) -> Iterator[ImpossibleValue]:
    """A size, if it is known."""
    if isinstance(fact, Known):
        yield from size_outside(key, fact.value, least, most)


def size_outside(key: str, size: Bytes, least: Bytes, most: Bytes) -> Iterator[ImpossibleValue]:
    """A size."""
    if not least <= size <= most:
        yield ImpossibleValue(
            key=key, found=f"{size.count} bytes", expected=f"{least.human()} to {most.human()}"
        )


def no_power_of_two(
    key: str, fact: Known[Bytes] | Absent | Unknown, least: Bytes, most: Bytes
) -> Iterator[ImpossibleValue]:
    """A size outside, or one that is no power of two, if it is known."""
    yield from known_size_outside(key, fact, least, most)
    if isinstance(fact, Known) and fact.value.count.bit_count() != 1:
        yield ImpossibleValue(key=key, found=f"{fact.value.count} bytes", expected="a power of two")
