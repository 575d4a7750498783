"""Machines read elsewhere or later: a captured root, or one recorded in memory."""

from __future__ import annotations

import os
import posixpath
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from tunewiz.collect.system import (
    FileSystemSpace,
    ReadError,
    Stat,
    Uname,
    as_text,
    ask,
    content_or_link,
    regular_content,
)
from tunewiz.core.values.known import Fact, Known, Unknown

T = TypeVar("T")

MAX_LINKS = 40
"""Links followed on one path before it is called a loop, as on Linux (path_resolution(7))."""

_ENDED = re.compile(r"/sys/(?!firmware/)|/proc/(?!device-tree/|[^/]+/(?:cmdline|environ)$)")
"""Files in which the kernel ends every line: a captured one that ends within a line was cut off."""

_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9_.-]*)\s*$")
_MACHINE = re.compile(r"([a-z][a-z0-9_]+)\s*$")
_RELEASE = re.compile(r"([0-9]+\.[0-9]+[!-~]*)\s*$")
_VERSION = re.compile(r"Linux version ([0-9]+\.[0-9]+[!-~]*)\s")


class _Capture(ABC):
    """What a captured root and a recorded machine share: links never lead outside."""

    live = False
    environ: Mapping[str, str] = MappingProxyType({})

    def __init__(self, *, complete: bool) -> None:
        self.complete = complete
        self._resolved: dict[str, str] = {}

    def _missing(self, path: str) -> ReadError:
        """In an incomplete capture it is unknown whether the machine has the path."""
        return ReadError(path, "missing" if self.complete else "uncaptured")

    @abstractmethod
    def _content(self, real: str, path: str) -> bytes: ...

    @abstractmethod
    def _names(self, real: str, path: str) -> tuple[str, ...]: ...

    @abstractmethod
    def _target(self, real: str) -> str:
        """The target of a link; empty if the path is not a link."""

    @abstractmethod
    def _there(self, real: str) -> bool: ...

    def _walk(self, path: str) -> str:
        """Follow every link of a path inside the capture."""
        ahead, done, links = path.split("/")[::-1], list[str](), 0
        while ahead:
            part = ahead.pop()
            if part == "..":
                del done[-1:]
            elif part not in {"", "."}:
                target = self._target("/".join(("", *done, part)))
                links += bool(target)
                if links > MAX_LINKS:
                    raise ReadError(path, "failed", "too many links")
                if not target:
                    done.append(part)
                    continue
                done = [] if target.startswith("/") else done
                ahead += target.split("/")[::-1]
        return "/".join(("", *done))

    def _parent(self, path: str) -> tuple[str, str]:
        """The real directory of a path and the path's last part; directories are walked once."""
        head, tail = posixpath.split(path.rstrip("/"))
        if tail in {"", ".", ".."}:
            return self._walk(path), ""
        return self._directory(head), tail

    def _directory(self, path: str) -> str:
        """Follow the links of a directory, of which those above it are known once they were asked for."""
        unknown = list[str]()
        while path.strip("/") and path not in self._resolved:
            unknown.append(path)
            path = posixpath.dirname(path)
        line = self._resolved.get(path, "")
        for text in reversed(unknown):
            here = f"{line}/{posixpath.basename(text)}"
            is_plain = posixpath.basename(text) not in {"", ".", ".."} and not self._target(here)
            line = self._resolved[text] = here if is_plain else self._walk(text)
        return line

    def realpath(self, path: str) -> str:
        """See System."""
        base, tail = self._parent(path)
        here = f"{base}/{tail}" if tail else base
        return (self._walk(here) if tail and self._target(here) else here) or "/"

    def read_bytes(self, path: str) -> bytes:
        """See System."""
        return self._content(self.realpath(path), path)

    def read_text(self, path: str) -> str:
        """See System; a truncated number would be a different number."""
        raw = self.read_bytes(path)
        if raw and not raw.endswith(b"\n") and _ENDED.match(path):
            raise ReadError(path, "failed", "it was cut off: its last line has no end")
        return as_text(raw)

    def listdir(self, path: str) -> tuple[str, ...]:
        """See System."""
        return self._names(self.realpath(path), path)

    def exists(self, path: str) -> bool:
        """See System."""
        try:
            return self._there(self.realpath(path))
        except ReadError:
            return False

    def readlink(self, path: str) -> str:
        """See System."""
        base, tail = self._parent(path)
        target = self._target(f"{base}/{tail}") if tail else ""
        if not target:
            raise self._missing(path)
        return target

    def stat(self, path: str) -> Stat:
        """See System."""
        raise ReadError(path, "failed", "a capture does not hold owners and devices")

    def space(self, path: str) -> FileSystemSpace:
        """See System."""
        raise ReadError(path, "failed", "a capture does not hold the size of file systems")

    def can_write(self, path: str) -> bool:  # noqa: ARG002 - a capture answers alike for every path
        """See System."""
        return False

    def page_size(self) -> int:
        """See System."""
        raise ReadError("page size", "failed", "a capture does not hold it")

    def uname(self) -> Uname:
        """See System; from files in which the kernel gives the same names."""
        return Uname(
            node=self._first_word(_NAME, "/etc/hostname", "/proc/sys/kernel/hostname"),
            release=self._release(),
            machine=self._first_word(_MACHINE, "/proc/sys/kernel/arch"),
        )

    def _first_word(self, pattern: re.Pattern[str], *paths: str) -> Fact[str]:
        """The first file's content up to the first white space, if it has the right form."""
        problems = list[str]()
        for path in paths:
            try:
                matched = pattern.match(self.read_text(path))
            except ReadError as error:
                problems.append(error.message)
            else:
                if matched:
                    return Known(matched[1], path)
                problems.append(f"not what the kernel writes: {path}")
        return Unknown("; ".join(problems))

    def _release(self) -> Fact[str]:
        fact = self._first_word(_RELEASE, "/proc/sys/kernel/osrelease")
        return fact if isinstance(fact, Known) else self._first_word(_VERSION, "/proc/version")


