"""Overlays leave the page around them as it is already painted.

Textual repaints a page under a question, with other sequences for the same colours: twice the bytes.
"""

from __future__ import annotations

from typing import TypeVar

from textual import getters
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip

from tunewiz.screens.widgets.paint import any_app

T = TypeVar("T")


class Overlay(ModalScreen[T]):
    """A question in a box; the answer closes it."""

    app = getters.app(any_app)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Around the box, the rows of the screen below are unchanged."""
        below = self.app.screen_stack[self.app.screen_stack.index(self) - 1]
        rows = below._compositor.render_strips(self.size)  # noqa: SLF001 - Textual has no other access to them
        return [row.crop(crop.x, crop.right) for row in rows[crop.y : crop.bottom]]
