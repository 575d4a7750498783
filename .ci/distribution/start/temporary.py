"""Where nothing can be kept, the one file is unpacked for one run; another process removes it after that."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

import kept
from unpacking import CANNOT_CREATE, unpack_into

PLACES = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - in a new directory of our own
"""Behind TMPDIR: the last one is there where every disk is full or read-only."""


def unpacked_for_one_run(place: str, reason: str) -> str:
    """The library's folder; says why it is not kept. Without any place, ends with a message."""
    tried = list[str]()
    for base in (os.environ.get("TMPDIR", ""), *PLACES):
        if not base.startswith("/"):
            continue
        try:
            directory = _unpacked_below(base)
        except (kept.UnsafeError, OSError) as error:
            tried.append(f"{base}: {error.strerror or error}" if isinstance(error, OSError) else str(error))
            continue
        sys.stderr.write(
            f"tunewiz: {place} cannot keep what is unpacked ({reason}): "
            f"this run uses {directory} and removes it, and starts slower. "
            "XDG_CACHE_HOME can name another directory\n"
        )
        return f"{directory}/{kept.LIBRARY}"
    sys.stderr.write(f"tunewiz: cannot be unpacked. {place}: {reason}; {'; '.join(tried)}\n")
    sys.exit(CANNOT_CREATE)


def _unpacked_below(base: str) -> str:
    real = os.path.realpath(base)
    kept.check_way(real)
    directory = tempfile.mkdtemp(prefix="tunewiz-", dir=real)
    try:
        unpack_into(directory)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    _remove_afterwards(directory)
    return directory


def _remove_afterwards(directory: str) -> None:
    """A child waits for our end, whatever ends us: only then is the pipe's other end closed."""
    waits, _held = os.pipe()
    if os.fork() != 0:
        os.close(waits)
        return
    try:
        os.setsid()
        os.close(_held)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        os.chdir("/")
        os.read(waits, 1)
        shutil.rmtree(directory, ignore_errors=True)
    finally:
        os._exit(0)
