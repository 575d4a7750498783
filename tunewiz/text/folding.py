"""A text whose sections are folded into one line of their titles until somebody asks for one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from tunewiz.text.reading import sections_of

UNFOLD = "o unfolds all"


def folded(texts: Sequence[Text]) -> tuple[Text, ...]:
    """What stands before the first section, and the titles of all."""
    indexes = sections_of(texts)
    if not indexes:
        return tuple(texts)
    titles = [texts[index].plain.replace(" ", "\N{NO-BREAK SPACE}") for index in indexes]
    line = Text.assemble(" \t", ("  ".join(titles), "bold"), ("  " + UNFOLD, "dim"))
    return (*texts[: indexes[0]], line)
