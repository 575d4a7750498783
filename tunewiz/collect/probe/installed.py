"""Where PostgreSQL's test programs are installed, and whether somebody else could have put them there."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

_PLACES = (
    "/usr/lib/postgresql/{major}/bin",
    "/usr/pgsql-{major}/bin",
    "/usr/lib/postgresql{major}/bin",
    "/usr/local/pgsql/bin",
    "/usr/bin",
)
"""Debian's packages, PGDG's RPM packages, Alpine and SUSE, the source, and the distributions' own."""


def installed_program(name: str, major: str, server: str, uid: int) -> str:
    """The path of a program, without links in it; empty where there is none that can be trusted.

    Args:
        name: `pg_test_fsync`.
        major: Of the server; empty where it is not known.
        server: The path of the server's own program; empty where it is not known.
        uid: The user that is going to run it: only this one and root may be able to change it.
    """
    result = (os.path.realpath(f"{directory}/{name}") for directory in _directories(major, server))
    return next((path for path in result if _is_program(path) and _only_of(path, uid)), "")


def _directories(major: str, server: str) -> Iterator[str]:
    if server.startswith("/"):
        yield str(Path(server).parent)
    yield from (place.format(major=major) for place in _PLACES if major or "{" not in place)


def _is_program(path: str) -> bool:
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return stat.S_ISREG(mode) and bool(mode & stat.S_IXUSR)


def _only_of(path: str, uid: int) -> bool:
    """Whether file and directories belong to root or that user, and nobody else may write to them."""
    try:
        result = [os.lstat(text) for text in (path, *map(str, Path(path).parents))]
    except OSError:
        return False
    return all(status.st_uid in {0, uid} and not status.st_mode & 0o022 for status in result)
