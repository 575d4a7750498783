"""Who is at work on a run: locks of the kernel, which end with the process, however that ends."""

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
"""Who looks whether a lock is held holds it for a moment: that is waited for."""


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Hold a lock; raises RefusedError if someone else does."""
    descriptor = _opened(file)
    try:
        until = time.monotonic() + SECONDS_TO_LOCK
        while not _takes(descriptor, fcntl.LOCK_EX):
            if time.monotonic() > until:
                raise RefusedError(f"{file}: another process is at work on this run")
            time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)


def is_under_way(place: Place) -> bool:
    """Whether the process that measures, or the one that guards it, is there."""
    return any(map(_is_locked, place.locks))


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    descriptor = _opened(file)
    try:
        # Shared: two that look do not take each other for a holder.
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
