"""Reports other wizards on this host: two plans would both claim the same memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tunewiz.wizard.other_wizards import Presence


class OtherWizards:
    """Listens for other wizards while the application runs."""

    def __init__(self, presence: Presence, tell: Callable[[str], None]) -> None:
        self._presence = presence
        self._tell = tell

    def look(self) -> None:
        """Report a wizard that was here first, and each that starts later."""
        if self._presence.before:
            self._tell(self._presence.before)
        if self._presence.held is not None:
            asyncio.get_running_loop().add_reader(self._presence.held, self._greet)

    def _greet(self) -> None:
        if newcomer := self._presence.arrived():
            self._tell(newcomer)

    def leave(self) -> None:
        """Stop listening."""
        if self._presence.held is not None:
            asyncio.get_running_loop().remove_reader(self._presence.held)
            self._presence.leave()
