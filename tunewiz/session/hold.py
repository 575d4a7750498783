"""Keeps a session to one wizard at a time: who else wants it is told by whom it is held.

A lock of the kernel on a file beside the session: it ends with the process, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from tunewiz.core.values.errors import InputError
from tunewiz.session.store import SessionError, lock_of


class Hold:
    """A session that is held; released with `release`, or with the process."""

    def __init__(self, file: Path) -> None:
        self._lock = lock_of(file)
        self._descriptor = _locked(self._lock, file)

    def release(self) -> None:
        """Let others have it."""
        self._lock.unlink(missing_ok=True)
        os.close(self._descriptor)


def is_held(file: Path) -> bool:
    """Whether some wizard has the session open, this one included."""
    try:
        descriptor = os.open(lock_of(file), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _locked(lock: Path, file: Path) -> int:
    while True:
        descriptor = _opened(lock, file)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "not known"
            os.close(descriptor)
            raise InputError(
                f"{file}: another wizard has this session open (process {holder})",
                "Leave it there first, or choose another one: `tunewiz sessions` lists them.",
            ) from error
        if _is_still(lock, descriptor):
            with suppress(OSError):  # a full disk: who holds it is not told then
                os.ftruncate(descriptor, 0)
                os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            return descriptor
        os.close(descriptor)


def _opened(lock: Path, file: Path) -> int:
    try:
        lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise SessionError(f"{file}: the session cannot be saved: {error.strerror or error}") from error


def _is_still(lock: Path, descriptor: int) -> bool:
    """Whether the locked file is the one that others find: the last holder may have removed it."""
    try:
        return os.path.samestat(lock.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
