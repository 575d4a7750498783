"""The data directory's own files, opened so that nothing but a regular file of the owner's is ever read.

The owner may have put anything there: links, pipes, devices, other file systems, files of others.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from heapq import nlargest

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_DATABASE = re.compile(r"[0-9]{1,10}")
_TABLE = re.compile(r"[0-9]{1,10}(\.[0-9]{1,6})?")
"""The main fork of a table or index and its further gigabytes (documentation, 73.1 Database File Layout)."""
_VERSION = re.compile(r"PG_([0-9.]+)_[0-9]+")
"""Of a version's directory in a tablespace (documentation, 73.1 Database File Layout): `PG_15_202209061`."""
MOST_FILES = 256
MOST_ENTRIES = 200_000
MOST_SECONDS = 3.0
"""For which directories are listed: a server may have millions of tables."""
_STORED = 512
"""Bytes of a unit of st_blocks (stat(2))."""


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class TableFile:
    """A file with rows of a table or an index."""

    size: int
    database: str
    name: str
    above: str = "base"
    """The directory that contains the databases' directories."""


@contextmanager
def data_directory(path: str, uid: int) -> Generator[int]:
    """A descriptor of the directory; raises OSError where it is a link, or another's."""
    opened = os.open(path, _DIRECTORY)
    try:
        if os.fstat(opened).st_uid != uid:
            raise PermissionError(f"{path} belongs to somebody else now")
        yield opened
    finally:
        os.close(opened)


def version_directory(space: int, major: str) -> str:
    """A major version's directory in a tablespace; raises OSError if there is none."""
    for name in sorted(os.listdir(space)):
        if (matched := _VERSION.fullmatch(name)) and major in {"", matched[1]}:
            return name
    raise FileNotFoundError("it holds no tables of this server")


def largest_files(directory: int, least: int, above: str = "base") -> list[TableFile]:
    """The largest table files of all databases, of at least so many bytes; raises OSError without `above`."""
    until = time.monotonic() + MOST_SECONDS
    return nlargest(MOST_FILES, _table_files(directory, least, above, until))


def _table_files(directory: int, least: int, above: str, until: float) -> Iterator[TableFile]:
    here = os.fstat(directory)
    for number, (database, entry) in enumerate(_entries(directory, above)):
        if number > MOST_ENTRIES or time.monotonic() > until:
            return
        if _TABLE.fullmatch(entry.name):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if _is_ours(status, here) and status.st_size >= least:
                    yield TableFile(size=status.st_size, database=database, name=entry.name, above=above)


def _entries(directory: int, above: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """All entries of the databases' directories, each with the name of its directory."""
    with _inside(directory, above) as base:
        with os.scandir(base) as result:
            databases = [entry.name for entry in result if _DATABASE.fullmatch(entry.name)]
        for database in databases:
            with suppress(OSError), _inside(base, database) as opened, os.scandir(opened) as entries:
                for entry in entries:
                    yield database, entry


@contextmanager
def opened_file(directory: int, file: TableFile, flags: int) -> Generator[int]:
    """A descriptor for reading; raises OSError where it is no regular file of the owner's, or has gone."""
    with _inside(directory, file.above) as base, _inside(base, file.database) as database:
        opened = os.open(file.name, _FILE | flags, dir_fd=database)
    try:
        if not _is_ours(os.fstat(opened), os.fstat(directory)):
            raise PermissionError(f"{file.name} is no table file")
        yield opened
    finally:
        os.close(opened)


@contextmanager
def _inside(directory: int, name: str) -> Generator[int]:
    opened = os.open(name, _DIRECTORY, dir_fd=directory)
    try:
        yield opened
    finally:
        os.close(opened)


def _is_ours(status: os.stat_result, directory: os.stat_result) -> bool:
    """A regular file of the directory's owner, on its file system, that is no hole for the most part."""
    return (
        stat.S_ISREG(status.st_mode)
        and (status.st_uid, status.st_dev) == (directory.st_uid, directory.st_dev)
        and status.st_blocks * _STORED * 2 >= status.st_size
    )
