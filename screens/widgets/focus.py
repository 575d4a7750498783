"""Moving between fields with the arrow keys, which do not wrap around."""

from __future__ import annotations

from typing import TypeVar

from textual.screen import Screen

T = TypeVar("T")


def move_focus(screen: Screen[T], direction: int) -> None:
    """Focus the field below (1) or above (-1), if there is one."""
    fields, focused = screen.focus_chain, screen.focused
    there = fields.index(focused) + direction if focused in fields else 0
    if 0 <= there < len(fields):
        _ = fields[there].focus()
