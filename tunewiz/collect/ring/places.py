"""Where a server's ring is unless it is named: the machine's place, or one in the user's home."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tunewiz.core.server.sample_place import SAMPLES, server_name

SYSTEM = Path(SAMPLES)
RING = "ring"


def place_to_write(directory: str, environ: Mapping[str, str]) -> Path:
    """Where this user keeps what is seen of the server of a data directory.

    Args:
        directory: The data directory, without links in it.
        environ: Of this process.
    """
    if (given := environ.get("STATE_DIRECTORY", "")).startswith("/"):
        return Path(given.partition(":")[0]) / RING
    if os.geteuid() == 0:
        return SYSTEM / server_name(directory) / RING
    return _at_home(environ) / server_name(directory) / RING


def newest_place(directory: str, environ: Mapping[str, str]) -> Path | None:
    """The server's most recently written ring; None if none can be seen.

    Args:
        directory: The data directory, with or without links in it: a unit is named after what the plan says.
        environ: Of this process.
    """
    names = {server_name(text) for text in (directory, os.path.realpath(directory))}
    result = list(_existing(place / name / RING for place in (SYSTEM, _at_home(environ)) for name in names))
    return max(result, default=(0, None), key=lambda results: results[0])[1]


def _existing(paths: Iterator[Path]) -> Iterator[tuple[int, Path]]:
    for path in paths:
        try:
            yield path.stat(follow_symlinks=False).st_mtime_ns, path
        except OSError:
            continue


def _at_home(environ: Mapping[str, str]) -> Path:
    """XDG base directory specification: only absolute paths count."""
    stated = environ.get("XDG_STATE_HOME", "")
    state = Path(stated) if stated.startswith("/") else Path.home() / ".local" / "state"
    return state / "tunewiz" / "watch"
