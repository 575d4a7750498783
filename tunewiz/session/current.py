"""The session file of this run of the wizard; what reads and writes it is imported when used."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tunewiz.session.store import SessionError, latest, listed, remove

if TYPE_CHECKING:
    from tunewiz.session.record import Session


class CurrentSession:
    """A run has one file from its first step on; a resumed run continues in the file it came from."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file: Path | None = None

    def save(self, session: Session) -> None:
        """Keep the session; raises SessionError."""
        from tunewiz.session.record import new_file, save  # noqa: PLC0415 - see above

        if self._file is None:
            self._file = new_file(self._directory, session.facts, datetime.now(UTC))
        save(session, self._file)

    def load(self) -> Session:
        """The newest session, or the one of this run; raises InputError."""
        from tunewiz.session.record import load  # noqa: PLC0415 - see above

        file = self._file or latest(self._directory)
        session = load(file)
        self._file = file
        return session

    def forget(self) -> None:
        """Remove the session of this run, if there is one; raises SessionError."""
        if self._file is not None:
            remove(self._file)
            self._file = None

    def in_words(self) -> str:
        """What an earlier run left, in words; empty if there is nothing, or nothing readable."""
        try:
            found = listed(self._directory)
        except SessionError:
            return ""
        return f"from {found[0].when.astimezone():%Y-%m-%d %H:%M}" if found else ""
