"""The terminal before Textual is imported: can the wizard start here, and how must Textual be configured?

Without a terminal Textual neither works nor ends; it reads its variables when it is imported.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from importlib import import_module
from types import ModuleType
from typing import cast

from tunewiz.core.values.errors import UsageError

WITHOUT_A_TERMINAL = (
    "Without one: `tunewiz --plain` asks line by line, `tunewiz plan` shows the recommendations, "
    "`tunewiz bundle --answers FILE -o DIR` writes the change bundle."
)

STREAMS = {0: "standard input", 1: "standard output", 2: "standard error"}

SETTINGS = {
    "TEXTUAL_ANIMATIONS": "none",
    "TEXTUAL_SMOOTH_SCROLL": "0",
    "TEXTUAL_THEME": "ansi-dark",
}
"""The terminal's own colours and no animation: each costs kilobytes over a slow link."""

ESCDELAY_OVER_SSH = "300"
"""Milliseconds allowed between the bytes of one key: over SSH they come in separate packets."""


SET_BY_PYTHON = ("C.UTF-8", "C.utf8")
"""What Python sets LC_CTYPE to when it finds no locale but C (PEP 538)."""

CONSOLES = ("linux", "vt")
"""Terminals whose fonts have few glyphs outside ASCII."""

COLORLESS = ("vt",)
"""Begins the names of terminals that have no colours; Rich takes them for terminals with 16."""


def check_terminal(streams: Mapping[int, str] = STREAMS) -> None:
    """Raises UsageError if there is no terminal, with what can be done instead."""
    redirected = [name for number, name in streams.items() if not os.isatty(number)]
    if redirected:
        raise UsageError(
            f"the wizard needs a terminal; {_listed(redirected)} not connected to one", WITHOUT_A_TERMINAL
        )


def moves_no_cursor(environ: Mapping[str, str]) -> bool:
    """Whether the terminal declares that it can only print lines."""
    return environ.get("TERM", "") in ("", "dumb")


def speaks_utf_8(environ: Mapping[str, str]) -> bool:
    """Whether the user's locale has characters outside ASCII.

    Python treats C as UTF-8, and sets LC_CTYPE as if the user had.
    """
    everything, kind, usual = (environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    if not everything and kind in SET_BY_PYTHON and usual in ("", "C", "POSIX"):
        return False
    locale = everything or kind or usual
    return "utf-8" in locale.lower().replace("utf8", "utf-8")


def draws_in_ascii(environ: Mapping[str, str]) -> bool:
    """Whether pages are drawn without lines and arrows: because of the locale, or on a bare console."""
    return not speaks_utf_8(environ) or environ.get("TERM", "").startswith(CONSOLES)


def _listed(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last} are" if first else f"{last} is"


def prepare(environ: MutableMapping[str, str]) -> None:
    """Configure Textual for a server; what the user has set takes precedence."""
    for name, value in SETTINGS.items():
        environ.setdefault(name, value)
    if environ.get("TERM", "").startswith(COLORLESS):
        environ.setdefault("NO_COLOR", "1")
    if "SSH_CONNECTION" in environ:
        environ.setdefault("ESCDELAY", ESCDELAY_OVER_SSH)


def import_asyncio() -> None:
    """Import it for Textual without ssl: the wizard connects to nothing, and OpenSSL takes 8 MB of memory."""
    if "asyncio" not in sys.modules and "ssl" not in sys.modules:
        sys.modules["ssl"] = cast("ModuleType", None)  # importing it fails; asyncio can do without
        _ = import_module("asyncio")
        del sys.modules["ssl"]
