"""Writes samples to the file: one process at a time, within its size, consistent after a power cut."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from tunewiz.collect.ring.reading import ring_of
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.formats.ring import DamagedHeadError, RingHead, head_bytes, slot_bytes

SYNC_SECONDS = 60.0
"""What a loss of power may take: more often would keep a quiet disk from sleeping."""
_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_MODE = 0o640
_OTHERS_MAY_WRITE = 0o022


class RingWriter:
    """A file that this process alone writes, until it is closed."""

    def __init__(
        self, path: Path, head: RingHead, unreadable: Literal["refuse", "set aside"] = "refuse"
    ) -> None:
        """Open or make it.

        Args:
            path: The file.
            head: What it is to keep.
            unreadable: What becomes of a file whose head is damaged: only one whose name the program chose
                may be moved.

        Raises:
            InputError: It is not such a file, is another server's, or its directory is somebody else's.
            TunewizError: Another process writes it, or it cannot be written.
        """
        self.path, self.head = path, head
        self.damaged = 0
        self.set_aside: Path | None = None
        """Where a file now lies whose head was damaged."""
        self._unreadable = unreadable
        self._next, self._synced = 0, time.monotonic()
        try:
            self.path = _made_directory(path.parent) / path.name
            self._opened = _locked(self.path)
        except OSError as error:
            raise TunewizError(f"{path}: cannot be written: {error.strerror or error}") from error
        try:
            self._begin()
        except BaseException:
            os.close(self._opened)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self.close()

    def append(self, look: ServerSample) -> None:
        """Keep a look in the place of the oldest; raises TunewizError where it cannot be written."""
        slot = slot_bytes(self.head, self._next, look)
        try:
            written = os.pwrite(self._opened, slot, self.head.place(self._next))
            if written != len(slot):
                raise TunewizError(f"{self.path}: only {written} of {len(slot)} bytes could be written")
            self._sync()
        except OSError as error:
            raise TunewizError(f"{self.path}: cannot be written: {error.strerror or error}") from error
        self._next += 1

    def close(self) -> None:
        """Bring everything to the disk and let others write."""
        with suppress(OSError):
            os.fdatasync(self._opened)
        os.close(self._opened)

    def _sync(self) -> None:
        moment = time.monotonic()
        if moment - self._synced >= SYNC_SECONDS:
            os.fdatasync(self._opened)
            self._synced = moment

    def _begin(self) -> None:
        """Go on where the last run ended; a file with another head is made anew from what it holds."""
        if os.fstat(self._opened).st_size == 0:
            self._make(())
            return
        try:
            ring = ring_of(self._opened, str(self.path))
        except DamagedHeadError:
            if self._unreadable == "refuse":
                raise
            self._begin_anew()
            return
        if ring.head.directory != self.head.directory:
            raise InputError(
                f"{self.path}: found samples of the server in {ring.head.directory}, expected "
                f"{self.head.directory}",
                "Name another file with --ring.",
            )
        self.damaged = ring.damaged
        if ring.head == self.head:
            self._next = ring.last + 1
        else:
            self._make(ring.looks[-self.head.slots :])

    def _begin_anew(self) -> None:
        """The damaged file keeps a second name, so that no other run finds the first one free meanwhile."""
        aside = self.path.with_name(f"{self.path.name}.damaged")
        try:
            aside.unlink(missing_ok=True)
            aside.hardlink_to(self.path)
        except OSError as error:
            raise TunewizError(f"{aside}: cannot be written: {error.strerror or error}") from error
        self._make(())
        self.set_aside = aside

    def _make(self, looks: tuple[ServerSample, ...]) -> None:
        """A whole new file under a temporary name, which then takes the place of the old one."""
        new = self.path.with_name(f"{self.path.name}.new")
        try:
            new.unlink(missing_ok=True)
            opened = os.open(new, _OPEN | os.O_EXCL, _MODE)
            fcntl.flock(opened, fcntl.LOCK_EX)
            os.write(opened, head_bytes(self.head))
            for number, look in enumerate(looks):
                os.pwrite(opened, slot_bytes(self.head, number, look), self.head.place(number))
            os.fsync(opened)
            new.rename(self.path)
        except OSError as error:
            raise TunewizError(f"{self.path}: cannot be written: {error.strerror or error}") from error
        os.close(self._opened)
        self._opened, self._next = opened, len(looks)


def _made_directory(directory: Path) -> Path:
    """The directory, without links on the way; made where it is missing.

    Whoever may write there could exchange the file: only root and this user may. Root is not led elsewhere
    either, by whoever may write above it.
    """
    path = directory.resolve()
    if os.geteuid() == 0:
        here = directory.absolute()
        for above in (*reversed(here.parents), here, *reversed(path.parents)):
            if above.is_symlink() or above.is_dir():
                _check(above)
    path.mkdir(mode=0o755, parents=True, exist_ok=True)
    _check(path)
    return path


def _check(directory: Path) -> None:
    owners, is_open = {directory.lstat().st_uid}, False
    # A link may lead to what is only going to be made.
    if directory.exists():
        status = directory.stat()
        owners.add(status.st_uid)
        is_open = bool(status.st_mode & _OTHERS_MAY_WRITE and not status.st_mode & stat.S_ISVTX)
    if is_open or not owners <= {0, os.geteuid()}:
        raise InputError(
            f"{directory}: others may write there, expected only this user",
            "Run it as the directory's owner, or name another file with --ring.",
        )


def _locked(path: Path) -> int:
    """The file that others find too: the one that was opened may have been replaced meanwhile."""
    while True:
        opened = os.open(path, _OPEN, _MODE)
        try:
            _lock(opened, path)
            if os.path.samestat(os.fstat(opened), path.stat(follow_symlinks=False)):
                return opened
        except BaseException:
            os.close(opened)
            raise
        os.close(opened)


def _lock(opened: int, path: Path) -> None:
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        raise InputError(f"{path}: not a regular file, expected one that `tunewiz watch` wrote")
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise TunewizError(f"{path}: another `tunewiz watch` is writing it") from error
