"""Text for terminals that have the letters of ASCII only, cell for cell as wide as it was."""

from __future__ import annotations

import unicodedata

STAND_INS = str.maketrans(
    {
        "─": "-",
        "│": "|",
        "┌": "+",
        "┐": "+",
        "└": "+",
        "┘": "+",
        "█": "#",
        "░": ".",
        "▸": ">",
        "•": "*",
        "·": "-",
        "…": "~",
        "↑": "^",
        "↓": "v",
        "←": "<",
        "→": ">",
        "—": "-",
        "\N{EN DASH}": "-",
        "“": '"',
        "”": '"',
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{NO-BREAK SPACE}": " ",
    }
)
"""What the pages draw with, and the marks that texts use."""

NO_CELL = frozenset({"Mn", "Me", "Cf"})
"""Categories of what stands on or between letters."""


def in_ascii(text: str) -> str:
    """The text in ASCII: marks by stand-ins, letters without their accents, the rest as question marks."""
    return text if text.isascii() else "".join(map(_letter, text.translate(STAND_INS)))


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    if unicodedata.category(letter) in NO_CELL:
        return ""
    base = unicodedata.normalize("NFD", letter)[0]
    if base.isascii():
        return base
    return "??" if unicodedata.east_asian_width(letter) in ("W", "F") else "?"
