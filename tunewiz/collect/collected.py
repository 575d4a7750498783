"""Reads the file that the collector wrote on a server: one file, a machine in memory.

Every line is the head of a record (a letter, a blank, a path) or, after a blank, one of the record's lines.
The record `end` closes the file, followed by the number of all lines before it: fewer lines mean it was cut
off.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.system import FileSystemSpace, ReadError, Stat, Uname
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known

HEADER = "tunewiz-collection 1"
_FAMILY = "tunewiz-collection "
OWN = "/.tunewiz"
"""Where the collector puts what is not in any file of a machine."""

_HEAD = re.compile(rb"([A-Z]) (/[^\0]*)")
_KINDS = b"TABLDENOSI"
_SHOWN = 40
"""Bytes of an unexpected line that a message repeats."""
_KIB = 1024
_AGAIN = "Collect again: `tunewiz facts --collector` prints the script."


@dataclass(kw_only=True, slots=True)
class _Records:
    """What was read so far, by path."""

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    links: dict[str, str] = field(default_factory=dict[str, str])
    folders: list[str] = field(default_factory=list[str])
    denied: set[str] = field(default_factory=set[str])
    untold: set[str] = field(default_factory=set[str])
    owners: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    spaces: dict[str, FileSystemSpace] = field(default_factory=dict[str, FileSystemSpace])
    inodes: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])


class CollectedSystem(RecordedSystem):
    """A machine recorded by the collector; it also knows owners and free space of what was recorded."""

    def __init__(self, records: _Records) -> None:
        there = {path: records.files.get(path, b"") for path in (*records.denied, *records.untold)}
        # Of a captured root the collector saw only what is in it.
        super().__init__(
            {**there, **records.files},
            records.links,
            tuple(records.folders),
            complete=f"{OWN}/machine" in records.files,
        )
        self._denied = frozenset(records.denied)
        self._untold = frozenset(records.untold) - records.files.keys()
        self._owners: Mapping[str, tuple[int, int]] = records.owners
        self._spaces: Mapping[str, FileSystemSpace] = {
            path: replace(space, inodes=records.inodes.get(path)) for path, space in records.spaces.items()
        }

    def _content(self, real: str, path: str) -> bytes:
        if real in self._denied:
            raise ReadError(path, "denied")
        if real in self._untold:
            raise ReadError(path, "failed", "its content was not collected")
        return super()._content(real, path)

    def _names(self, real: str, path: str) -> tuple[str, ...]:
        if real in self._denied:
            raise ReadError(path, "denied")
        return super()._names(real, path)

    def stat(self, path: str) -> Stat:
        """See System; only the owner is known."""
        if path not in self._owners:
            return super().stat(path)
        uid, gid = self._owners[path]
        return Stat(device="", uid=uid, gid=gid, mode=0, directory=True, size=0)

    def space(self, path: str) -> FileSystemSpace:
        """See System."""
        return self._spaces[path] if path in self._spaces else super().space(path)

    def page_size(self) -> int:
        """See System."""
        text = self._own("page-size")
        return int(text) if text.isdecimal() else super().page_size()

    def uname(self) -> Uname:
        """See System."""
        actual, machine = super().uname(), self._own("machine")
        fact: Fact[str] = Known(machine, "uname -m") if machine else actual.machine
        return Uname(node=actual.node, release=actual.release, machine=fact)

    def _own(self, name: str) -> str:
        try:
            return self.read_text(f"{OWN}/{name}").strip()
        except ReadError:
            return ""


def read_collection(content: bytes, where: str) -> CollectedSystem:
    """The machine in a file that the collector wrote.

    Args:
        content: The file.
        where: Its name, for messages.

    Raises:
        InputError: It is something else, was cut off, or was changed in transfer; names the line.
    """
    lines = content.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    _check_header(lines, where)
    _check_end(lines, where)
    records = _Records()
    for number, kind, path, body in _taken_apart(lines[1:-2], where):
        _enter(records, kind, path, body, f"{where}: line {number}")
    return CollectedSystem(records)


def _check_header(lines: list[bytes], where: str) -> None:
    first = lines[0] if lines else b""
    if first == HEADER.encode():
        return
    if first.rstrip(b"\r") == HEADER.encode():
        raise InputError(
            f"{where}: line 1: found a carriage return, expected lines as Linux ends them", _AGAIN
        )
    newer = first.startswith(_FAMILY.encode())
    hint = "Was it collected for a newer tunewiz?" if newer else _AGAIN
    raise InputError(f"{where}: line 1: found {_shown(first)}, expected {HEADER}", hint)


def _check_end(lines: list[bytes], where: str) -> None:
    """The last two lines: `end` and the number of lines up to it."""
    end, count = (lines[-2], lines[-1]) if len(lines) > len((HEADER, "end")) else (b"", lines[-1])
    if end != b"end" or not count.isdigit():
        raise InputError(
            f"{where}: line {len(lines)}: found {_shown(lines[-1])}, expected `end` and a number: it was "
            f"cut off",
            _AGAIN,
        )
    if int(count) != len(lines) - 1:
        raise InputError(
            f"{where}: line {len(lines)}: found {len(lines) - 1} lines before it, expected {int(count)}",
            _AGAIN,
        )


def _taken_apart(lines: list[bytes], where: str) -> Iterator[tuple[int, str, str, list[bytes]]]:
    """Line number, letter, path and lines of each record."""
    head: tuple[int, str, str] | None = None
    body = list[bytes]()
    for number, line in enumerate(lines, start=2):
        if line.startswith(b" ") and head is not None:
            body.append(line[1:])
            continue
        if head is not None:
            yield (*head, body)
        head, body = (number, *_head_of(line, f"{where}: line {number}")), []
    if head is not None:
        yield (*head, body)


def _head_of(line: bytes, where: str) -> tuple[str, str]:
    matched = _HEAD.fullmatch(line)
    if matched is None or matched[1] not in _KINDS:
        kinds = ", ".join(chr(kind) for kind in _KINDS)
        raise InputError(f"{where}: found {_shown(line)}, expected a path after one of {kinds}", _AGAIN)
    # An include may lead upwards; names are compared as the reader of configuration files has them.
    return matched[1].decode(), posixpath.normpath(matched[2].decode(errors="replace"))


def _enter(records: _Records, kind: str, path: str, body: list[bytes], where: str) -> None:
    match kind:
        case "T":
            records.files[path] = b"".join(line + b"\n" for line in body)
        case "A":
            records.files[path] = b"".join(line + b"\0" for line in body)
        case "B":
            records.files[path] = _bytes(body, where)
        case "L":
            records.links[path] = _one(body, "the target of a link", where).decode(errors="replace")
        case "D":
            records.folders.append(path)
        case "E":
            records.untold.add(path)
        case "N":
            records.denied.add(path)
        case "O":
            records.owners[path] = _two_numbers(body, "user and group as numbers", where)
        case "I":
            records.inodes[path] = _two_numbers(body, "inodes and free ones as numbers", where)
        case _:
            total, free = _two_numbers(body, "size and free space as numbers", where)
            records.spaces[path] = FileSystemSpace(total=total * _KIB, free=free * _KIB)


def _bytes(body: list[bytes], where: str) -> bytes:
    try:
        return bytes.fromhex(b" ".join(body).decode("ascii"))
    except ValueError as error:
        raise InputError(
            f"{where}: found {_shown(b' '.join(body))}, expected bytes in hexadecimal", _AGAIN
        ) from error


def _one(body: list[bytes], expected: str, where: str) -> bytes:
    if len(body) != 1 or not body[0]:
        raise InputError(f"{where}: found {len(body)} lines, expected one with {expected}", _AGAIN)
    return body[0]


def _two_numbers(body: list[bytes], expected: str, where: str) -> tuple[int, int]:
    match _one(body, expected, where).split():
        case [one, other] if one.isdigit() and other.isdigit():
            return int(one), int(other)
        case _:
            raise InputError(f"{where}: found {_shown(body[0])}, expected {expected}", _AGAIN)


def _shown(line: bytes) -> str:
    return repr(line[:_SHOWN].decode(errors="backslashreplace")) if line else "nothing"
