"""Parses answers as a person types them, checks their limits, and refuses them with what was expected."""

from __future__ import annotations

from tunewiz.core.answers.answers import Answers
from tunewiz.core.answers.limits import impossible_answers
from tunewiz.core.answers.server_limits import MAX_WINDOW, MIN_WINDOW
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import Bytes, Duration, UnitError
from tunewiz.core.values.versions import SUPPORTED, SUPPORTED_RANGE, Major, MajorError


def number(what: str, text: str) -> int:
    """A whole number, with or without commas between its digits; raises InputError."""
    digits = text.strip().replace(",", "")
    if not (digits.isascii() and digits.isdigit()):
        raise InputError(f"{what}: expected a whole number such as 200, found {text.strip()!r}")
    return int(digits)


def size(what: str, text: str) -> Bytes:
    """A size with one of PostgreSQL's units; raises InputError."""
    try:
        return Bytes.parse(text)
    except UnitError as error:
        raise InputError(f"{what}: expected a size such as 256GB or 2TB, found {text.strip()!r}") from error


def time(what: str, text: str) -> Duration:
    """A time with one of PostgreSQL's units; raises InputError."""
    try:
        return Duration.parse(text)
    except UnitError as error:
        raise InputError(f"{what}: expected a time such as 90s or 5min, found {text.strip()!r}") from error


def watching_time(what: str, text: str) -> Duration:
    """How long to watch a server at work, 0 for not at all; raises InputError."""
    duration = time(what, "0s" if text.strip() == "0" else text)
    if duration != Duration(0) and not MIN_WINDOW <= duration <= MAX_WINDOW:
        raise InputError(
            f"{what}: expected 0, or {MIN_WINDOW.pg()} to {MAX_WINDOW.pg()}, found {text.strip()!r}"
        )
    return duration


def major(what: str, text: str) -> str:
    """A supported major version; raises InputError."""
    try:
        result = Major.parse(text)
    except MajorError as error:
        raise InputError(f"{what}: expected {SUPPORTED_RANGE}, found {text.strip()!r}") from error
    if result not in SUPPORTED:
        raise InputError(f"{what}: expected {SUPPORTED_RANGE}, found {text.strip()!r}")
    return str(result)


def checked(answers: Answers) -> Answers:
    """The same answers, checked to be possible; raises InputError."""
    for strange in impossible_answers(answers):
        what = strange.key.rpartition(".")[2].replace("_", " ")
        raise InputError(f"{what}: expected {strange.expected}, found {strange.found}")
    return answers
