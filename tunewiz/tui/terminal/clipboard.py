"""The terminal's clipboard by OSC 52: which terminals take it, and the bytes that they are sent.

xterm's control sequences, "Operating System Commands", Ps = 5 2. Nothing answers: the terminal may ignore it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

MOST = 74_994
"""Bytes of text: hterm takes sequences of up to 100,000 bytes, of which base64 makes four of three."""

WITHOUT = ("linux", "vt", "dumb", "ansi", "cons")
"""Terminals that print the sequence, or parts of it, instead of taking it."""


def why_not_copied(text: str, environ: Mapping[str, str]) -> str:
    """Why the text cannot be sent to the clipboard; empty if it can."""
    term = environ.get("TERM", "")
    if not term or term.startswith(WITHOUT):
        return f"This terminal ({term or 'TERM is not set'}) has no clipboard that programs can reach."
    if len(text.encode()) > MOST:
        return f"Too long for a terminal's clipboard: found {len(text.encode())} bytes, at most {MOST}."
    return ""


def osc_52(text: str, environ: Mapping[str, str]) -> str:
    """The sequence; GNU screen passes it on only in an envelope of its own."""
    sequence = f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07"
    is_screen = environ.get("TERM", "").startswith("screen") and "TMUX" not in environ
    return f"\x1bP{sequence}\x1b\\" if is_screen else sequence
