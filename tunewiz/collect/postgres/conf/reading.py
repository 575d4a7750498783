"""The value of each setting in the files: includes followed, the last value wins, postgresql.auto.conf last.

Names and values are not judged here: that needs the version.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from tunewiz.collect.postgres.conf.lines import AssignmentLine, Broken, parse
from tunewiz.collect.system import System
from tunewiz.core.values.errors import TunewizError
from tunewiz.core.values.units import MIB, Bytes

MAX_DEPTH = 10
"""Includes inside includes that the server follows (CONF_FILE_MAX_DEPTH in its source)."""
MAX_FILES = 1_000
"""Files read before it is called a loop: two files that include their own directory make thousands."""
MAX_BYTES = 16 * MIB
"""Of one file: the longest that PostgreSQL ships has 30 kB, and what is larger is no configuration."""
AUTO_CONF = "postgresql.auto.conf"

OLD_NAMES = {"sort_mem": "work_mem", "vacuum_mem": "maintenance_work_mem"}
"""Names of long ago that every server still takes (map_old_guc_names in its source)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Assignment:
    """One line that assigns a value to a setting."""

    name: str
    value: str
    file: str
    line: int

    @property
    def place(self) -> str:
        """`/etc/postgresql/15/main/postgresql.conf:241`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """An error in the files that would prevent the server from starting."""

    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


@dataclass(frozen=True, kw_only=True, slots=True)
class IncludedDirectory:
    """An include_dir line that was followed."""

    path: str
    place: str
    before: int
    """How many assignments were read before the directory's first file."""
    after: int
    """The same, after its last one."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Configuration:
    """All that the files say."""

    assignments: tuple[Assignment, ...]
    """In the order in which they were read, those of postgresql.auto.conf last."""
    directories: tuple[IncludedDirectory, ...]
    problems: tuple[Problem, ...]
    skipped: tuple[str, ...]
    """Files that need not be there and could not be opened, with the reason."""
    automatic: int
    """How many assignments were read before postgresql.auto.conf."""

    @property
    def effective(self) -> Mapping[str, Assignment]:
        """The line that wins, by setting."""
        return {assignment.name: assignment for assignment in self.assignments}


def read_configuration(system: System, config_file: str, data_directory: str | None) -> Configuration:
    """Read a server's files; never raises.

    Args:
        system: The machine they are on.
        config_file: The absolute path of postgresql.conf.
        data_directory: Where postgresql.auto.conf is; None where that is not known.
    """
    reader = _FileReader(system)
    reader.file(config_file, strict=True, place=config_file, depth=0)
    automatic = len(reader.assignments)
    if data_directory is not None:
        own = posixpath.join(data_directory, AUTO_CONF)
        reader.file(own, strict=False, place=own, depth=0)
    return Configuration(
        assignments=tuple(reader.assignments),
        directories=tuple(reader.directories),
        problems=tuple(reader.problems),
        skipped=tuple(reader.skipped),
        automatic=automatic,
    )


class _FileReader:
    """One pass over the files of one server."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._opened = 0
        self.assignments = list[Assignment]()
        self.directories = list[IncludedDirectory]()
        self.problems = list[Problem]()
        self.skipped = list[str]()

    def file(self, path: str, *, strict: bool, place: str, depth: int) -> None:
        """Read one file; `place` is the line that asks for it."""
        if depth > MAX_DEPTH:
            return self._problem(place, f"includes are nested more than {MAX_DEPTH} deep")
        if self._opened >= MAX_FILES:
            return self._problem(place, f"more than {MAX_FILES} files are included")
        self._opened += 1
        try:
            content = self._system.read_bytes(path)
        except TunewizError as error:
            if strict:
                return self._problem(place, error.message)
            return self.skipped.append(error.message)
        if len(content) > MAX_BYTES:
            return self._problem(place, f"larger than {Bytes(MAX_BYTES).human()}, not read: {path}")
        for entry in parse(content):
            self._line(entry, path, depth)
        return None

    def _line(self, entry: AssignmentLine | Broken, path: str, depth: int) -> None:
        if isinstance(entry, Broken):
            return self._problem(f"{path}:{entry.line}", entry.what)
        here = Assignment(
            name=OLD_NAMES.get(entry.name, entry.name), value=entry.value, file=path, line=entry.line
        )
        match entry.name:
            case "include" | "include_if_exists" | "include_dir":
                self._include(here, depth + 1)
            case _:
                self.assignments.append(here)
        return None

    def _include(self, line: Assignment, depth: int) -> None:
        if not line.value:
            return self._problem(line.place, f"{line.name} names nothing")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(line.file), line.value))
        if line.name == "include_dir":
            return self._directory(path, line.place, depth)
        return self.file(path, strict=line.name == "include", place=line.place, depth=depth)

    def _directory(self, path: str, place: str, depth: int) -> None:
        """Read a directory's *.conf files in the order of their bytes, hidden ones left out."""
        try:
            names = self._system.listdir(path)
        except TunewizError as error:
            return self._problem(place, error.message)
        before = len(self.assignments)
        for name in sorted(filter(_is_read, names), key=lambda name: name.encode(errors="surrogateescape")):
            if not self._is_directory(f"{path}/{name}"):
                self.file(f"{path}/{name}", strict=True, place=place, depth=depth)
        self.directories.append(
            IncludedDirectory(path=path, place=place, before=before, after=len(self.assignments))
        )
        return None

    def _is_directory(self, path: str) -> bool:
        try:
            self._system.listdir(path)
        except TunewizError:
            return False
        return True

    def _problem(self, place: str, what: str) -> None:
        self.problems.append(Problem(place=place, what=what))


def _is_read(name: str) -> bool:
    """Whether include_dir takes a file of that name; `.conf` alone is hidden."""
    return name.endswith(".conf") and not name.startswith(".")
