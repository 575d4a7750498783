"""Layers that override the files that a plan writes: reported, since no file changes them."""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.core.facts.server import Override, PostgresServer, Setting
from tunewiz.core.values.identifiers import identifier
from tunewiz.core.values.known import known_or

RESTART_PENDING = "setting could not be applied"
"""The message in pg_file_settings both for a bad value and for a good one that waits for a restart."""


def overridden(server: PostgresServer, names: frozenset[str]) -> Iterator[str]:
    """Which of these settings roles and databases override."""
    for override in known_or(server.overrides, ()):
        if override.name in names:
            there = " on the primary" if known_or(server.role, "primary") == "standby" else ""
            yield (
                f"{override.name} is {override.value} {for_whom(override)}, which "
                f"overrides what the plan sets: "
                f"{removal(override)}{there} removes it."
            )


def for_whom(override: Override) -> str:
    """The role, the database, or both."""
    parts = (
        override.role and f"for the role {override.role}",
        override.database and f"in the database {override.database}",
    )
    return " ".join(part for part in parts if part) or "for all roles"


def removal(override: Override) -> str:
    """The statement that takes it away."""
    if override.role and override.database:
        return (
            f"ALTER ROLE {identifier(override.role)} IN DATABASE "
            f"{identifier(override.database)} RESET {override.name}"
        )
    if override.role:
        return f"ALTER ROLE {identifier(override.role)} RESET {override.name}"
    return (
        f"ALTER DATABASE {identifier(override.database)} RESET {override.name}"
        if override.database
        else f"ALTER ROLE ALL RESET {override.name}"
    )


def unusable_lines(server: PostgresServer) -> Iterator[str]:
    """Lines that the server cannot use: a reload drops them, a start may fail on them."""
    for file_error in known_or(server.file_errors, ()):
        subject = f"{file_error.name}: " if file_error.name else ""
        if file_error.error == RESTART_PENDING:
            yield (
                f"{file_error.place}: {subject}waits for a restart, or its value is not one that the server "
                f"accepts."
            )
        else:
            yield (
                f"{file_error.place}: {subject}{file_error.error}: the server would not start with this line."
            )


def waiting(server: PostgresServer) -> Iterator[str]:
    """Settings whose new values a restart puts in force, without those whose lines the server names."""
    named = {file_error.name for file_error in known_or(server.file_errors, ())}
    settings = known_or(server.settings, dict[str, Setting]())
    for name, setting in sorted(settings.items()):
        if setting.pending_restart and name not in named:
            yield (
                f"{name}: a new value waits in the server's files for a restart. Restart the server first: "
                "then the plan's own restart changes nothing else (apply.sh refuses it otherwise, or give "
                "--no-restart). A superuser finds the line in pg_file_settings, by its error."
            )


def fatal_lines(server: PostgresServer) -> Iterator[str]:
    """Lines with which the server does not start."""
    for file_error in known_or(server.file_errors, ()):
        if file_error.error != RESTART_PENDING:
            yield (
                f"{file_error.place}: {file_error.name}: {file_error.error}"
                if file_error.name
                else f"{file_error.place}: {file_error.error}"
            )


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
