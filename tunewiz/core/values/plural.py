"""Counts in words: one core, but two cores."""

from __future__ import annotations


def how_many(number: int, noun: str) -> str:
    """A count with its noun, in the plural unless it is one.

    >>> how_many(1, "core"), how_many(2, "core"), how_many(12_000, "connection"), how_many(2, "process")
    ('1 core', '2 cores', '12,000 connections', '2 processes')
    """
    return f"{number:,} {noun if number == 1 else plural_of(noun)}"


def plural_of(noun: str) -> str:
    """The regular plural of a noun."""
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
