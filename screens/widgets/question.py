"""A field with its label on the left and an explanation on the right."""

from __future__ import annotations

from typing import Self

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.questions import TypedQuestion
from tunewiz.screens.widgets.field import Field
from tunewiz.screens.widgets.lines import Lines


class QuestionField(Horizontal):
    """One line of a form."""

    DEFAULT_CSS = """
    QuestionField { height: 1; padding: 0 1; }
    QuestionField > .label { width: 25; }
    QuestionField > Field, QuestionField > Field:focus { width: 11; }
    QuestionField > .about { width: 1fr; padding: 0 0 0 1; }
    """

    def __init__(self, label: str, value: str, about: str, *, id: str) -> None:  # noqa: A002 - as Textual names it
        super().__init__()
        self._label = label
        self._value = value
        self._about = about
        self._field = id

    @classmethod
    def of(cls, question: TypedQuestion, answers: Answers, *, id: str) -> Self:  # noqa: A002 - as Textual names it
        """A question with its current answer."""
        return cls(question.title, question.shown(answers), question.about, id=id)

    def make_field(self, value: str, name: str) -> Field:
        """Where the answer is typed; the name is its id."""
        return Field(value, id=name)

    def compose(self) -> ComposeResult:
        """Label, field, remark."""
        yield Lines(self._label, classes="label")
        yield self.make_field(self._value, self._field)
        yield Lines(Text(self._about, style="dim", no_wrap=True, overflow="ellipsis"), classes="about")
