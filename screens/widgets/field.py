"""A text field without frame, blinking or colour."""

from __future__ import annotations

from textual.widgets import Input


class Field(Input):
    """Textual's input with little output, for slow lines; typing replaces its initial value."""

    DEFAULT_CSS = """
    Field, Field:focus {
        height: 1;
        width: 1fr;
        border: none;
        padding: 0;
        background: ansi_default;
        text-style: underline;
        & > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
        & > .input--selection { background: ansi_default; color: ansi_default; text-style: reverse; }
    }
    """

    def __init__(self, value: str, *, id: str | None = None) -> None:  # noqa: A002 - as Textual names it
        super().__init__(value, id=id, compact=True, select_on_focus=True)
        self.cursor_blink = False
