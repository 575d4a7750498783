"""Puts a server's record together: its own word first, then its files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.core.facts import NO_SETTINGS, Activity, PostgresServer, ServerOwner, ServerRole, Setting
from tunewiz.core.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.majors import Major
from tunewiz.core.units import Bytes
from tunewiz.facts import postgres_files as on_disk
from tunewiz.facts.postgres_answer import Answer
from tunewiz.facts.postgres_files import PidFile
from tunewiz.facts.postgres_offline import Files, include_directory, settings_by_files
from tunewiz.facts.postgres_settings import from_rows
from tunewiz.system import System

DEFAULT_PORT = 5432
"""PostgreSQL's own (documentation, port)."""
_SOCKET_DIRECTORIES = ("/var/run/postgresql", "/run/postgresql", "/tmp")  # noqa: S108 - PostgreSQL's own default
_FIRST_ONE_PART_RELEASE = 100_000
_MAJOR_IN_PATH = re.compile(r"/(?:pgsql-)?(9\.6|1[0-9])/")


@dataclass(frozen=True, kw_only=True, slots=True)
class NoAnswer:
    """The server was not asked, or did not answer."""

    why: str


Said: TypeAlias = Answer | NoAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """A server as it was found on the machine."""

    directory: Fact[str]
    config_how: str
    files: Files
    running: bool
    owner: ServerOwner
    pid_file: Fact[PidFile]
    program: str
    """The server program's path; empty where it is stopped."""

    @property
    def path(self) -> str:
        """The data directory; empty where it is not known, in which nothing is found."""
        return known_or(self.directory, "")


def server_record(system: System, found: Found, said: Said) -> PostgresServer:
    """Everything that is known of a server."""
    major = _major(system, found, said)
    offline = settings_by_files(found.files, major, _because(said))
    return PostgresServer(
        version=_version(said),
        major=major,
        data_directory=found.directory,
        config_file=Known(found.files.config_file, found.config_how),
        port=port_of(found),
        running=found.running,
        owner=found.owner,
        os_user=on_disk.read_os_user(system, found.path),
        role=_role(system, found, said, major),
        system_identifier=_identifier(system, found, said),
        socket_directory=socket_directory_of(system, found),
        include_directory=include_directory(found.files),
        shared_memory_pages=_pages(said),
        settings=_settings(said, offline),
        activity=_activity(said),
    )


def _because(said: Said) -> str:
    return said.why if isinstance(said, NoAnswer) else f"pg_settings {said.how}"


def _settings(said: Said, offline: Fact[Mapping[str, Setting]]) -> Fact[Mapping[str, Setting]]:
    """The server's own where it told them; what this role may not see is taken from the files."""
    if isinstance(said, NoAnswer):
        return offline
    settings, from_elsewhere = from_rows(said.rows, known_or(offline, NO_SETTINGS))
    how = f"pg_settings {said.how}"
    return Known(settings, f"{how}; by the files: {', '.join(from_elsewhere)}" if from_elsewhere else how)


def _version(said: Said) -> Fact[str]:
    if isinstance(said, NoAnswer):
        return Unknown(f"{said.why}; the files tell only the major version")
    return Known(said.version, f"server_version {said.how}")


def _major(system: System, found: Found, said: Said) -> Fact[str]:
    if isinstance(said, Answer):
        return Known(str(_major_of(said.release)), f"server_version {said.how}")
    read = on_disk.read_major(system, found.path)
    if isinstance(read, Known) or system.exists(f"{found.path}/PG_VERSION"):
        return read
    for path in (found.program, found.files.config_file):
        if matched := _MAJOR_IN_PATH.search(path):
            return Known(matched[1], f"the path {path}")
    return read


