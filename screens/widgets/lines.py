"""A block of text that wraps at words, its later lines below the first word."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from tunewiz.screens.widgets.paint import strip
from tunewiz.text.wrapping import hanging, wrapped


class Lines(Widget):
    """Wrapped text, painted row by row."""

    DEFAULT_CSS = """
    Lines { height: auto; width: 1fr; }
    """

    def __init__(self, *texts: Text | str, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(id=id, classes=classes)
        self._texts = tuple(texts)
        self._reserved: Sequence[Sequence[Text | str]] = ()
        self._wrapped_for: tuple[int, Sequence[Text | str]] = (-1, ())
        self._rows: list[Strip] = []

    def reserve(self, *variants: Sequence[Text | str]) -> None:
        """Keep the height of the highest of these: what is below does not move, so it is not sent again."""
        self._reserved = variants

    def write(self, *texts: Text | str) -> None:
        """Show these paragraphs instead; the height follows, or it would tell what was shown meanwhile."""
        self._texts = tuple(texts)
        height = self.get_content_height(self.size, self.size, self.size.width)
        self.refresh(layout=self.styles.is_auto_height and height != self.size.height)

    @property
    def plain(self) -> str:
        """What is shown, without styles."""
        return "\n".join(text if isinstance(text, str) else text.plain for text in self._texts)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text takes at this width."""
        del container, viewport
        # Not smaller if a scroll bar takes the last cell: it would come and go for ever.
        width = max(1, width)
        rows = (sum(len(_rows(text, width)) for text in texts) for texts in self._reserved)
        return max(1, len(self._strips(width)), *rows)

    def render_line(self, y: int) -> Strip:
        """One row of the wrapped text."""
        rows = self._strips(self.size.width)
        width = self.size.width
        return rows[y] if y < len(rows) else Strip.blank(width)

    def _strips(self, width: int) -> list[Strip]:
        if self._wrapped_for != (width, self._texts):
            rows = (row for text in self._texts for row in _rows(text, width))
            self._rows = [strip(row, width) for row in rows]
            self._wrapped_for = (width, self._texts)
        return self._rows


def _rows(text: Text | str, width: int) -> Sequence[Text]:
    """Continuation rows are indented like the first."""
    paragraph = Text(text) if isinstance(text, str) else text
    return wrapped(text, width) if width <= 0 or paragraph.no_wrap else hanging(paragraph, width)


class Rule(Widget):
    """A line across the page; near its right end it may have a legend."""

    DEFAULT_CSS = """
    Rule { height: 1; width: 1fr; }
    """

    def __init__(self, legend: Text | None = None, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        self._legend = legend or Text()

    def write(self, legend: Text) -> None:
        """Show this legend instead."""
        if legend != self._legend:
            self._legend = legend
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line, as wide as the page, with the legend in it."""
        del y
        width, legend = self.size.width, self._legend
        if not legend.plain or legend.cell_len + 2 > width:
            return strip(Text("─" * width, style="dim"), width)
        line = "─" * (width - legend.cell_len - 3)
        return strip(Text.assemble((line, "dim"), " ", legend, " ", ("─", "dim")), width)
