"""Which processes work on a run: kernel locks, which are released however a process ends."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import RunDirectory

SECONDS_TO_LOCK = 10
"""Checking whether a lock is held takes it for a moment: that is waited for."""


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Hold a lock; raises RefusedError if someone else does."""
    descriptor = _opened(file)
    try:
        _take(descriptor, f"{file}: another process is working on this run")
        yield
    finally:
        os.close(descriptor)


@contextmanager
def beginning(place: RunDirectory) -> Generator[None]:
    """Begin or continue a run while nobody else does; the records' directory is ours alone then.

    Raises:
        RefusedError: Someone else does, or the directory is someone else's or cannot be had.
    """
    records = place.directory.parent
    try:
        records.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(records, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise RefusedError(f"{records}: cannot be used for records: {error.strerror or error}") from error
    try:
        _close_to_others(descriptor, place)
        _take(descriptor, "another run begins on this machine")
        yield
    finally:
        os.close(descriptor)


def _close_to_others(descriptor: int, place: RunDirectory) -> None:
    """As the bundles' scripts do: what is read there is acted on with our rights."""
    if os.fstat(descriptor).st_uid != os.geteuid():
        raise RefusedError(f"{place.directory.parent} belongs to someone else")
    os.fchmod(descriptor, 0o700)
    with suppress(FileNotFoundError):
        status = os.stat(place.directory.name, dir_fd=descriptor, follow_symlinks=False)
        if status.st_uid != os.geteuid() or not stat.S_ISDIR(status.st_mode):
            raise RefusedError(f"{place.directory}: found somebody else's, expected a directory of ours")


def _take(descriptor: int, held: str) -> None:
    until = time.monotonic() + SECONDS_TO_LOCK
    while not _takes(descriptor, fcntl.LOCK_EX):
        if time.monotonic() > until:
            raise RefusedError(held)
        time.sleep(0.05)


def is_under_way(place: RunDirectory) -> bool:
    """Whether the process that measures, or the one that guards it, is running."""
    return any(map(_is_locked, place.locks))


def _is_locked(file: Path) -> bool:
    try:
        # Not created here: a run that ends at this moment removes its files.
        descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        # Shared: two processes that check at once do not block each other.
        return not _takes(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _opened(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def _takes(descriptor: int, how: int) -> bool:
    try:
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
