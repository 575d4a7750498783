"""The keys of a page for its help, completed from the page's own bindings: none can be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from textual.binding import Binding
from textual.widget import Widget

from tunewiz.screens.page import HELP, Page
from tunewiz.screens.step_page import StepPage
from tunewiz.screens.widgets.key_bar import Key

SHARED = (Page, StepPage)
"""Their keys work on every page, and stand in the part of the help that all pages share."""
SHOWN = {
    "colon": ":",
    "escape": "esc",
    "f1": "F1",
    "f2": "F2",
    "left_square_bracket": "[",
    "pagedown": "page down",
    "pageup": "page up",
    "question_mark": "?",
    "right_square_bracket": "]",
    "slash": "/",
}
"""Textual's names of keys, as people call them; the others are the same."""

Pairs = Sequence[tuple[str, str]]
"""Keys, and what they do."""


def keys_of(page: Widget, written: Pairs) -> tuple[tuple[str, str], ...]:
    """What is written about a page's keys, and after it each binding that is not written about."""
    known = {key for label, _ in written for key in keys_in(label)}
    missing = tuple(_missing(page, known))
    return (*written, *missing)


def keys_in(label: str) -> frozenset[str]:
    """The keys that a line of the help is about.

    >>> sorted(keys_in("up, down and F1")), sorted(keys_in("1 to 3"))
    (['F1', 'down', 'up'], ['1', '2', '3'])
    """
    if digits := re.fullmatch(r"(\d) to (\d)", label):
        return frozenset(map(str, range(int(digits[1]), int(digits[2]) + 1)))
    return frozenset(re.split(r", | and | or ", label))


def bindings_of(kind: type[object]) -> Iterator[Binding]:
    """The bindings that a class and those it is made from declare, without the shared ones and Textual's."""
    for entry in kind.__mro__:
        if entry.__module__.startswith("tunewiz.") and entry not in SHARED:
            declared: Sequence[object] = vars(entry).get("BINDINGS", ())
            yield from (binding for binding in declared if isinstance(binding, Binding))


def names_of(binding: Binding) -> tuple[str, ...]:
    """A binding's keys as people call them."""
    return tuple(SHOWN.get(key, key) for key in binding.key.split(","))


def _missing(page: Widget, known: set[str]) -> Iterator[tuple[str, str]]:
    for binding in bindings_of(type(page)):
        left = [name for name in names_of(binding) if name not in known]
        if left and binding.action != HELP.action:
            known.update(left)
            yield ", ".join(left), _words(page, binding)


def _words(page: Widget, binding: Binding) -> str:
    """As the footer has them, in full; otherwise the binding's own."""
    keys: Sequence[Key] = page.keys() if isinstance(page, Page) else ()
    named = [key.named for key in keys if key.action == binding.action]
    return named[0] if named else f"{binding.description[:1].lower()}{binding.description[1:]}"
