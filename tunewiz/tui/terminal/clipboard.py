"""The terminal's clipboard by OSC 52: the bytes, and which terminals take such sequences, links among them.

xterm's control sequences, "Operating System Commands", Ps = 5 2. Nothing answers: the terminal may ignore it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

MOST = 74_994
"""Bytes of text: hterm takes sequences of up to 100,000 bytes, of which base64 makes four of three."""

WITHOUT = ("linux", "vt", "dumb", "ansi", "cons")
"""Terminals that print the sequence, or parts of it, instead of taking it."""


def takes_commands(environ: Mapping[str, str]) -> bool:
    """Whether the terminal takes operating system commands, or ignores those that it does not know."""
    term = environ.get("TERM", "")
    return bool(term) and not term.startswith(WITHOUT)


def takes_links(environ: Mapping[str, str]) -> bool:
    """Whether links (OSC 8) can be sent; GNU screen keeps them to itself."""
    return takes_commands(environ) and not _is_gnu_screen(environ)


def _is_gnu_screen(environ: Mapping[str, str]) -> bool:
    return environ.get("TERM", "").startswith("screen") and "TMUX" not in environ


def why_not_copied(text: str, environ: Mapping[str, str]) -> str:
    """Why the text cannot be sent to the clipboard; empty if it can."""
    if not takes_commands(environ):
        term = environ.get("TERM") or "TERM is not set"
        return f"This terminal ({term}) has no clipboard that programs can reach."
    if len(text.encode()) > MOST:
        return f"Too long for a terminal's clipboard: found {len(text.encode())} bytes, at most {MOST}."
    return ""


def osc_52(text: str, environ: Mapping[str, str]) -> str:
    """The sequence; GNU screen passes it on only in an envelope of its own."""
    sequence = f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07"
    return f"\x1bP{sequence}\x1b\\" if _is_gnu_screen(environ) else sequence
