"""Checks that nobody else can change a bundle, which runs with our rights; its own scripts check the same."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from tunewiz.bench.errors import RefusedError

_OTHERS_MAY_WRITE = 0o022


def check_trusted(directory: Path, environ: Mapping[str, str]) -> None:
    """Refuse a bundle that anyone except root, this user and the caller of sudo could change.

    Args:
        directory: The bundle, without links in the path.
        environ: Of this process.

    Raises:
        RefusedError: Someone else could.
        OSError: It cannot be looked at.
    """
    caller = environ.get("SUDO_UID", "")
    trusted = {0, os.geteuid(), int(caller) if caller.isascii() and caller.isdigit() else 0}
    for path, why in _open_to_others(directory, trusted):
        raise RefusedError(
            f"{path}: {why}, so someone else could change this bundle while it runs",
            "Copy it to a directory that only root can write (/root, say), chmod -R go-w it, and compare "
            "SHA256SUMS.",
        )


def _open_to_others(directory: Path, trusted: set[int]) -> Iterator[tuple[Path, str]]:
    for place in directory.parents:
        status = place.lstat()
        if status.st_uid not in trusted:
            yield place, "belongs to someone else"
        # In a sticky one, as /tmp is, what is ours stays ours.
        if status.st_mode & _OTHERS_MAY_WRITE and not status.st_mode & stat.S_ISVTX:
            yield place, "others may write to it"
    for path in (directory, *directory.rglob("*")):
        status = path.lstat()
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            yield path, "is neither a file nor a directory"
        if status.st_uid not in trusted or status.st_mode & _OTHERS_MAY_WRITE:
            yield path, "others own it or may write to it"
