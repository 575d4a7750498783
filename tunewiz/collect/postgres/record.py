"""Puts a server's record together: its own word first, then its files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.collect.postgres import files as on_disk
from tunewiz.collect.postgres.answer import Answer
from tunewiz.collect.postgres.found import Found, port_of, socket_directory_of
from tunewiz.collect.postgres.layers import choices_of, file_errors_of, overrides_of
from tunewiz.collect.postgres.offline import include_directory, settings_by_files
from tunewiz.collect.postgres.processes import Postmaster
from tunewiz.collect.postgres.settings import from_rows
from tunewiz.collect.system import System
from tunewiz.core.facts.server import NO_SETTINGS, Activity, PostgresServer, ServerRole, Setting
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major

_FIRST_ONE_PART_RELEASE = 100_000
_MAJOR_IN_PATH = re.compile(r"/(?:pgsql-)?(9\.6|1[0-9])/")


@dataclass(frozen=True, kw_only=True, slots=True)
class NoAnswer:
    """The server was not asked, or did not answer."""

    why: str


Said: TypeAlias = Answer | NoAnswer


def server_record(system: System, found: Found, said: Said) -> PostgresServer:
    """Everything that is known of a server."""
    major = _major(system, found, said)
    offline = settings_by_files(found.files, major, _because(said))
    return PostgresServer(
        version=_version(said),
        major=major,
        data_directory=found.directory,
        config_file=Known(found.files.config_file, found.config_how),
        port=_port(found, said),
        running=isinstance(found.process, Postmaster),
        owner=found.owner,
        os_user=on_disk.read_os_user(system, found.path),
        role=_role(system, found, said, major),
        system_identifier=_identifier(system, found, said),
        socket_directory=_socket_directory(system, found, said),
        include_directory=include_directory(found.files),
        shared_memory_pages=_pages(said),
        settings=_settings(said, offline),
        activity=_activity(said),
        unit=found.process.unit
        if isinstance(found.process, Postmaster)
        else Unknown("the server is not running"),
        overrides=Unknown(said.why) if isinstance(said, NoAnswer) else overrides_of(said),
        file_errors=Unknown(said.why) if isinstance(said, NoAnswer) else file_errors_of(said),
        choices=Unknown(said.why) if isinstance(said, NoAnswer) else choices_of(said),
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
    program = found.process.command[0] if isinstance(found.process, Postmaster) else ""
    for path in (program, found.files.config_file):
        if matched := _MAJOR_IN_PATH.search(path):
            return Known(matched[1], f"the path {path}")
    return read


def _major_of(release: int) -> Major:
    first, rest = divmod(release, 10_000)
    return Major(first * 100 + (0 if release >= _FIRST_ONE_PART_RELEASE else rest // 100))


def _port(found: Found, said: Said) -> Fact[int]:
    if isinstance(said, Answer) and (port := said.setting("port")):
        return Known(int(port), f"pg_settings {said.how}")
    return port_of(found)


def _socket_directory(system: System, found: Found, said: Said) -> MaybeFact[str]:
    if isinstance(said, Answer) and said.socket_directory:
        return Known(said.socket_directory, f"reached {said.how}")
    return socket_directory_of(system, found)


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
    if told := said.setting("shared_memory_size_in_huge_pages"):
        how = f"shared_memory_size_in_huge_pages {said.how}"
        return Known(int(told), how) if int(told) >= 0 else Absent(f"it knows no huge pages: {how}")
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
            temp_files=_number(said, "temp_files"),
            live_rows=_number(said, "live_rows"),
            dead_rows=_number(said, "dead_rows"),
            transaction_age=_number(said, "transaction_age"),
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
