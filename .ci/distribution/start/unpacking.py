"""Unpacks the one file: into a new directory, which takes its place in one step when it is whole."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import io
import os
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from typing import NoReturn

import built
import kept

TURN = ".turn"
"""Held by the one start that unpacks or removes; the others wait for it."""
PREFIX = ".unpacking-"
CANNOT_CREATE = 73
"""EX_CANTCREAT of sysexits.h."""


def keep(place: str, name: str) -> None:
    """Puts the directory there and holds it; raises OSError, and leaves nothing half."""
    directory = f"{place}/{name}"
    with open(f"{place}/{TURN}", "w", encoding="utf-8") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if kept.hold(directory):
            return
        _remove_others(place)
        new = tempfile.mkdtemp(prefix=PREFIX, dir=place)
        try:
            unpack_into(new)
            if os.path.lexists(directory):
                os.rename(directory, f"{new}-damaged")
            os.rename(new, directory)
        except BaseException:
            shutil.rmtree(new, ignore_errors=True)
            raise
        if not kept.hold(directory):
            raise OSError("what was unpacked there is not whole")


def unpack_into(directory: str) -> None:
    """The library, its inventory and its lock; raises OSError, ends where the one file is damaged."""
    before = os.umask(0o077)
    try:
        with open(f"{directory}/{kept.LOCK}", "x", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            inventory = [f"{size} {name}\n" for size, name in _written(f"{directory}/{kept.LIBRARY}")]
            with open(f"{directory}/{kept.INVENTORY}", "x", encoding="utf-8") as file:
                file.writelines([*inventory, kept.END])
    finally:
        os.umask(before)


def _written(library: str) -> Iterator[tuple[int, str]]:
    with tarfile.open(fileobj=io.BytesIO(_contents()), mode="r:gz") as archive:
        for member in archive:
            path = f"{library}/{member.name}"
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.extractfile(member) as packed, open(path, "xb") as file:
                file.write(packed.read())
            yield member.size, member.name


def _contents() -> bytes:
    """Out of the zip file that this module was read from."""
    one_file = os.path.dirname(__file__)
    try:
        with zipfile.ZipFile(one_file) as outer:
            contents = outer.read("contents.tar.gz")
    except zipfile.BadZipFile as error:
        _refuse(one_file, str(error))
    if hashlib.sha256(contents).hexdigest() != built.DIGEST:
        _refuse(one_file, "its contents are not those that were built")
    return contents


def _refuse(one_file: str, why: str) -> NoReturn:
    sys.stderr.write(f"tunewiz: {one_file} is damaged ({why}): copy it again, and compare its SHA-256\n")
    sys.exit(CANNOT_CREATE)


def _remove_others(place: str) -> None:
    """Other versions out of which nothing runs, and what killed starts left."""
    for entry in os.scandir(place):
        if entry.is_dir(follow_symlinks=False) and _is_unused(entry.path):
            shutil.rmtree(entry.path, ignore_errors=True)


def _is_unused(directory: str) -> bool:
    """Nobody comes in any more either: without its inventory it is not whole."""
    try:
        with open(f"{directory}/{kept.LOCK}", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{directory}/{kept.INVENTORY}")
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True
