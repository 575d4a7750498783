"""What is mounted where, as this process sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known

PATHS = ("/proc/self/mountinfo", "/proc/1/mountinfo")
OLD_PATHS = ("/proc/mounts", "/proc/self/mounts")
"""Without device numbers and without the mounted part of a file system."""

_ESCAPED = re.compile(r"\\([0-7]{3})")
_INFO_FIELDS = 6
_INFO_TAIL = 3
_OLD_FIELDS = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Mount:
    """One line of the mount table."""

    point: str
    source: str
    filesystem: str
    options: tuple[str, ...]
    """Of this mount first, then of the file system; each once."""
    device: str
    """`major:minor`; empty where the table does not tell."""
    root: str
    """The part of the file system that is mounted here: `/` or below."""


def read_mounts(system: System) -> Fact[tuple[Mount, ...]]:
    """The mount table in the order of mounting; one that was cut only where none is whole."""
    mounts = list[Fact[tuple[Mount, ...]]]()
    for path, parse in (
        *((path, _parse_info) for path in PATHS),
        *((path, _parse_old) for path in OLD_PATHS),
    ):
        table = file_values.converted(file_values.lines(system, path), parse, "a mount table")
        if isinstance(table, Known) and not is_cut(table):
            return table
        mounts.append(table)
    return file_values.first(mounts)


def is_cut(table: Known[tuple[Mount, ...]]) -> bool:
    """Whether the end of the table was not captured."""
    return table.how.endswith(file_values.CUT)


def covering(mounts: tuple[Mount, ...], path: str) -> Mount | None:
    """The mount that a path is on: the deepest point above it, the last of those mounted there."""
    result: Mount | None = None
    for mount in mounts:
        point = mount.point.rstrip("/")
        above = path == point or path.startswith(f"{point}/")
        if above and (result is None or len(point) >= len(result.point.rstrip("/"))):
            result = mount
    return result


def _unescaped(name: str) -> str:
    """Spaces, tabs, line ends and backslashes are written in octal (proc_pid_mountinfo(5))."""
    return _ESCAPED.sub(lambda matched: chr(int(matched[1], 8)), name)


def _merged(of_mount: str, of_filesystem: str = "") -> tuple[str, ...]:
    """Read-only where either is, as /proc/mounts shows it."""
    inner = of_filesystem.split(",")
    outer = ["ro" if option == "rw" and "ro" in inner else option for option in of_mount.split(",")]
    merged = outer + [option for option in inner if option not in {"rw", "ro"}]
    return tuple(dict.fromkeys(option for option in merged if option))


def _info_line(line: str) -> Mount | None:
    head, dash, tail = line.partition(" - ")
    fields, rest = head.split(" "), tail.split(" ", 2)
    if not dash or len(fields) < _INFO_FIELDS or len(rest) < _INFO_TAIL:
        return None
    return Mount(
        point=_unescaped(fields[4]),
        source=_unescaped(rest[1]),
        filesystem=rest[0],
        options=_merged(fields[5], rest[2]),
        device=fields[2],
        root=_unescaped(fields[3]),
    )


def _parse_info(content: str) -> tuple[Mount, ...] | None:
    return tuple(mount for line in content.splitlines() if (mount := _info_line(line))) or None


def _old_line(line: str) -> Mount | None:
    fields = line.split(" ")
    if len(fields) < _OLD_FIELDS or not fields[1].startswith("/"):
        return None
    return Mount(
        point=_unescaped(fields[1]),
        source=_unescaped(fields[0]),
        filesystem=fields[2],
        options=_merged(fields[3]),
        device="",
        root="/",
    )


def _parse_old(content: str) -> tuple[Mount, ...] | None:
    return tuple(mount for line in content.splitlines() if (mount := _old_line(line))) or None
