"""Which processes work on a run: kernel locks, which are released however a process ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import Place

SECONDS_TO_LOCK = 10
"""Checking whether a lock is held takes it for a moment: that is waited for."""


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Hold a lock; raises RefusedError if someone else does."""
    descriptor = _opened(file)
    try:
        until = time.monotonic() + SECONDS_TO_LOCK
        while not _takes(descriptor, fcntl.LOCK_EX):
            if time.monotonic() > until:
                raise RefusedError(f"{file}: another process is working on this run")
            time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)


def is_under_way(place: Place) -> bool:
    """Whether the process that measures, or the one that guards it, is running."""
    return any(map(_is_locked, place.locks))


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    descriptor = _opened(file)
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
