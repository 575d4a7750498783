"""The unpacked files of earlier starts: where they are, whether they can be trusted and are whole.

Nobody but their owner and root may be able to write on the way to them: root runs what lies there.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
from collections.abc import Mapping

LIBRARY = "lib"
INVENTORY = "inventory"
"""Size and name of each file of the library, and a last line that tells that none is missing."""
END = "end\n"
LOCK = ".lock"
"""Held shared by every process that runs out of the directory: it is not removed under them."""


class UnsafeError(Exception):
    """A directory that somebody else could write in; says which and why."""


def cache_directory(environ: Mapping[str, str]) -> str:
    """By the XDG Base Directory Specification, in which only absolute paths count."""
    stated = environ.get("XDG_CACHE_HOME", "")
    base = stated if stated.startswith("/") else os.path.expanduser("~/.cache")
    return os.path.join(base, "tunewiz", "onefile")


def owned(place: str) -> str:
    """The directory by its real path, made where it is missing; raises UnsafeError and OSError."""
    path = os.path.realpath(place)
    result = check_way(path)
    if result.st_uid != os.geteuid():
        raise UnsafeError(f"{path} belongs to user {result.st_uid}")
    if result.st_mode & 0o077:
        raise UnsafeError(f"{path} is open to others (mode {stat.S_IMODE(result.st_mode):o}, expected 700)")
    return path


def check_way(real_path: str) -> os.stat_result:
    """Raises UnsafeError where somebody else could exchange a directory on the way; makes what is missing.

    Each part is looked at before the next: after that nobody else can exchange any of them.
    """
    path = "/"
    lstat = os.lstat(path)
    for part in filter(None, real_path.split("/")):
        path = os.path.join(path, part)
        try:
            lstat = os.lstat(path)
        except FileNotFoundError:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path, 0o700)
            lstat = os.lstat(path)
        _check(path, lstat)
    return lstat


def _check(path: str, entry: os.stat_result) -> None:
    if not stat.S_ISDIR(entry.st_mode):
        raise UnsafeError(f"{path} is not a directory")
    if entry.st_uid not in (0, os.geteuid()):
        raise UnsafeError(f"{path} belongs to user {entry.st_uid}")
    # A group of the owner's own, as many distributions make one for each user, has no other member.
    writable = stat.S_IWOTH | (0 if entry.st_gid == entry.st_uid else stat.S_IWGRP)
    if entry.st_mode & writable and not entry.st_mode & stat.S_ISVTX:
        raise UnsafeError(f"{path} can be written by others (mode {stat.S_IMODE(entry.st_mode):o})")


def hold(directory: str) -> bool:
    """Whether all files are there; if so, they stay until this process ends."""
    try:
        lock = os.open(f"{directory}/{LOCK}", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return False
    if not _is_whole(directory):
        os.close(lock)
        return False
    return True


def _is_whole(directory: str) -> bool:
    """Every file with its size: cleaners of caches, full disks and power cuts leave less."""
    library = f"{directory}/{LIBRARY}/"
    try:
        with open(f"{directory}/{INVENTORY}", encoding="utf-8") as inventory:
            for line in inventory:
                if line == END:
                    return True
                size, _, name = line.rstrip("\n").partition(" ")
                if os.stat(library + name).st_size != int(size):
                    return False
    except (OSError, ValueError):
        return False
    return False
