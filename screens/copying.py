"""Copying what a recommendation sets: the keys, and what they send to the terminal's clipboard."""

from __future__ import annotations

from typing import Literal

from textual.binding import Binding

from tunewiz.core.planning.finding import Finding
from tunewiz.screens.messages import CopyAsked
from tunewiz.screens.page import Page
from tunewiz.screens.widgets.key_bar import Key
from tunewiz.text.copied import NothingToCopy, command_of, value_of

What = Literal["value", "command"]

COPY = (
    Binding("y", "copy('value')", "Copy", show=False),
    Binding("Y", "copy('command')", "Copy the command", show=False),
)
COPY_KEYS = (
    Key(key="y", does="copy", action="copy('value')", full="copy the value to the terminal's clipboard"),
    Key(key="Y", does="command", action="copy('command')", full="copy the command that sets it"),
)


def copy(page: Page, finding: Finding | None, what: What) -> None:
    """Ask for it to be copied; where there is nothing to copy, say so."""
    if finding is None:
        return
    match value_of(finding) if what == "value" else command_of(finding):
        case NothingToCopy(why=why):
            page.complain(why)
        case text:
            _ = page.post_message(CopyAsked(text))
