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
    if is_one_row(paragraph, width):
        return (paragraph,)
    return tuple(paragraph.wrap(PAPER, width, no_wrap=paragraph.no_wrap, overflow=paragraph.overflow))


def is_one_row(text: Text, width: int) -> bool:
    """Whether there is nothing to wrap; Rich takes longer to find out, and an arrow key wraps ten rows."""
    return not text.style and text.cell_len <= width and "\n" not in text.plain and "\t" not in text.plain


def hanging(text: Text, width: int) -> Sequence[Text]:
    """The rows of a paragraph; rows after the first are indented to where its own text begins.

    Its own text begins after its leading blanks, or after the tab between label and text.
    """
    if is_one_row(text, width):
        return (text,)
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
