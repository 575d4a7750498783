"""What the size of the databases says: how much memory they can use, and how soon vacuum should come."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isqrt

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known
from tunewiz.core.values.rounding import NOTICEABLE
from tunewiz.core.values.units import GIB, Bytes

GROWTH = 2
"""Room for the databases to double before a size is looked at again: an assumption, told where it counts."""

CACHED_SHARE = Fraction(1, 2)
"""Databases up to this share of memory stay in the caches: the lower estimate of effective_cache_size
(PostgreSQL wiki, Tuning Your PostgreSQL Server)."""

LARGE = Bytes(100 * GIB)
"""Up to this size PostgreSQL's parts of a table suit vacuum; beyond, they shrink with the root of the size,
so that a pass comes more often and has more to do than here, each by the same factor."""

ONE_PERCENT = Fraction(1, 100)
"""What a person rounds such a part to: no measurement tells 0.055 from 0.06."""
LEAST_PART = 10
"""A tenth of PostgreSQL's part is the least. An assumption."""
SMALL = 5 * ONE_PERCENT
"""Below it, half a percent: from 0.04 to 0.03 would be a third more passes for a database a little larger."""

_PRECISE = 10**12


def size_of(situation: Situation) -> Bytes:
    """All databases of the server, as answered."""
    return situation.answers.workload.database_size


def most_used(situation: Situation) -> Bytes:
    """The most that their pages can fill of a cache, after some growth."""
    return size_of(situation) * GROWTH


def stays_cached(situation: Situation) -> bool:
    """Whether reads hardly ever reach the disks once the server is warm; false if memory is not known."""
    return (
        isinstance(situation.facts.memory.total, Known)
        and size_of(situation) <= situation.memory * CACHED_SHARE
    )


def buffers_worth(situation: Situation) -> Bytes:
    """The workload's share of memory for the buffers, or what all databases can fill of it."""
    return min(situation.memory * situation.workload.shared_buffers, most_used(situation))


def buffers_in_words(situation: Situation) -> str:
    """The same as a computation."""
    share = situation.memory * situation.workload.shared_buffers
    text = f"{situation.memory_in_words} x {situation.workload.shared_buffers} = {share.short()}"
    if (most := most_used(situation)) >= share:
        return text
    return (
        f"{text}; the databases fill less: {size_of(situation).short()} x "
        f"{GROWTH} = {most.short()} with growth"
    )


def part_of_a_table(situation: Situation, usual: Fraction) -> Fraction:
    """A part of a table for vacuum or analyze, in percent, small ones in halves, never more than usual.

    Args:
        situation: Whose databases count.
        usual: PostgreSQL's default, right up to `LARGE`; a tenth of it is the least.
    """
    if size_of(situation) <= LARGE:
        return usual
    exact = usual * _root(situation)
    return max(usual / LEAST_PART, round(exact / _step(exact)) * _step(exact))


def why_soon_enough(situation: Situation, current: Fraction, usual: Fraction) -> str | None:
    """From which size on less than the current part is worth it; None if it is worth it here.

    Args:
        situation: Whose databases count.
        current: The part of a table in force.
        usual: PostgreSQL's default.
    """
    if current <= usual / LEAST_PART:
        return "a smaller part is not worth it"
    worth_it = Bytes(int(LARGE.count * (usual * NOTICEABLE / current) ** 2))
    return f"less is worth it from {worth_it.short()} on" if size_of(situation) < worth_it else None


def _step(part: Fraction) -> Fraction:
    return ONE_PERCENT if part >= SMALL else ONE_PERCENT / 2


def part_in_words(situation: Situation, usual: Fraction, value: Fraction) -> str:
    """The computation of that part."""
    exact = usual * _root(situation)
    root = (
        f"{float(usual):g} x the root of {LARGE.short()} / {size_of(situation).short()} = {float(exact):.2g}"
    )
    if value == exact:
        return root
    is_least = value == usual / LEAST_PART and exact < value - _step(exact) / 2
    return f"{root}, {'raised' if is_least else 'rounded'} to {shown(value)}"


def shown(part: Fraction) -> str:
    """A part as a person writes it: `0.085`."""
    return f"{(Decimal(part.numerator) / part.denominator).normalize():f}"


def _root(situation: Situation) -> Fraction:
    return Fraction(isqrt(LARGE.count * _PRECISE**2 // size_of(situation).count), _PRECISE)
