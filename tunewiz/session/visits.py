"""Earlier runs of the wizard, finished or not, that read this host: for whatever is compared with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or
from tunewiz.session.hold import is_held
from tunewiz.session.record import Session, load
from tunewiz.session.store import SessionError, StoredSession, listed, visits_directory

Visit: TypeAlias = tuple[StoredSession, Session]
MAX_READ = 20
"""Sessions that are read at most: older ones say little more."""


def visits(directory: Path, facts: Facts) -> tuple[Visit, ...]:
    """Those with earlier facts of the same host, the newest first; none where they cannot be read.

    A run that some wizard has open is no visit yet, nor is one that read the host after these facts: a run
    that is resumed is compared with what came before it.

    Args:
        directory: Where sessions are kept; what finished runs left is beside it.
        facts: Of this host.
    """
    return tuple(_visits(directory, facts))


def last_visit(directory: Path, facts: Facts) -> Visit | None:
    """The newest of them; None if there is none."""
    return next(_visits(directory, facts), None)


def _visits(directory: Path, facts: Facts) -> Iterator[Visit]:
    try:
        stored = listed(directory, visits_directory(directory))[:MAX_READ]
    except SessionError:
        return
    for entry in stored:
        if not is_held(entry.file) and (session := _of_host(entry, facts)) is not None:
            yield entry, session


def _of_host(stored: StoredSession, facts: Facts) -> Session | None:
    try:
        session = load(stored.file)
    except InputError:
        return None
    if isinstance(session, Session) and not session.origin and same_host(session.as_read, facts):
        return None if _is_later(session.as_read, facts) else session
    return None


def _is_later(other: Facts, facts: Facts) -> bool:
    """Whether it was read after these facts, as far as both times are known: both are UTC."""
    other_time, own_time = known_or(other.host.read_at, ""), known_or(facts.host.read_at, "")
    return bool(own_time) and other_time > own_time


def same_host(earlier: Facts, facts: Facts) -> bool:
    """By the machine id, where both know it, otherwise by name."""
    before, after = earlier.host.identity, facts.host.identity
    if isinstance(before, Known) and isinstance(after, Known):
        return before.value == after.value
    name = known_or(facts.host.name, "")
    return bool(name) and known_or(earlier.host.name, "") == name
