"""Counts in words: one core, but two cores."""

from __future__ import annotations


def how_many(number: int, noun: str) -> str:
    """A count with its noun, in the plural unless it is one.

    >>> how_many(1, "core"), how_many(2, "core"), how_many(12_000, "connection"), how_many(2, "process")
    ('1 core', '2 cores', '12,000 connections', '2 processes')
    """
    return f"{number:,} {noun if number == 1 else plural_of(noun)}"


def with_share(number: int, noun: str, part: int, what: str) -> str:
    """A count, and how many of it are something.

    >>> with_share(43, "checkpoint", 41, "forced"), with_share(2, "checkpoint", 0, "forced")
    ('43 checkpoints, 41 of them forced', '2 checkpoints, none of them forced')
    >>> with_share(1, "checkpoint", 0, "forced"), with_share(0, "checkpoint", 0, "forced")
    ('1 checkpoint, not forced', '0 checkpoints')
    """
    counted = how_many(number, noun)
    if number == 0:
        return counted
    if number == 1:
        return f"{counted}, {'not ' if part == 0 else ''}{what}"
    some = "none" if part == 0 else "all" if part == number else f"{part:,}"
    return f"{counted}, {some} of them {what}"


_THOUSAND, _MILLION = 10**3, 10**6


def in_millions(number: int) -> str:
    """A count of things nobody counts one by one.

    >>> in_millions(12_345), in_millions(12_340_000), in_millions(94_500_000_000), in_millions(999_999_999)
    ('12,345', '12.3 million', '94.5 billion', '1.0 billion')
    """
    if number < _MILLION:
        return f"{number:,}"
    tenths = round(10 * number / _MILLION)
    for word in ("million", "billion"):
        if tenths < 10 * _THOUSAND:
            return f"{tenths / 10:.1f} {word}"
        tenths = round(tenths / _THOUSAND)
    return f"{tenths / 10:,.1f} trillion"


def plural_of(noun: str) -> str:
    """The regular plural of a noun.

    >>> plural_of("query"), plural_of("day"), plural_of("batch")
    ('queries', 'days', 'batches')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
