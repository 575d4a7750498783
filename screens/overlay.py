"""What stands over a page leaves the page around it as it is painted already.

Textual paints a page anew under a question, in other words of the same colours: twice the bytes.
"""

from __future__ import annotations

from typing import TypeVar

from textual import getters
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.strip import Strip

from tunewiz.screens.widgets.paint import any_app

T = TypeVar("T")


class Over(ModalScreen[T]):
    """A question in a box; the answer closes it."""

    app = getters.app(any_app)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Around the box: the rows of the screen below, unchanged."""
        below = self.app.screen_stack[self.app.screen_stack.index(self) - 1]
        rows = below._compositor.render_strips(self.size)  # noqa: SLF001 - Textual has no other door to them
        return [row.crop(crop.x, crop.right) for row in rows[crop.y : crop.bottom]]
