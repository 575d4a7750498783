"""Rounds sizes to what a person would write, and tells when two of them are close enough."""

from __future__ import annotations

from fractions import Fraction

from tunewiz.core.values.units import Bytes

CLOSE = Fraction(5, 100)
"""A value this close to the current one is not worth a change; timescaledb-tune uses the same margin."""

NOTICEABLE = Fraction(3, 2)
"""Times the smaller of both: what moves by less changes little that anybody could measure. An assumption."""

FINE = 8
"""Steps between one power of two and the next for caches: 8GB, 9GB … 15GB, 16GB, 18GB."""

WHOLE = 4
"""The same for disk space, in whole gigabytes from 4 on: 4GB, 5GB, 6GB, 7GB, 8GB, 10GB."""

COARSE = 4
"""The same for working memory: 32MB, 40MB, 48MB, 56MB, 64MB."""


LEAST_SHOWN = 0.01
"""Less than that of a percent, or of a millisecond, is told as less."""


def round_down(size: Bytes, steps: int = FINE) -> Bytes:
    """The largest round size that is not larger; never smaller for a larger size.

    >>> round_down(Bytes.parse("15.67GB")).pg(), round_down(Bytes.parse("47MB"), COARSE).pg()
    ('15GB', '40MB')
    """
    if size.count <= steps:
        return size
    power = 1 << (size.count.bit_length() - 1)
    return size.down_to(Bytes(max(1, power // steps)))


def rounded_in_words(exact: Bytes, value: Bytes) -> str:
    """What a computation adds when its result was rounded; empty if that cannot be seen.

    >>> rounded_in_words(Bytes.parse("2.95GB"), Bytes.parse("2816MB"))
    ', rounded down to 2816MB'
    """
    if value.short() == exact.short():
        return ""
    return f", {'rounded down' if value < exact else 'raised'} to {value.pg()}"


def close(one: Bytes, other: Bytes) -> bool:
    """Whether two sizes differ by less than anyone would notice."""
    return abs(one.count - other.count) <= CLOSE * max(one.count, other.count)


def shortly(number: float | Fraction, digits: int = 2) -> str:
    """A number of that many digits or more, never with an exponent: `0.09`, `4.1`, `100`, `12345`.

    >>> shortly(0.0874), shortly(100), shortly(12_345.6, 4), shortly(0.000_01), shortly(0)
    ('0.087', '100', '12346', 'under 0.01', '0')
    """
    exact = float(number)
    if 0 < exact < LEAST_SHOWN:
        return f"under {LEAST_SHOWN}"
    return f"{exact:.0f}" if exact >= 10 ** (digits - 1) else f"{exact:.{digits}g}"


def round_up_to(number: int, step: int) -> int:
    """The next multiple of a step: 203 connections are written as 210."""
    return -(-number // step) * step
