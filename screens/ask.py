"""Small questions over a page: a text that is checked, or one of a few answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, TypeAlias

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.getters import query_one
from textual.widgets import Input

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.screens.messages import HelpAsked
from tunewiz.screens.overlay import Overlay
from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.key_bar import Key, KeyBar
from tunewiz.screens.widgets.lines import Lines
from tunewiz.screens.widgets.rows import RowList
from tunewiz.text.choice import Choice
from tunewiz.text.row import Row


@dataclass(frozen=True, slots=True)
class Typed:
    """The text that was typed, which passed the check."""

    text: str


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The question was closed."""


Answer: TypeAlias = Typed | Unanswered


def anything(text: str) -> None:
    """A check that accepts everything."""
    del text


class AskText(Overlay[Answer]):
    """Asks for a text; errors in it are shown before it is accepted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False),
        Binding("f1", "help", "Help", show=False),
    ]

    complaint = query_one("#complaint", Lines)
    field = query_one(Input)

    def __init__(
        self, title: str, about: str, *, value: str = "", check: Callable[[str], None] = anything
    ) -> None:
        super().__init__()
        self._title = title
        self._about = about
        self._value = value
        self._check = check

    def compose(self) -> ComposeResult:
        """Title, what is expected, the field, the error."""
        with Vertical(classes="box"):
            yield Lines(Text(self._title, style="bold"))
            yield Lines(*self._about.splitlines())
            yield self.make_field(self._value)
            yield Lines("", id="complaint")
            yield KeyBar(self.keys())

    def make_field(self, value: str) -> Field:
        """Where the text is typed."""
        return Field(value)

    def keys(self) -> tuple[Key, ...]:
        """What enter and escape do."""
        return (
            Key(key="enter", does="take it", action="take"),
            Key(key="esc", does="cancel", action="close"),
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Check and accept."""
        event.stop()
        self.action_take()

    def action_take(self) -> None:
        """Accept the text if it passes the check."""
        try:
            self._check(self.field.value.strip())
        except InputError as error:
            self.complaint.write(Text.assemble(("! ", "bold red"), (str(error), "bold")))
            self.field.focus()
        else:
            _ = self.dismiss(Typed(self.field.value.strip()))

    def action_help(self) -> None:
        """Show what enter and escape do here."""
        self.post_message(HelpAsked("ask"))

    def action_close(self) -> None:
        """Leave everything as it was."""
        _ = self.dismiss(Unanswered())


class AskOne(Overlay[str]):
    """Asks for one of a few answers, returned by its key; escape means the last one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close", show=False),
        Binding("f1,question_mark", "help", "Help", show=False),
    ]

    choices = query_one(RowList)

    def __init__(self, title: str, about: Sequence[str], choices: Sequence[Choice]) -> None:
        super().__init__()
        self._title = title
        self._about = tuple(about)
        self._choices = tuple(choices)

    def compose(self) -> ComposeResult:
        """Title, text, answers."""
        width = max(len(choice.title) for choice in self._choices)
        with Vertical(classes="box"):
            yield Lines(Text(self._title, style="bold"))
            yield Lines(*self._about, "")
            answers = RowList([_row(choice, width) for choice in self._choices], at=self._choices[0].key)
            answers.styles.height = len(self._choices)
            yield answers
            yield Lines("")
            yield KeyBar(
                (
                    Key(key="enter", does="answer", action="take"),
                    Key(key="esc", does=self._choices[-1].title.lower(), action="close"),
                )
            )

    @on(RowList.Chosen)
    def action_take(self) -> None:
        """Choose the answer under the cursor."""
        _ = self.dismiss(self.choices.key)

    def action_help(self) -> None:
        """Show what enter and escape do here."""
        self.post_message(HelpAsked("ask"))

    def action_close(self) -> None:
        """Choose the last answer."""
        _ = self.dismiss(self._choices[-1].key)


def _row(choice: Choice, width: int) -> Row:
    return Row(key=choice.key, text=Text.assemble(choice.title.ljust(width), "  ", (choice.about, "dim")))
