"""Wraps paragraphs into rows without Textual, for the screens and for `--plain`."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text

PAPER = Console(file=StringIO(), color_system=None, legacy_windows=False, _environ={})
"""Used for styles and wrapping only; nothing is ever printed on it."""


def wrapped(text: Text | str, width: int) -> Sequence[Text]:
    """The rows that a paragraph takes; an empty one takes one."""
    paragraph = Text(text) if isinstance(text, str) else text
    if width <= 0 or not paragraph.plain:
        return (Text(),)
    return tuple(paragraph.wrap(PAPER, width, no_wrap=paragraph.no_wrap, overflow=paragraph.overflow))


def hanging(text: Text, width: int) -> Sequence[Text]:
    """The rows of a paragraph; rows after the first are indented to where its own text begins.

    Its own text begins after its leading blanks, or after the tab between label and text.
    """
    label, tab, _ = text.plain.partition("\t")
    if not tab:
        indent = len(text.plain) - len(text.plain.lstrip(" "))
        body, first = text[indent:], Text(" " * indent)
    else:
        indent = len(label)
        body, first = text[indent + 1 :], text[:indent]
    rows = wrapped(body, max(10, width - indent))
    blank = Text(" " * indent)
    return tuple(Text.assemble(first if number == 0 else blank, row) for number, row in enumerate(rows))
