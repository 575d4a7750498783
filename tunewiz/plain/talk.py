"""Lines out, lines in: no escape sequence, nothing that is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from rich.text import Text

from tunewiz.core.values.errors import TunewizError
from tunewiz.text.report import harmless
from tunewiz.text.wrapping import hanging

LONGEST_LINE = 65_536
"""Bytes; no answer comes near, and a stream without line ends is not read for ever."""

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
"""What screen readers spell out and old consoles lack."""

BETWEEN = " \N{MIDDLE DOT} "

BACK, LEAVE, HELP = "b", "q", "?"
HOW = (
    "Type a number or a value, then Enter. Enter alone takes what stands in brackets. "
    f"{BACK}: back. {LEAVE}: leave; what you answered is kept. {HELP}: this help."
)


class BackAsked(Exception):  # noqa: N818 - a wish, no error
    """The person wants to go back."""


class InputEndedError(TunewizError):
    """There is nobody left to answer."""


def stay() -> None:
    """What is done about a wish to leave where there is nothing to leave yet."""


@dataclass(kw_only=True, slots=True)
class Talk:
    """A dialogue with a person, or with a script that knows the questions."""

    source: BinaryIO
    sink: TextIO
    encoding: str
    """What the other side can show: its locale's."""
    width: int
    repeats: bool
    """Whether answers are written behind their questions: a terminal shows what is typed by itself."""
    leave: Callable[[], None] = stay
    """Asked for by a person: raises what ends the dialogue, or returns where it goes on."""

    def say(self, *paragraphs: str) -> None:
        """Say something; what hangs under a label stands after a tab."""
        for paragraph in paragraphs:
            for row in hanging(Text(_bare(paragraph)), self.width):
                self._write(row.plain.rstrip() + "\n")

    def read(self, texts: tuple[Text, ...]) -> None:
        """Say what the wizard shows on a page of its own."""
        self.say(*(text.plain for text in texts))

    def complain(self, what: str) -> None:
        """Say what was wrong with an answer."""
        self.say(f"! {what}".replace("\n", " "))

    def ask(self, prompt: str) -> str:
        """The next line that answers; raises BackAsked, and InputEndedError where none comes."""
        while True:
            self._write(f"{_bare(prompt)} ")
            match line := self._line():
                case "q" | "quit":
                    self.leave()
                case "b" | "back":
                    raise BackAsked
                case "?":
                    self.say(HOW)
                case _:
                    return line

    def _line(self) -> str:
        received = self.source.readline(LONGEST_LINE)
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
    """Without what a terminal would take for a command; a tab stands between a label and its text."""
    spoken = text.replace(BETWEEN, ", ").translate(SPOKEN)
    return "\t".join(map(harmless, spoken.split("\t")))
