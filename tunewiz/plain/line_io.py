"""Lines out, lines in: no escape sequences, nothing drawn."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from rich.text import Text

from tunewiz.core.values.errors import TunewizError
from tunewiz.core.words.harmless import harmless
from tunewiz.text.wrapping import hanging

MAX_LINE = 65_536
"""Bytes; longer than any answer, so that a stream without newlines is not read for ever."""

SPOKEN = str.maketrans(
    {
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{RIGHTWARDS ARROW}": "->",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{GREATER-THAN OR EQUAL TO}": ">=",
        "\N{LESS-THAN OR EQUAL TO}": "<=",
        "\N{NO-BREAK SPACE}": " ",
    }
)
"""Characters that screen readers spell out and old consoles lack."""
DRAWN = re.compile("[\u2580-\u259f]+ *")
"""A bar or a curve, whose figures stand beside it."""

BETWEEN = " \N{MIDDLE DOT} "

BACK, LEAVE, HELP = "b", "q", "?"
HOW = (
    "Type a number or a value, then Enter. Enter alone accepts the value in brackets. "
    f"{BACK}: back. {LEAVE}: leave; your answers are saved. {HELP}: this help."
)


class BackRequested(Exception):  # noqa: N818 - a request, not an error
    """The person wants to go back."""


class InputEndedError(TunewizError):
    """Standard input has ended."""


def stay() -> None:
    """Does nothing: there is nothing to leave yet."""


@dataclass(kw_only=True, slots=True)
class Talk:
    """A dialogue with a person, or with a script that answers the questions."""

    source: BinaryIO
    sink: TextIO
    encoding: str
    """The encoding of the other side's locale."""
    width: int
    repeats: bool
    """Whether answers are echoed after their questions: a terminal echoes by itself."""
    leave: Callable[[], None] = stay
    """Called when a person asks to leave: raises to end the dialogue, or returns to continue it."""

    def say(self, *paragraphs: str) -> None:
        """Print paragraphs; text after a tab is indented under its label."""
        for paragraph in paragraphs:
            for row in hanging(Text(_bare(paragraph)), self.width):
                self._write(row.plain.rstrip() + "\n")

    def read(self, texts: tuple[Text, ...]) -> None:
        """Print what the wizard shows on a page of its own."""
        self.say(*(text.plain for text in texts))

    def complain(self, what: str) -> None:
        """Print what was wrong with an answer, and on a line of its own what to do about it."""
        self.say(*f"! {what}".splitlines())

    def ask(self, prompt: str) -> str:
        """The next answer; raises BackRequested, and InputEndedError if there is none."""
        while True:
            self._write(f"{_bare(prompt)} ")
            match line := self._line():
                case "q" | "quit":
                    self.leave()
                case "b" | "back":
                    raise BackRequested
                case "?":
                    self.say(HOW)
                case _:
                    return line

    def _line(self) -> str:
        received = self.source.readline(MAX_LINE)
        if not received:
            self._write("\n")
            raise InputEndedError("standard input ended before the last question; nothing was written")
        line = received.decode("utf-8", errors="replace").strip()
        if self.repeats:
            self._write(f"{_bare(line)}\n")
        return line

    def _write(self, text: str) -> None:
        shown = text.encode(self.encoding, errors="replace").decode(self.encoding)
        self.sink.write(shown)
        self.sink.flush()


def _bare(text: str) -> str:
    """Without control characters and drawings; a tab separates a label from its text."""
    spoken = DRAWN.sub("", text).replace(BETWEEN, ", ").translate(SPOKEN)
    return "\t".join(map(harmless, spoken.split("\t")))
