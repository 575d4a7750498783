"""What was observed before and after the change, from watched windows that are named here."""

from __future__ import annotations

from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.plain.line_io import BackRequested, Talk
from tunewiz.plain.prompts import ask_text
from tunewiz.text.observed import QUESTION, SIDES, compared_lines, result_rows, window_rows
from tunewiz.wizard.ports import Ports

ABOUT = "from watched windows, observed and not proved"
TITLE = "What was observed before and after the change"


def show_observed(talk: Talk, ports: Ports, directory: str) -> None:
    """Ask for the two sides, and print what is found; back ends it."""
    windows = ports.windows(directory)
    talk.say("", QUESTION)
    talk.read(tuple(window_rows(windows)))
    try:
        before = ask_text(talk, "Before", SIDES["before"].rstrip("."), windows.before, _path)
        after = ask_text(talk, "After", SIDES["after"].rstrip("."), windows.after, _path)
    except BackRequested:
        return
    try:
        lines = tuple(compared_lines(ports.compare(before, after)))
    except TunewizError as error:
        talk.complain(str(error))
        return
    talk.read(tuple(result_rows(lines)))


def _path(text: str) -> str:
    if not text:
        raise InputError("expected a path, found nothing")
    return text
