"""A row of a list, as text."""

from __future__ import annotations

from rich.text import Text

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One row; a row without a key is a heading that the cursor passes over."""

    text: Text
    key: str = ""
    lit: int = 0
    """Cells highlighted under the cursor; 0 for the whole row. Fewer cost less on a slow line."""
