"""A row of a list: text that is made without Textual."""

from __future__ import annotations

from dataclasses import dataclass

from rich.text import Text


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One row; a row without a key is a heading that the cursor passes over."""

    text: Text
    key: str = ""
    lit: int = 0
    """How many cells stand out under the cursor; 0 for the whole row. Fewer cost less on a slow line."""
