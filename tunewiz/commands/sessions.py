"""`tunewiz sessions`: lists the saved sessions of the wizard, and deletes them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from tunewiz.commands.options import Options
from tunewiz.console import output
from tunewiz.core.values.errors import InputError, UsageError
from tunewiz.core.values.known import known_or
from tunewiz.core.values.names import meant
from tunewiz.core.values.plural import how_many
from tunewiz.core.words.harmless import harmless
from tunewiz.session.fleet_record import FleetSession
from tunewiz.session.hold import Hold
from tunewiz.session.record import AnySession, Session, load
from tunewiz.session.store import (
    StoredSession,
    age_in_words,
    listed,
    remove,
    sessions_directory,
    visits_directory,
)


def run_sessions(options: Options) -> int:
    """List the sessions, or remove those that are named."""
    sessions = sessions_directory(os.environ)
    stored = listed(sessions, visits_directory(sessions))
    result = {saved_session.file.stem: saved_session for saved_session in stored}
    if options.remove_all:
        _remove(saved_session.file for saved_session in result.values())
    elif options.remove:
        for name in options.remove:
            if name not in result:
                hint = meant(name, result) or "`tunewiz sessions` lists them."
                raise UsageError(f"sessions: found no session {name!r}", hint)
        _remove(result[name].file for name in options.remove)
    else:
        output.write("".join(f"{_line(name, saved_session)}\n" for name, saved_session in result.items()))
    return 0


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        hold = Hold(file)  # no other wizard has it, or this ends here
        remove(file)
        hold.release()


def _line(name: str, saved: StoredSession) -> str:
    age = age_in_words((datetime.now(UTC) - saved.when).total_seconds())
    when = f"{saved.when.astimezone():%Y-%m-%d %H:%M} ({age})"
    try:
        session = load(saved.file)
    except InputError as error:
        return harmless(f"{name}  {when}  cannot be resumed: {error.message}")
    if saved.file.parent == visits_directory(sessions_directory(os.environ)):
        return harmless(f"{name}  {when}  {_finished(session)}")
    return harmless(f"{name}  {when}  {_stand(session)}")


def _finished(visit: AnySession) -> str:
    bundle = f", wrote {visit.out}" if isinstance(visit, Session) and visit.out else ""
    return f"finished{bundle}; kept to tell what changed since"


def _stand(session: AnySession) -> str:
    if isinstance(session, FleetSession):
        hosts, decided = how_many(len(session.hosts), "host"), len(session.own)
        return f"{hosts} of {session.place}, {decided:,} with decisions"
    changes = f", {how_many(session.changes, 'change')}" if session.changes else ""
    return f"{known_or(session.facts.host.name, 'this machine')}, at {session.step}{changes}"
