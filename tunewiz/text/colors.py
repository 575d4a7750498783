"""Which of the terminal's own 16 colours means what; the user's theme decides how each looks.

No colour says anything alone: each goes with a mark or a word, and NO_COLOR leaves all of them out.
"""

from __future__ import annotations

ACCENT = "bold cyan"
"""The one accent: what is chosen, and what matters most on a page."""
FOR, AGAINST = "bold green", "bold yellow"
"""The signs of what speaks for and against something."""
CHANGES = "bold green"
"""The mark of a change that is made."""
CAUTION = "bold yellow"
"""Marks and words for what wants attention."""
DANGER = "bold red"
"""Marks and words for errors, and for what can go badly wrong."""