def _major_of(release: int) -> Major:
    first, rest = divmod(release, 10_000)
    return Major(first * 100 + (0 if release >= _FIRST_ONE_PART_RELEASE else rest // 100))


def port_of(found: Found) -> Fact[int]:
    """The port by postmaster.pid, else by command line and files, else PostgreSQL's own."""
    if isinstance(found.pid_file, Known):
        return Known(found.pid_file.value.port, found.pid_file.how)
    said = found.files.said("port").strip()
    if said.isascii() and said.isdigit():
        return Known(int(said), found.files.place("port"))
    if found.files.unread:
        return Unknown(found.files.unread)
    return Known(DEFAULT_PORT, "PostgreSQL's default") if not said else Unknown(f"port = {said!r} is none")


def socket_directory_of(system: System, found: Found) -> MaybeFact[str]:
    """Where the server's Unix socket is, or would be."""
    if isinstance(found.pid_file, Known):
        directory, how = found.pid_file.value.socket_directory, found.pid_file.how
        return Known(directory, how) if directory else Absent(f"it listens on no socket: {how}")
    said = found.files.said("unix_socket_directories").split(",")[0].strip().strip('"')
    if said:
        return Known(said, found.files.place("unix_socket_directories"))
    port = known_or(port_of(found), DEFAULT_PORT)
    for directory in _SOCKET_DIRECTORIES:
        if system.exists(f"{directory}/.s.PGSQL.{port}"):
            return Known(directory, f"{directory}/.s.PGSQL.{port}")
    return Unknown("its files do not name one, and which one is built in was not told")


def _role(system: System, found: Found, said: Said, major: Fact[str]) -> Fact[ServerRole]:
    match said:
        case Answer(texts={"role": "standby"}):
            return Known("standby", f"pg_is_in_recovery() {said.how}")
        case Answer(texts={"role": "primary"}):
            return Known("primary", f"pg_is_in_recovery() {said.how}")
        case _:
            return on_disk.read_role(system, found.path, major)


def _identifier(system: System, found: Found, said: Said) -> Fact[str]:
    match said:
        case Answer(texts={"system_identifier": identifier}):
            return Known(identifier, f"pg_control_system() {said.how}")
        case _:
            return on_disk.read_system_identifier(system, found.path)


def _pages(said: Said) -> MaybeFact[int]:
    if isinstance(said, NoAnswer):
        return Unknown(said.why)
    for row in said.rows:
        if row.name == "shared_memory_size_in_huge_pages":
            pages, how = int(row.setting or -1), f"{row.name} {said.how}"
            return Known(pages, how) if pages >= 0 else Absent(f"it knows no huge pages: {how}")
    return Absent(f"PostgreSQL {_major_of(said.release)} does not tell, 15 and newer do")


def _activity(said: Said) -> Fact[Activity]:
    if isinstance(said, NoAnswer):
        return Unknown(said.why)
    how = f"pg_stat_database {said.how}"
    size = _number(said, "databases_size")
    return Known(
        Activity(
            since=_text(said, "since"),
            commits=_number(said, "commits"),
            rollbacks=_number(said, "rollbacks"),
            rows_read=_number(said, "rows_read"),
            rows_written=_number(said, "rows_written"),
            blocks_hit=_number(said, "blocks_hit"),
            blocks_read=_number(said, "blocks_read"),
            temp_bytes=_number(said, "temp_bytes"),
            checkpoints_timed=_number(said, "checkpoints_timed"),
            checkpoints_requested=_number(said, "checkpoints_requested"),
            connections=_number(said, "connections"),
            databases_size=Known(Bytes(size.value), size.how) if isinstance(size, Known) else size,
        ),
        how,
    )


def _number(said: Answer, name: str) -> Fact[int]:
    if name in said.numbers:
        return Known(said.numbers[name], f"the server's statistics {said.how}")
    return Unknown(said.refused.get(name, "the server did not tell"))


def _text(said: Answer, name: str) -> Fact[str]:
    if name in said.texts:
        return Known(said.texts[name], f"the server's statistics {said.how}")
    return Unknown(said.refused.get(name, "the server did not tell"))
