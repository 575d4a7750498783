"""Text for terminals with ASCII characters only, with the same width in cells."""

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
        **dict.fromkeys("├┤┬┴┼", "+"),
        **dict(zip("▁▂▃▄▅▆▇", "_.:-=+*", strict=True)),
        "█": "#",
        "░": ".",
        "▒": "=",
        "▓": "%",
        **dict.fromkeys("▏▎▍", "|"),
        **dict.fromkeys("▌▋▊▉", "#"),
        "▸": ">",
        "•": "*",
        "●": "@",
        "○": "o",
        "≡": "d",
        "✓": "v",
        "·": "-",
        "…": "~",
        "↑": "^",
        "↓": "v",
        "←": "<",
        "→": ">",
        "—": "-",
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "“": '"',
        "”": '"',
        "\N{LEFT SINGLE QUOTATION MARK}": "'",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{MICRO SIGN}": "u",
        "\N{NO-BREAK SPACE}": " ",
    }
)
"""Replacements for line-drawing characters and typographic marks."""

NO_CELL = frozenset({"Mn", "Me", "Cf"})
"""Unicode categories of combining and invisible characters."""


def in_ascii(text: str) -> str:
    """The text in ASCII: marks are replaced, accents removed, other characters become question marks."""
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
