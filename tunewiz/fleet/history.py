"""The collections of a fleet on disk: one compressed file each, the newest few of them kept."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tunewiz.collect.system import regular_content
from tunewiz.core.fleet.fleet import Fleet
from tunewiz.core.fleet.history import (
    FIRST,
    Collection,
    CollectionHead,
    SinceLast,
    counts_of,
    is_same_collection,
    since_last,
    states_of,
)
from tunewiz.core.values.errors import InputError
from tunewiz.formats.fleet_history import collection_from_lines, collection_lines, head_from_line

KEPT = 30
"""Collections that are kept unless another number is named: a month of days."""
_NAME = re.compile(r"([0-9]{6,12})-[0-9]{8}T[0-9]{6}Z\.jsonl\.gz")
MAX_LINE = 1 << 20
"""Characters of a line: a host has some thousand."""
MAX_HOSTS = 200_000


@dataclass(frozen=True, kw_only=True, slots=True)
class HistoryFile:
    """One collection."""

    number: int
    path: Path


def history_files(directory: Path) -> tuple[HistoryFile, ...]:
    """The collections of a directory, the oldest first; none where it does not exist yet.

    Raises:
        InputError: It is not a directory, or holds something else: it is somebody else's.
    """
    if not directory.exists():
        return ()
    if not directory.is_dir():
        raise InputError(f"{directory}: found a file, expected a directory of collections")
    return tuple(sorted(_files(directory), key=lambda file: file.number))


def _files(directory: Path) -> Iterator[HistoryFile]:
    for path in directory.iterdir():
        match = _NAME.fullmatch(path.name)
        if match:
            yield HistoryFile(number=int(match[1]), path=path)
        elif not path.name.startswith("."):
            raise InputError(
                f"{directory}: found {path.name}, expected only collections that `tunewiz fleet drift` wrote"
            )


def compared_and_recorded(fleet: Fleet, directory: Path, kept: int, recorded: datetime) -> SinceLast:
    """What changed since the newest collection of other facts; these are recorded if they are new.

    The same facts twice are one collection: whoever repeats a command gets the same answer.
    """
    files = history_files(directory)
    newest = _read(files[-1].path) if files else None
    if newest is not None and is_same_collection(newest, fleet):
        before = _read(files[-2].path) if len(files) > 1 else None
        since = FIRST if before is None else since_last(before, fleet)
        return replace(since, trend=_heads(files))
    since = FIRST if newest is None else since_last(newest, fleet)
    number = files[-1].number + 1 if files else 1
    head = CollectionHead(number=number, at=int(recorded.timestamp()), counts=counts_of(fleet, since))
    failed = tuple(sorted({failure.host for failure in fleet.failed}))
    _write(Collection(head=head, hosts=states_of(fleet), failed=failed), directory)
    for file in files[: len(files) + 1 - kept]:
        file.path.unlink(missing_ok=True)
    return replace(since, trend=_heads(history_files(directory)))


def _heads(files: tuple[HistoryFile, ...]) -> tuple[CollectionHead, ...]:
    return tuple(_head(file.path) for file in files)


def _head(path: Path) -> CollectionHead:
    with _lines(path) as lines:
        return head_from_line(next(lines, ""), str(path))


def _read(path: Path) -> Collection:
    with _lines(path) as lines:
        return collection_from_lines(lines, str(path))


@contextmanager
def _lines(path: Path) -> Generator[Iterator[str]]:
    """The lines of a file, which is not trusted to end; raises InputError where it cannot be read."""
    try:
        with gzip.open(io.BytesIO(regular_content(str(path))), "rt", encoding="ascii") as stream:
            yield _bounded(stream, path)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise InputError(
            f"{path}: cannot be read: {reason}", "Remove the file: the collection before it is used then."
        ) from error


def _bounded(stream: io.TextIOWrapper, path: Path) -> Iterator[str]:
    for _ in range(MAX_HOSTS):
        line = stream.readline(MAX_LINE)
        if not line:
            return
        if not line.endswith("\n"):
            raise InputError(f"{path}: found a line of more than {MAX_LINE} characters, or one that was cut")
        yield line
    raise InputError(f"{path}: found more than {MAX_HOSTS} lines, expected one for each host")


def _write(collection: Collection, directory: Path) -> None:
    at = datetime.fromtimestamp(collection.head.at, UTC)
    path = directory / f"{collection.head.number:06}-{at:%Y%m%dT%H%M%SZ}.jsonl.gz"
    text = "".join(collection_lines(collection)).encode("ascii")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        write_atomically(path, gzip.compress(text, mtime=0))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from error


def write_atomically(path: Path, content: bytes) -> None:
    """A reader finds the whole file or the one before; a device or a pipe is written to; raises OSError."""
    path = path.resolve()
    if path.exists() and not path.is_file():
        _ = path.write_bytes(content)
        return
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name[:100]}.") as beside:
        new = Path(beside, "new")
        _ = new.write_bytes(content)
        new.chmod(0o644)
        _ = new.replace(path)
