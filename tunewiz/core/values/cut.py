"""Text that is longer than its room."""

from __future__ import annotations


def cut(text: str, most: int) -> str:
    """The text, or as much of its beginning as fits with a mark that more follows; `most` is in characters.

    >>> cut("db1", 4), cut("db1.example", 4)
    ('db1', 'db1…')
    """
    return text if len(text) <= most else f"{text[: max(0, most - 1)]}…"
