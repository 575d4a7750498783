"""The footer: what each key does; each is also a button for tab and enter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import ClassVar

from rich.text import Text
from textual import events, getters
from textual.binding import Binding, BindingType
from textual.containers import HorizontalScroll
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from tunewiz.core.values.record import dataclass
from tunewiz.screens.widgets.paint import any_app, strip

GAP = 2
"""Cells between two keys."""
MORE = "10 more in "
"""Room for how many keys only the help names."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """A key shown in the footer."""

    key: str
    """The key's name: `enter`, `esc`, `/`."""
    does: str
    action: str
    """The screen's action; empty for keys that only a focused widget handles."""
    full: str = ""
    """What it does, in full."""

    @property
    def named(self) -> str:
        """What it does, in full if that is given."""
        return self.full or self.does

    @property
    def width(self) -> int:
        """The key and its word, in cells."""
        return len(self.key) + 1 + len(self.does)


class KeyButton(Widget, can_focus=True):
    """One key of the footer; enter or space on it presses the key."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", "Press", show=False)]

    DEFAULT_CSS = """
    KeyButton { width: auto; height: 1; margin: 0 2 0 0; }
    """

    app = getters.app(any_app)

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key
        self._more = ""
        self.can_focus = bool(key.action)

    def tell_more(self, count: int) -> None:
        """Say how many keys there are that have no room here: the help names them."""
        more = f"{count} more in " if count else ""
        if more != self._more:
            self._more = more
            self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The key and its word."""
        del container, viewport
        return self.key.width + len(self._more)

    def on_focus(self) -> None:
        """Move the terminal's own cursor too: screen readers follow it."""
        self.app.cursor_position = self.content_region.offset

    def render_line(self, y: int) -> Strip:
        """The key in bold, its label plain; reversed if it has the focus."""
        del y
        text = Text.assemble((self.key.key, "bold"), " ", self._more, self.key.does)
        if self.has_focus:
            text.stylize("reverse")
        return strip(text, self.size.width)

    async def on_click(self) -> None:
        """With `--mouse`: a click presses the key."""
        if self.key.action:
            await self.action_press()

    async def action_press(self) -> None:
        """Run the key's action."""
        await self.screen.run_action(self.key.action)


class KeyBar(HorizontalScroll, can_focus=False):
    """The footer: keys that do not fit are left out, the last key last; the help lists them all."""

    DEFAULT_CSS = """
    KeyBar { height: 1; padding: 0 0 0 1; scrollbar-size-horizontal: 0; }
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        self._presses = tuple(KeyButton(key) for key in keys)
        super().__init__(*self._presses)

    def on_resize(self, event: events.Resize) -> None:
        """Show as many keys as fit."""
        *others, last = self._presses
        room = event.size.width - 1 - last.key.width
        shown = _fitting([press.key.width + GAP for press in others], room)
        if shown < len(others):
            shown = _fitting([press.key.width + GAP for press in others], room - len(MORE))
        for number, press in enumerate(others):
            press.display = number < shown
        last.tell_more(len(others) - shown)


def _fitting(widths: Sequence[int], room: int) -> int:
    """How many of them fit, from the first on."""
    return sum(total <= room for total in accumulate(widths))
