"""A bar for work that takes long."""

from __future__ import annotations

_WIDTH = 24


def bar(what: str, done: int, total: int, seconds: float) -> str:
    """The line.

    >>> bar("hosts planned", 2500, 10000, 10.0)
    '[######                  ] 2,500 of 10,000 hosts planned, 30 s left'
    """
    filled = _WIDTH * done // max(1, total)
    left = f", {seconds / done * (total - done):.0f} s left" if done else ""
    return f"[{'#' * filled:<{_WIDTH}}] {done:,} of {total:,} {what}{left}"
