"""The files of a log: as they are, rotated, compressed; whatever is damaged is skipped and counted."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from tunewiz.collect.logs.scan import Counts, Form, scan
from tunewiz.core.facts.log import LogSeen, SizeClass
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import Bytes


def _plain(raw: BinaryIO) -> BinaryIO:
    return raw


def _gz(raw: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=raw))


def _bz2(raw: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", bz2.BZ2File(raw))


def _xz(raw: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", lzma.LZMAFile(raw))


_OPENERS: Mapping[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": _gz,
    ".bz2": _bz2,
    ".xz": _xz,
}
_NOT_READ_HERE = (".zst", ".lz4", ".Z", ".7z", ".zip")
BROKEN = (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, OSError)
"""What decompressors raise for a file that was cut off or is none of theirs."""


ANYBODY = -1


def read_log(paths: Iterable[Path], owner: int = ANYBODY) -> LogSeen:
    """What all files tell together; of a directory, those in it.

    Args:
        paths: Files and directories.
        owner: The user whose files alone are read, and none through a link; ANYBODY for what a person names.

    Raises:
        InputError: A path cannot be opened, is no regular file, or is compressed in another way.
    """
    counts, files = Counts(), 0
    for stream, form in log_streams(paths, owner):
        files += 1
        try:
            scan(stream, counts, form)
        except BROKEN:
            counts.damaged += 1
    return _seen(counts, files)


def log_streams(paths: Iterable[Path], owner: int = ANYBODY) -> Iterator[tuple[BinaryIO, Form]]:
    """Each file's text, decompressed, open until the next; reading may raise BROKEN.

    Raises:
        InputError: As `read_log`.
    """
    for path in _files(paths):
        with _opened(path, owner) as raw:
            yield _OPENERS.get(path.suffix, _plain)(raw), _form_of(path)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from (path for path in sorted(path.iterdir()) if path.is_file())
        else:
            yield path


def _form_of(path: Path) -> Form:
    """By its name, as the server chooses it; `postgresql.csv.1.gz` is csv too."""
    names = path.name.split(".")
    if "json" in names:
        return "json"
    return "csv" if "csv" in names else "text"


def _opened(path: Path, owner: int) -> BinaryIO:
    """Never waits for a writer: a named pipe is refused."""
    if path.suffix in _NOT_READ_HERE:
        raise InputError(f"{path}: decompress it first: read are plain files, {', '.join(_OPENERS)}")
    # What is opened is what was looked at: opening a device may already do something.
    flags = os.O_PATH | os.O_CLOEXEC | (0 if owner == ANYBODY else os.O_NOFOLLOW)
    try:
        looked = os.open(path, flags)
        try:
            _check(path, os.fstat(looked), owner)
            again = os.open(f"/proc/self/fd/{looked}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        finally:
            os.close(looked)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    return cast("BinaryIO", os.fdopen(again, "rb", buffering=0))


def _check(path: Path, status: os.stat_result, owner: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: found no regular file, expected a file of the server's log")
    if owner not in (ANYBODY, status.st_uid):
        raise InputError(f"{path}: belongs to someone else, expected a file of the server's owner")


def _seen(counts: Counts, files: int) -> LogSeen:
    return LogSeen(
        files=files,
        size=Bytes(counts.size),
        damaged=counts.damaged,
        temp_files=tuple(
            SizeClass(at_most=Bytes(1 << exponent), files=count)
            for exponent, count in sorted(counts.temp_files.items())
        ),
        checkpoints_timed=counts.timed,
        checkpoints_by_wal=counts.by_wal,
        checkpoints_otherwise=counts.otherwise,
        largest_distance=Bytes(counts.largest_distance),
        autovacuums=counts.autovacuums,
        longest_autovacuum=counts.longest_autovacuum,
        repeated_index_scans=counts.repeated_index_scans,
        most_index_scans=counts.most_index_scans,
        lock_waits=counts.lock_waits,
        recoveries=counts.recoveries,
        replayed=Bytes(counts.replayed),
        replay_seconds=round(counts.replay_seconds, 3),
    )
