"""One word of a file system's mount options, in force and in /etc/fstab."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.core.recommendation.actions import PLAIN_PATH, HostAction, Row


@dataclass(frozen=True, kw_only=True, slots=True)
class MountOption(HostAction):
    """One word of a file system's mount options, in /etc/fstab and in force."""

    mount: str
    instead_of: str
    option: str

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        words = f"Replaces {self.instead_of} with {self.option} for {self.mount}"
        return f"{words}, in force and in /etc/fstab"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        plain = PLAIN_PATH.fullmatch(self.mount)
        return "" if plain else f"{self.mount!r} is not a path that /etc/fstab can name unescaped"

    def rows_before_files(self) -> Iterator[Row]:
        """The step."""
        yield "mount", self.mount, self.instead_of, self.option
