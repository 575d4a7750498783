"""Who is at work on a run: locks of the kernel, which end with the process, however that ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.run import Place


@contextmanager
def locked(file: Path) -> Generator[None]:
    """Hold a lock; raises RefusedError if someone else does."""
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RefusedError(f"{file}: another process is at work on this run") from error
        yield
    finally:
        os.close(descriptor)


def is_under_way(place: Place) -> bool:
    """Whether the process that measures, or the one that guards it, is there."""
    return any(map(_is_locked, place.locks))


def _is_locked(file: Path) -> bool:
    if not file.exists():
        return False
    try:
        with locked(file):
            return False
    except RefusedError:
        return True
