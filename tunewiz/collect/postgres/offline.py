"""What a server's configuration files show when the server itself cannot be queried."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.collect.postgres.conf import Assignment, Configuration, IncludedDirectory
from tunewiz.collect.postgres.conf.reading import AUTO_CONF
from tunewiz.collect.postgres.settings import from_files
from tunewiz.core.facts.server import FileError, Setting
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown
from tunewiz.core.values.versions import SUPPORTED, Major
from tunewiz.knowledge.loading import load_settings

DROP_IN = "zz-tunewiz.conf"
"""The name under which a change would be read: the last one in the order of bytes."""

_NEVER_TUNED = frozenset(
    {"cluster_name", "data_directory", "external_pid_file", "fsync", "hba_file", "ident_file", "port"}
    | {"listen_addresses", "unix_socket_directories", "unix_socket_group", "unix_socket_permissions"}
)
"""Settings that no plan writes: what is said of them after a drop-in does not matter to it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Files:
    """The files of one server, read."""

    config_file: str
    configuration: Configuration
    options: Mapping[str, str]
    """Settings of the command line; empty where the server is stopped."""

    @property
    def unread(self) -> str:
        """Why the main file could not be read; empty where it could."""
        places = {problem.place: problem.what for problem in self.configuration.problems}
        return places.get(self.config_file, "")

    def said(self, name: str) -> str:
        """The value of a setting by command line and files as it is written there; empty where none is."""
        line = self.configuration.effective.get(name)
        return self.options.get(name) or (line.value if line else "")

    def place(self, name: str) -> str:
        """Where that value stands."""
        line = self.configuration.effective.get(name)
        return "command line" if self.options.get(name) else line.place if line else "default"


def settings_by_files(files: Files, major: Fact[str], because: str) -> Fact[Mapping[str, Setting]]:
    """The settings as they would be at the next start.

    Args:
        files: What was read.
        major: Decides which settings there are and what their defaults are.
        because: Why the server itself was not asked.
    """
    read = _read(files, major)
    if isinstance(read, Unknown):
        return Unknown(f"{because}; {read.why}")
    settings, unusable = read.value
    values = (f"{file_error.place}: {file_error.error}" for file_error in unusable)
    reservations = "; ".join((*_reservations(files.configuration), *values))
    how = f"{files.config_file} and what it includes, defaults for the rest; {because}"
    return Known(settings, f"{how}; {reservations}" if reservations else how)


def errors_by_files(files: Files, major: Fact[str]) -> Fact[tuple[FileError, ...]]:
    """Lines with which a stopped server would not start: errors in the files, and values that it refuses."""
    read = _read(files, major)
    if isinstance(read, Unknown):
        return read
    problems = (
        FileError(place=problem.place, name="", error=problem.what)
        for problem in files.configuration.problems
    )
    return Known((*problems, *read.value[1]), f"{files.config_file} and what it includes")


def _read(files: Files, major: Fact[str]) -> Fact[tuple[Mapping[str, Setting], tuple[FileError, ...]]]:
    """The settings and the lines that are none; unknown where the files or the version are."""
    if files.unread:
        return Unknown(files.unread)
    if isinstance(major, Unknown):
        return major
    version = Major.parse(major.value)
    if version not in SUPPORTED:
        return Unknown(f"nothing is known about the settings of PostgreSQL {version}")
    effective = files.configuration.effective.values()
    return Known(from_files(effective, files.options, load_settings()[version]), files.config_file)


def _reservations(configuration: Configuration) -> Iterator[str]:
    for problem in configuration.problems:
        yield f"the server would not start: {problem}"
    for skipped in configuration.skipped:
        if skipped.endswith(AUTO_CONF) and not skipped.startswith("no such file"):
            yield f"{skipped}, and it would override the other files"


def include_directory(files: Files) -> MaybeFact[str]:
    """The directory in which a drop-in would be read, with nothing of weight read after it."""
    if files.unread:
        return Unknown(files.unread)
    if not files.configuration.directories:
        return Absent(f"{files.config_file} includes no directory")
    directory = files.configuration.directories[-1]
    later = [line for line in _after(files.configuration, directory) if line.name not in _NEVER_TUNED]
    if later:
        return Absent(f"{directory.path} is included, but {later[0].place} sets {later[0].name} after it")
    return Known(directory.path, directory.place)


def _after(configuration: Configuration, directory: IncludedDirectory) -> Iterator[Assignment]:
    """What is read after a drop-in in the directory, short of postgresql.auto.conf."""
    for line in configuration.assignments[directory.before : directory.after]:
        folder, name = posixpath.split(line.file)
        if folder == directory.path and _bytes(name) > _bytes(DROP_IN):
            yield line
    yield from configuration.assignments[directory.after : configuration.automatic]


def _bytes(name: str) -> bytes:
    return name.encode(errors="surrogateescape")
