"""Layers that override the files that a plan writes: reported, since no file changes them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import Override, PostgresServer
from tunewiz.core.values.identifiers import identifier
from tunewiz.core.values.known import known_or

RESTART_PENDING = "setting could not be applied"
"""The message in pg_file_settings both for a bad value and for a good one that waits for a restart."""


def overridden(server: PostgresServer, names: frozenset[str]) -> Iterator[str]:
    """Which of these settings roles and databases override."""
    for each in known_or(server.overrides, ()):
        if each.name in names:
            there = " on the primary" if known_or(server.role, "primary") == "standby" else ""
            yield (
                f"{each.name} is {each.value} {for_whom(each)}, which overrides what the plan sets: "
                f"{_statement(each)}{there} removes it."
            )


def for_whom(each: Override) -> str:
    """The role, the database, or both."""
    parts = (each.role and f"for the role {each.role}", each.database and f"in the database {each.database}")
    return " ".join(part for part in parts if part) or "for all roles"


def _statement(each: Override) -> str:
    if each.role and each.database:
        return f"ALTER ROLE {identifier(each.role)} IN DATABASE {identifier(each.database)} RESET {each.name}"
    if each.role:
        return f"ALTER ROLE {identifier(each.role)} RESET {each.name}"
    return (
        f"ALTER DATABASE {identifier(each.database)} RESET {each.name}"
        if each.database
        else f"ALTER ROLE ALL RESET {each.name}"
    )


def unusable_lines(server: PostgresServer) -> Iterator[str]:
    """Lines that the server cannot use: a reload drops them, a start may fail on them."""
    for each in known_or(server.file_errors, ()):
        subject = f"{each.name}: " if each.name else ""
        if each.error == RESTART_PENDING:
            yield (
                f"{each.place}: {subject}waits for a restart, or its value is not one that the server "
                f"accepts."
            )
        else:
            yield f"{each.place}: {subject}{each.error}: the server would not start with this line."


def fatal_lines(server: PostgresServer) -> Iterator[str]:
    """Lines with which the server does not start."""
    for each in known_or(server.file_errors, ()):
        if each.error != RESTART_PENDING:
            yield f"{each.place}: {each.name}: {each.error}" if each.name else f"{each.place}: {each.error}"


def out_of_reach(server: PostgresServer, names: frozenset[str]) -> Iterator[str]:
    """Settings on the command line or in the environment, which no file overrides."""
    settings = known_or(server.settings, {})
    for name in sorted(names & settings.keys()):
        match settings[name].source:
            case "command line":
                yield f"{name} is set on the server's command line: no file overrides that."
            case "environment variable":
                yield f"{name} comes from the environment in which the server was started."
            case _:
                pass
