"""Other wizards on this host: told where they are seen, since two plans would share out the same memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tunewiz.wizard.other_wizards import Presence


class Neighbours:
    """Listens while the application runs."""

    def __init__(self, presence: Presence, tell: Callable[[str], None]) -> None:
        self._presence = presence
        self._tell = tell

    def look(self) -> None:
        """Tell of one that was here first, and of each that comes later."""
        if self._presence.before:
            self._tell(self._presence.before)
        if self._presence.held is not None:
            asyncio.get_running_loop().add_reader(self._presence.held, self._greet)

    def _greet(self) -> None:
        if newcomer := self._presence.arrived():
            self._tell(newcomer)

    def leave(self) -> None:
        """Make room."""
        if self._presence.held is not None:
            asyncio.get_running_loop().remove_reader(self._presence.held)
            self._presence.leave()
