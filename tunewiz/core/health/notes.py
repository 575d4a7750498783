"""What is no trouble as long as somebody knows it."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.end_of_life import END_OF_LIFE, POLICY, SUPPORTED_UNTIL
from tunewiz.core.values.known import Known, known_or

_ARCHIVING = frozenset({"on", "always"})
NEWEST_SUPPORTED = max(SUPPORTED_UNTIL)


def notes_on(situation: Situation) -> Iterator[str]:
    """Of a running primary whose settings are known."""
    server = situation.server
    if isinstance(server, PostgresServer) and not _archives(server):
        yield (
            "archive_mode is off: there is no way back to a point in time, unless another program collects "
            "this server's WAL (pg_receivewal, Barman by streaming). A dump goes back to when it was made"
        )
    if isinstance(server, PostgresServer) and _archives_nowhere(server):
        yield (
            "archive_mode is on and nothing says how to archive (archive_command and archive_library are "
            "empty): the server counts no failure, and keeps all WAL until one is set, or the disk is full"
        )


def _archives_nowhere(server: PostgresServer) -> bool:
    """Whether a server that keeps WAL for the archive has no command and no library for it."""
    settings = known_or(server.settings, NO_SETTINGS)
    mode, role = settings.get("archive_mode"), known_or(server.role, None)
    if mode is None or mode.value not in _ARCHIVING or (role == "standby" and mode.value != "always"):
        return False
    command, library = settings.get("archive_command"), settings.get("archive_library")
    return command is not None and not command.value and (library is None or not library.value)


def notes_on_support(situation: Situation, today: str) -> Iterator[str]:
    """That no minor release mends this major any more, or none will within a year.

    Args:
        situation: With the planned server.
        today: YYYY-MM-DD; empty if the day is not known, then only what has ended for sure is said.
    """
    server, major = situation.server, situation.major
    if not isinstance(server, PostgresServer) or not isinstance(server.major, Known):
        return
    upgrade = f"`tunewiz upgrade --to {NEWEST_SUPPORTED}` says what becomes of its settings"
    ends = END_OF_LIFE.get(major) or SUPPORTED_UNTIL.get(major, "")
    if major in END_OF_LIFE or (ends and ends < today):
        yield f"PostgreSQL {major} has had no fixes since {ends} ({POLICY}): {upgrade}"
    elif ends and today and ends <= _a_year_after(today):
        yield f"PostgreSQL {major} gets its last fixes on {ends} ({POLICY}): plan its upgrade; {upgrade}"


def _a_year_after(today: str) -> str:
    """As text that compares by time: of 29 February too."""
    return f"{int(today[:4]) + 1:04}{today[4:]}"


def _archives(server: PostgresServer) -> bool:
    """Whether it archives its WAL; a standby need not, nor does this judge settings that are not known."""
    mode = known_or(server.settings, NO_SETTINGS).get("archive_mode")
    return mode is None or mode.value != "off" or known_or(server.role, None) == "standby"
