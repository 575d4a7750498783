"""The session file of this run of the wizard; what reads and writes it is imported when used."""

from __future__ import annotations

import atexit
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from tunewiz.core.values.errors import InputError
from tunewiz.session.store import (
    Earlier,
    SessionError,
    glance,
    latest,
    listed,
    named,
    remove,
    visits_directory,
)

if TYPE_CHECKING:
    from tunewiz.session.hold import Hold
    from tunewiz.session.record import AnySession

MOST_OFFERED = 10
"""Sessions that are offered: more do not fit on a screen of 24 lines."""


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
        self._is_worthless = False
        self._read_this_host = False
        atexit.register(self._release)

    def save(self, session: AnySession) -> None:
        """Keep the session; raises SessionError."""
        from tunewiz.session.record import Session, machine_of, new_file, save  # noqa: PLC0415 - see above

        machine = machine_of(session)
        with self._one_by_one:
            if self._file is None or machine != self._machine:
                self._take(new_file(self._directory, session, datetime.now(UTC)), machine)
            if self._file is not None:
                save(session, self._file)
                self._is_worthless = session.is_worthless
                self._read_this_host = isinstance(session, Session) and not session.origin

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
        self._is_worthless = False

    def let_go(self) -> None:
        """Let other wizards have the session; one with which nothing would be lost is removed."""
        with self._one_by_one:
            if self._file is not None and self._is_worthless:
                with suppress(SessionError):  # it can still be resumed, and removed later
                    remove(self._file)
            self._release()

    def _release(self) -> None:
        with self._one_by_one:
            if self._hold is not None:
                self._hold.release()
            self._hold, self._file = None, None

    def forget(self) -> None:
        """Remove the session of this run, if there is one; raises SessionError."""
        if self._file is not None:
            remove(self._file)
            self.let_go()

    def finish(self) -> None:
        """Keep what a finished run read of this host for the next visit, and nothing of others.

        It is no session any more: nothing of it is left to be done. Raises SessionError.
        """
        if self._file is None or not self._read_this_host:
            return self.forget()
        from tunewiz.session.record import keep_visit  # noqa: PLC0415 - see above

        keep_visit(self._file, visits_directory(self._directory))
        return self.forget()

    def earlier(self) -> tuple[Earlier, ...]:
        """The saved sessions, the newest first; none where they cannot be listed."""
        try:
            result = listed(self._directory)
        except SessionError:
            return ()
        return tuple(glance(saved, datetime.now(UTC)) for saved in result[:MOST_OFFERED])

    def remove(self, name: str) -> None:
        """Delete the session of that name; raises InputError where a wizard has it, SessionError."""
        from tunewiz.session.hold import Hold  # noqa: PLC0415 - see above

        file = named(self._directory, name)
        if file == self._file:
            raise InputError(f"{name} is this run's own session", "Leave and discard deletes it.")
        hold = Hold(file)
        remove(file)
        hold.release()

    def in_words(self) -> str:
        """What an earlier run left, in words; empty if there is nothing, or nothing readable."""
        try:
            result = listed(self._directory)
        except SessionError:
            return ""
        if not result:
            return ""
        newest = glance(result[0], datetime.now(UTC))
        return f"{newest.about} · {newest.age}"