class RootedSystem(_Capture):
    """A machine whose files were captured under a folder."""

    def __init__(self, root: Path, *, complete: bool = False) -> None:
        """Read a root; it is complete if it is the root of this host, or the caller knows it is.

        Args:
            root: The folder that holds `proc/` and `sys/`.
            complete: Whether what is not in it is not on the machine.
        """
        self._root = str(root.absolute()).rstrip("/")
        super().__init__(complete=complete or not self._root)

    def read_bytes(self, path: str) -> bytes:
        """See System; most files are not links, so that is not checked first."""
        base, tail = self._parent(path)
        data = self._ask(content_or_link, f"{base}/{tail}", path) if tail else None
        return super().read_bytes(path) if data is None else data

    def _ask(self, call: Callable[[str], T], real: str, path: str) -> T:
        try:
            return ask(call, self._root + real, path)
        except ReadError as error:
            raise (self._missing(path) if error.reason == "missing" else error) from error

    def _content(self, real: str, path: str) -> bytes:
        return self._ask(regular_content, real, path)

    def _names(self, real: str, path: str) -> tuple[str, ...]:
        return tuple(sorted(self._ask(os.listdir, real, path)))

    def _target(self, real: str) -> str:
        if "\0" in real:
            return ""
        try:
            return os.readlink(self._root + real)  # noqa: PTH115 - Path.readlink builds objects a thousand times
        except OSError:
            return ""

    def _there(self, real: str) -> bool:
        return "\0" not in real and os.path.lexists(self._root + real)


class RecordedSystem(_Capture):
    """A machine recorded in memory: contents and link targets by path, and empty directories."""

    def __init__(
        self,
        files: Mapping[str, bytes],
        links: Mapping[str, str] | None = None,
        dirs: tuple[str, ...] = (),
        *,
        complete: bool = False,
    ) -> None:
        super().__init__(complete=complete)
        self._files = {f"/{path.strip('/')}": content for path, content in files.items()}
        self._links = {f"/{path.strip('/')}": target for path, target in (links or {}).items()}
        self._tree: dict[str, set[str]] = {"": set()}
        for path in (*self._files, *self._links):
            self._grow(path)
        for path in dirs:
            self._tree.setdefault(f"/{path.strip('/')}", set())
            self._grow(f"/{path.strip('/')}")

    def _grow(self, path: str) -> None:
        """Add a path to the listing of its directory, and so on upwards."""
        head, _, tail = path.rpartition("/")
        while tail and tail not in self._tree.setdefault(head, set()):
            self._tree[head].add(tail)
            head, _, tail = head.rpartition("/")

    def _content(self, real: str, path: str) -> bytes:
        if real in self._files:
            return self._files[real]
        if real.rstrip("/") in self._tree:
            raise ReadError(path, "failed", "Is a directory")
        raise self._missing(path)

    def _names(self, real: str, path: str) -> tuple[str, ...]:
        if real.rstrip("/") not in self._tree:
            raise self._missing(path)
        return tuple(sorted(self._tree[real.rstrip("/")]))

    def _target(self, real: str) -> str:
        return "" if real in self._files else self._links.get(real, "")

    def _there(self, real: str) -> bool:
        return real in self._files or real.rstrip("/") in self._tree
