"""The only interface to the machine: every fact is read through a System.

A System only reads. It is this host, a captured root (a folder holding `proc/` and `sys/`), or a
machine recorded in memory; paths are absolute and always those of the machine that is read.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, Protocol, TypeVar

from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.known import Fact, Known
from tunewiz.core.values.units import MIB, Bytes

Reason = Literal["missing", "uncaptured", "denied", "failed"]
T = TypeVar("T")

_MISSING = frozenset({errno.ENOENT, errno.ENOTDIR})
_DENIED = frozenset({errno.EACCES, errno.EPERM})
_PART = 1 << 18
"""Bytes read at a time."""
MAX_CONTENT = Bytes(64 * MIB)
"""Far more than any file that is read as a whole: a larger one could exhaust our memory."""


class ReadError(TunewizError):
    """A path cannot be read: it is missing or was not captured, permission is denied, or reading failed."""

    def __init__(self, path: str, reason: Reason, detail: str = "") -> None:
        words = {
            "missing": "no such file",
            "uncaptured": "not in the capture",
            "denied": "permission denied",
            "failed": f"cannot be read ({detail})",
        }
        super().__init__(f"{words[reason]}: {path}")
        self.path = path
        self.reason: Reason = reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Uname:
    """What the kernel calls the machine and itself."""

    node: Fact[str]
    release: Fact[str]
    machine: Fact[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Stat:
    """Who owns a path, with which permissions, on which device (`major:minor`), and its size in bytes."""

    device: str
    uid: int
    gid: int
    mode: int
    directory: bool
    size: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FileSystemSpace:
    """Size of a file system and what is free for unprivileged users, in bytes; its inodes likewise."""

    total: int
    free: int
    inodes: tuple[int, int] | None = None
    """All and free ones; 0 where the file system makes them as it needs them, None where nobody counted."""


class System(Protocol):
    """A machine that can be read; every method that reads raises ReadError."""

    @property
    def live(self) -> bool:
        """Whether this is the running host, not a capture of one."""
        ...

    @property
    def complete(self) -> bool:
        """Whether what is missing here is missing on the machine too: a captured root proves no absence."""
        ...

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment of this process; empty for a capture."""
        ...

    def read_bytes(self, path: str) -> bytes:
        """The content of a file."""
        ...

    def read_text(self, path: str) -> str:
        """The content of a file, unstripped; bytes that are not UTF-8 become U+FFFD."""
        ...

    def listdir(self, path: str) -> tuple[str, ...]:
        """The names in a directory, sorted."""
        ...

    def exists(self, path: str) -> bool:
        """Whether the path leads somewhere; False also where it cannot be looked at."""
        ...

    def readlink(self, path: str) -> str:
        """The target of a link, as it is written in it."""
        ...

    def realpath(self, path: str) -> str:
        """The path with its links followed inside the machine; what is missing stays as it is."""
        ...

    def stat(self, path: str) -> Stat:
        """Owner, permissions and device, links followed; unknown for a capture."""
        ...

    def space(self, path: str) -> FileSystemSpace:
        """Size and free space of the file system that holds the path; unknown for a capture."""
        ...

    def can_write(self, path: str) -> bool:
        """Whether this process could write there, learned without writing; never for a capture."""
        ...

    def page_size(self) -> int:
        """Bytes of a memory page; unknown for a capture."""
        ...

    def uname(self) -> Uname:
        """Node name, kernel release and architecture."""
        ...


def _raise(error: OSError, path: str) -> NoReturn:
    if error.errno in _MISSING:
        raise ReadError(path, "missing") from error
    if error.errno in _DENIED:
        raise ReadError(path, "denied") from error
    raise ReadError(path, "failed", error.strerror or str(error)) from error


def ask(call: Callable[[str], T], real: str, path: str) -> T:
    """Ask the operating system about a real path; errors name the machine's path."""
    if "\0" in path:
        raise ReadError(path.replace("\0", "\\0"), "missing")
    try:
        return call(real)
    except OSError as error:
        _raise(error, path)


def _all_of(opened: int) -> bytes:
    parts, size = list[bytes](), 0
    while part := os.read(opened, _PART):
        size += len(part)
        if size > MAX_CONTENT.count:
            raise OSError(errno.EFBIG, f"found more than {MAX_CONTENT.human()}, expected less")
        parts.append(part)
    return b"".join(parts)


def regular_content(real: str, flags: int = 0) -> bytes:
    """What a regular file of at most MAX_CONTENT holds; raises OSError for any other.

    A pipe may block, and opening a device may have side effects: the file is examined
    before it is opened (open(2), O_PATH), and that same file is then opened.
    """
    looked = os.open(real, os.O_PATH | os.O_CLOEXEC | flags)
    try:
        _refuse_irregular(os.fstat(looked).st_mode)
        opened = os.open(f"/proc/self/fd/{looked}", os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    finally:
        os.close(looked)
    try:
        return _all_of(opened)
    finally:
        os.close(opened)


def _refuse_irregular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(mode):  # with O_NOFOLLOW, O_PATH opens the link itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file")


def content_or_link(real: str) -> bytes | None:
    """What a regular file holds; None where the path is a link, which is not followed."""
    try:
        return regular_content(real, os.O_NOFOLLOW)
    except OSError as error:
        if error.errno == errno.ELOOP:
            return None
        raise


def as_text(raw: bytes) -> str:
    """Bytes that are not UTF-8 become U+FFFD: facts are shown and stored, not opened again."""
    return raw.decode("utf-8", errors="replace")


class LiveSystem:
    """This host."""

    live = True
    complete = True

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment of this process."""
        return os.environ

    def read_bytes(self, path: str) -> bytes:
        """See System."""
        return ask(regular_content, path, path)

    def read_text(self, path: str) -> str:
        """See System."""
        return as_text(self.read_bytes(path))

    def listdir(self, path: str) -> tuple[str, ...]:
        """See System."""
        return tuple(sorted(ask(os.listdir, path, path)))

    def exists(self, path: str) -> bool:
        """See System."""
        return "\0" not in path and os.path.exists(path)  # noqa: PTH110 - Path.exists raises for odd names

    def readlink(self, path: str) -> str:
        """See System."""
        return ask(os.readlink, path, path)

    def realpath(self, path: str) -> str:
        """See System."""
        return ask(os.path.realpath, path, path)

    def stat(self, path: str) -> Stat:
        """See System."""
        status = ask(os.stat, path, path)
        return Stat(
            device=f"{os.major(status.st_dev)}:{os.minor(status.st_dev)}",
            uid=status.st_uid,
            gid=status.st_gid,
            mode=stat.S_IMODE(status.st_mode),
            directory=stat.S_ISDIR(status.st_mode),
            size=status.st_size,
        )

    def space(self, path: str) -> FileSystemSpace:
        """See System."""
        result = ask(os.statvfs, path, path)
        return FileSystemSpace(
            total=result.f_blocks * result.f_frsize,
            free=result.f_bavail * result.f_frsize,
            inodes=(result.f_files, result.f_favail),
        )

    def can_write(self, path: str) -> bool:
        """See System; the kernel answers for permissions and for read-only mounts (access(2))."""
        return "\0" not in path and os.access(path, os.W_OK)

    def page_size(self) -> int:
        """See System."""
        return os.sysconf("SC_PAGE_SIZE")

    def uname(self) -> Uname:
        """See System."""
        result = os.uname()
        return Uname(
            node=Known(result.nodename, "uname -n"),
            release=Known(result.release, "uname -r"),
            machine=Known(result.machine, "uname -m"),
        )
