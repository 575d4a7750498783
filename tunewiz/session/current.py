"""The session file of this run of the wizard; what reads and writes it is imported when used."""

from __future__ import annotations

import atexit
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from tunewiz.session.store import Earlier, SessionError, latest, listed, named, remove

if TYPE_CHECKING:
    from tunewiz.session.hold import Hold
    from tunewiz.session.record import AnySession


class CurrentSession:
    """A run has a file for each machine chosen in it; a resumed run goes on in the file it came from.

    No other wizard has the file meanwhile.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._file: Path | None = None
        self._hold: Hold | None = None
        self._one_by_one = RLock()  # one thread saves, another reads the next machine
        self._machine = ""
        atexit.register(self.let_go)

    def save(self, session: AnySession) -> None:
        """Keep the session; raises SessionError."""
        from tunewiz.session.record import machine_of, new_file, save  # noqa: PLC0415 - see above

        machine = machine_of(session)
        with self._one_by_one:
            if self._file is None or machine != self._machine:
                self._take(new_file(self._directory, session, datetime.now(UTC)), machine)
            if self._file is not None:
                save(session, self._file)

    def load(self, name: str = "") -> AnySession:
        """The session of that name; without one that of this run, else the newest. Raises InputError."""
        from tunewiz.session.record import load, machine_of  # noqa: PLC0415 - see above

        file = named(self._directory, name) if name else self._file or latest(self._directory)
        session = load(file)
        if file != self._file:
            self._take(file, machine_of(session))
        return session

    def _take(self, file: Path, machine: str) -> None:
        from tunewiz.session.hold import Hold  # noqa: PLC0415 - see above

        hold = Hold(file)
        self.let_go()
        self._file, self._hold, self._machine = file, hold, machine

    def let_go(self) -> None:
        """Let other wizards have the session."""
        with self._one_by_one:
            if self._hold is not None:
                self._hold.release()
            self._hold, self._file = None, None

    def forget(self) -> None:
        """Remove the session of this run, if there is one; raises SessionError."""
        if self._file is not None:
            remove(self._file)
            self.let_go()

    def earlier(self) -> tuple[Earlier, ...]:
        """The saved sessions, the newest first; none where they cannot be listed."""
        try:
            result = listed(self._directory)
        except SessionError:
            return ()
        return tuple(
            Earlier(name=saved_session.file.stem, when=f"{saved_session.when.astimezone():%Y-%m-%d %H:%M}")
            for saved_session in result
        )

    def in_words(self) -> str:
        """What an earlier run left, in words; empty if there is nothing, or nothing readable."""
        try:
            result = listed(self._directory)
        except SessionError:
            return ""
        return f"from {result[0].when.astimezone():%Y-%m-%d %H:%M}" if result else ""
