"""A file for swapping."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.recommendation.actions import PLAIN_PATH, HostAction, Row


@dataclass(frozen=True, kw_only=True, slots=True)
class SwapFile(HostAction):
    """A file for swapping, made, switched on and listed in /etc/fstab."""

    path: str
    mebibytes: int

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        words = f"Makes the swap file {self.path} of {self.mebibytes} MiB"
        return f"{words}, switches it on, and lists it in /etc/fstab"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        plain = PLAIN_PATH.fullmatch(self.path)
        return "" if plain else f"{self.path!r} is not a path that /etc/fstab can name unescaped"

    def rows_before_files(self) -> Iterator[Row]:
        """The step."""
        yield "swap", self.path, str(self.mebibytes)
