"""Words of servers, files and people, so that no terminal obeys them."""

from __future__ import annotations


def harmless(text: str) -> str:
    """The text with control characters shown as escapes, line ends too."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)
