"""The saved sessions of earlier runs, without reading them: the first page lists them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeGuard

from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.core.values.names import meant
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass
from tunewiz.core.words.harmless import harmless

SUFFIX = ".json"
_CUT_OFF = "cannot be resumed"


class SessionError(TunewizError):
    """A session cannot be saved; the wizard continues without."""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredSession:
    """A session on disk, unread."""

    file: Path
    when: datetime
    """Of the last step, in UTC."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """A session to choose, in words."""

    name: str
    about: str
    """Machine, page and changes; or that it cannot be resumed."""
    age: str
    """`12 min ago`."""


def sessions_directory(environ: Mapping[str, str]) -> Path:
    """Where sessions are kept (XDG base directory specification: only absolute paths count)."""
    stated = environ.get("XDG_STATE_HOME", "")
    state = Path(stated) if stated.startswith("/") else Path.home() / ".local" / "state"
    return state / "tunewiz" / "sessions"


def visits_directory(sessions: Path) -> Path:
    """Where finished runs leave what they read, beside the sessions: one file for each host."""
    return sessions.with_name("visits")


def listed(*directories: Path) -> tuple[StoredSession, ...]:
    """The sessions on disk, the newest first; none of a directory that is not there."""
    stored = [session for directory in directories for session in _in_directory(directory)]
    return tuple(sorted(stored, key=lambda session: (session.when, session.file.name), reverse=True))


def _in_directory(directory: Path) -> list[StoredSession]:
    try:
        names = [path for path in directory.iterdir() if path.suffix == SUFFIX and path.is_file()]
        return [
            StoredSession(file=name, when=datetime.fromtimestamp(name.stat().st_mtime, UTC)) for name in names
        ]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SessionError(f"{directory}: cannot be read: {error.strerror or error}") from error


def glance(saved: StoredSession, moment: datetime) -> Earlier:
    """What a session is about, without reading its facts and answers as such."""
    return Earlier(
        name=saved.file.stem,
        about=harmless(_about(saved.file)),
        age=age_in_words((moment - saved.when).total_seconds()),
    )


def _about(file: Path) -> str:
    try:
        saved: object = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return _CUT_OFF
    return _of_fleet(saved) or _of_host(saved) if _is_object(saved) else _CUT_OFF


def _is_object(data: object) -> TypeGuard[dict[str, object]]:
    """Whether this is an object of JSON, whose keys are always texts; the readers of records come later."""
    return isinstance(data, dict)


def _of_fleet(saved: Mapping[str, object]) -> str:
    """Empty where it is no fleet's."""
    directory, hosts = saved.get("fleet"), saved.get("hosts")
    return (
        f"{directory} · {how_many(len(hosts), 'host')}"
        if isinstance(directory, str) and _is_object(hosts)
        else ""
    )


def _of_host(saved: Mapping[str, object]) -> str:
    step, facts, count = saved.get("step"), saved.get("facts"), saved.get("changes")
    host = facts.get("host") if _is_object(facts) else None
    if not isinstance(step, str) or not _is_object(host):
        return _CUT_OFF
    changes = how_many(count, "change") if isinstance(count, int) else ""
    return " · ".join(text for text in (_name_of(host), step, changes) if text)


def _name_of(host: Mapping[str, object]) -> str:
    match host.get("name"):
        case {"value": str(name)} | str(name):
            return name
        case _:
            return "this machine"


_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def age_in_words(seconds: float) -> str:
    """How long ago, in the largest unit of which there are at least two.

    >>> age_in_words(3), age_in_words(720), age_in_words(7_300), age_in_words(1_100_000)
    ('just now', '12 min ago', '2 h ago', '12 days ago')
    """
    for unit, name in ((_DAY, "days"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2 * unit or (unit == _MINUTE and seconds >= unit):
            return f"{seconds // unit:.0f} {name} ago"
    return "just now"


def latest(directory: Path) -> Path:
    """The file of the newest session; raises InputError where there is none."""
    result = listed(directory)
    if not result:
        raise InputError(f"{directory}: found no session to resume", "Start without --resume.")
    return result[0].file


def lock_of(file: Path) -> Path:
    """The file beside a session that its wizard holds."""
    return file.with_name(f".{file.name}.lock")


def named(directory: Path, name: str) -> Path:
    """The file of the session of that name; raises InputError where there is none."""
    result = {saved.file.stem: saved.file for saved in listed(directory)}
    if name not in result:
        hint = meant(name, result) or "`tunewiz sessions` lists them."
        raise InputError(f"{directory}: found no session {name!r}", hint)
    return result[name]


def remove(file: Path) -> None:
    """Deletes a session; it is fine if it is already gone. Raises SessionError."""
    try:
        file.unlink(missing_ok=True)
        lock_of(file).unlink(missing_ok=True)
    except OSError as error:
        raise SessionError(f"{file}: cannot be removed: {error.strerror or error}") from error
