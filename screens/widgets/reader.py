"""Text to read: longer than the screen, scrolled by the arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tunewiz.screens.widgets.paint import strip
from tunewiz.text.wrapping import hanging


class Reader(ScrollView, can_focus=True):
    """Wrapped paragraphs; text after a label is indented under it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Up", show=False),
        Binding("down,j", "scroll_down", "Down", show=False),
        Binding("pageup", "page_up", "Page up", show=False),
        Binding("pagedown,space", "page_down", "Page down", show=False),
        Binding("ctrl+u", "half_page(-1)", "Half a page up", show=False),
        Binding("ctrl+d", "half_page(1)", "Half a page down", show=False),
        Binding("home,g", "scroll_home", "Start", show=False),
        Binding("end,G", "scroll_end", "End", show=False),
    ]

    DEFAULT_CSS = """
    Reader { overflow-x: hidden; scrollbar-size-vertical: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id)
        self._texts: tuple[Text, ...] = ()
        self._lay_out: Callable[[int], tuple[Text, ...]] = lambda _width: self._texts
        self._rows: tuple[Text, ...] = ()
        self._starts: tuple[int, ...] = ()
        self._hit: tuple[int, str] = (-1, "")
        self._margin = 1

    def read(self, texts: Sequence[Text], *, margin: int = 1) -> None:
        """Show this text from its start; without a margin, copied rows have no extra blanks."""
        shown = tuple(texts)
        self.read_for_width(lambda _width: shown, margin=margin)

    def read_for_width(self, lay_out: Callable[[int], tuple[Text, ...]], *, margin: int = 1) -> None:
        """Show a text whose tables are laid out anew for each width, from its start."""
        self._lay_out = lay_out
        self._margin = margin
        self._hit = (-1, "")
        self.styles.scrollbar_size_vertical = margin
        self._wrap(self.size.width)
        self.scroll_to(y=0, animate=False, immediate=True)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Wrap the text again."""
        self._wrap(event.size.width)
        self.refresh()

    def action_half_page(self, direction: int) -> None:
        """Scroll by half of what is in view."""
        rows = direction * max(1, self.size.height // 2)
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False, immediate=True)

    def go_to(self, number: int) -> None:
        """Scroll until that text, counted from 0, is the first row, or as near as the end allows."""
        self.scroll_to(y=self._starts[number], animate=False, immediate=True)

    def mark(self, number: int, words: str) -> None:
        """Go to that text, counted from 0: its first row gets an arrow, the words are shown in reverse."""
        self._hit = (number, words)
        self._wrap(self.size.width)
        self.go_to(number)
        self.refresh()

    @property
    def plain(self) -> str:
        """What is shown, unwrapped."""
        return "\n".join(text.plain for text in self._texts)

    def _wrap(self, width: int) -> None:
        inner = width - 3 * self._margin  # a cell at each side, and the scroll bar
        self._texts = self._lay_out(inner)
        if not width:
            return  # not laid out yet: rows of the wrong width would be painted first
        paragraphs = [hanging(self._marked(number), inner) for number in range(len(self._texts))]
        self._starts = tuple(accumulate((len(rows) for rows in paragraphs), initial=0))
        self._rows = tuple(row for rows in paragraphs for row in rows)
        self.virtual_size = Size(width, len(self._rows))

    def _marked(self, number: int) -> Text:
        text = self._texts[number]
        if number != self._hit[0]:
            return text
        marked = text.copy()
        _ = marked.highlight_words((self._hit[1],), "reverse", case_sensitive=False)
        return marked

    def _margin_of(self, index: int) -> str:
        number = self._hit[0]
        is_hit = number >= 0 and index == self._starts[number]
        return ">" if is_hit and self._margin else " " * self._margin

    def render_line(self, y: int) -> Strip:
        """One wrapped row."""
        index, width = y + self.scroll_offset.y, self.scrollable_content_region.width or self.size.width
        row = self._rows[index] if index < len(self._rows) else Text()
        return strip(Text.assemble(self._margin_of(index), row), width)
