"""Words of servers, files and people, so that no terminal obeys them."""

from __future__ import annotations


def harmless(text: str) -> str:
    """The text with control characters shown as escapes, line ends too."""
    return "".join(text if text.isprintable() else text.encode("unicode_escape").decode() for text in text)
