"""Three kinds of question: one of several, something typed, yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tunewiz.core.values.errors import InputError
from tunewiz.plain.line_io import Talk
from tunewiz.text.choice import Choice

T = TypeVar("T")

YES = frozenset({"y", "yes"})
NO = frozenset({"n", "no"})


def ask_choice(talk: Talk, choices: Sequence[Choice], at: str) -> str:
    """The key of the answer that is chosen; Enter alone chooses `at`."""
    keys = [choice.key for choice in choices]
    for number, choice in enumerate(choices, 1):
        about = f": {choice.about}" if choice.about else ""
        talk.say(f"{number:>3}. \t{choice.title}{about}")
    usual = keys.index(at) + 1 if at in keys else 1
    while line := talk.ask(f"Number [{usual}]:"):
        if line.isascii() and line.isdigit() and 1 <= int(line) <= len(keys):
            return keys[int(line) - 1]
        talk.complain(f"expected a number from 1 to {len(keys)}, found {line!r}")
    return keys[usual - 1]


def ask_text(talk: Talk, title: str, about: str, usual: str, take: Callable[[str], T]) -> T:
    """What `take` makes of a line; if it raises InputError, the error is shown and the question repeated."""
    prompt = f"{title}: {about} [{usual}]:" if about else f"{title} [{usual}]:"
    while True:
        line = talk.ask(prompt) or usual
        try:
            return take(line)
        except InputError as error:
            talk.complain(str(error))


def ask_yes_no(talk: Talk, title: str, about: str, *, usual: bool) -> bool:
    """Yes or no."""
    prompt = f"{title}: {about} [{'yes' if usual else 'no'}]:"
    while line := talk.ask(prompt).lower():
        if line in YES | NO:
            return line in YES
        talk.complain(f"expected yes or no, found {line!r}")
    return usual
