"""Assembles the facts of a server: its own answer first, then its files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.collect.limits.open_files import read_open_files
from tunewiz.collect.postgres import files as on_disk
from tunewiz.collect.postgres.counters import (
    buffers_of,
    counters_since_reset,
    sessions_of,
    statements_of,
)
from tunewiz.collect.postgres.found_server import FoundServer, port_of, socket_directory_of
from tunewiz.collect.postgres.health import health_of
from tunewiz.collect.postgres.offline import errors_by_files, include_directory, settings_by_files
from tunewiz.collect.postgres.overrides import choices_of, extensions_of, file_errors_of, overrides_of
from tunewiz.collect.postgres.process_memory import read_process_memory
from tunewiz.collect.postgres.processes import Postmaster
from tunewiz.collect.postgres.protocol import Answer
from tunewiz.collect.postgres.replication import replication_of
from tunewiz.collect.postgres.sampled_by import read_sampled_by
from tunewiz.collect.postgres.settings import from_rows
from tunewiz.collect.postgres.slru import slru_of
from tunewiz.collect.postgres.tables import tables_of
from tunewiz.collect.system import System
from tunewiz.core.facts.server import NO_SETTINGS, Activity, FileError, PostgresServer, ServerRole, Setting
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major

_FIRST_ONE_PART_RELEASE = 100_000
_MAJOR_IN_PATH = re.compile(r"/(?:pgsql-)?(9\.6|1[0-9])/")


@dataclass(frozen=True, kw_only=True, slots=True)
class NoAnswer:
    """The server was not queried, or did not answer."""

    why: str


Said: TypeAlias = Answer | NoAnswer


def server_record(system: System, server: FoundServer, answer: Said) -> PostgresServer:
    """Everything that is known of a server."""
    major = _major(system, server, answer)
    offline = settings_by_files(server.files, major, _because(answer))
    return PostgresServer(
        version=_version(answer),
        major=major,
        data_directory=server.directory,
        config_file=Known(server.files.config_file, server.config_how),
        port=_port(server, answer),
        running=isinstance(server.process, Postmaster),
        owner=server.owner,
        os_user=on_disk.read_os_user(system, server.path),
        role=_role(system, server, answer, major),
        system_identifier=_identifier(system, server, answer),
        socket_directory=_socket_directory(system, server, answer),
        include_directory=include_directory(server.files),
        shared_memory_pages=_pages(answer),
        settings=_settings(answer, offline),
        activity=_activity(answer),
        unit=server.process.unit
        if isinstance(server.process, Postmaster)
        else Unknown("the server is not running"),
        overrides=Unknown(answer.why) if isinstance(answer, NoAnswer) else overrides_of(answer),
        file_errors=_file_errors(server, answer, major),
        choices=Unknown(answer.why) if isinstance(answer, NoAnswer) else choices_of(answer),
        extensions=Unknown(answer.why) if isinstance(answer, NoAnswer) else extensions_of(answer),
        replication=Unknown(answer.why) if isinstance(answer, NoAnswer) else replication_of(answer),
        slru=Unknown(answer.why) if isinstance(answer, NoAnswer) else slru_of(answer),
        os_uid=on_disk.read_os_uid(system, server.path),
        open_files=read_open_files(system, server.process.pid)
        if isinstance(server.process, Postmaster)
        else Unknown("the server is not running"),
        tables=Unknown(answer.why) if isinstance(answer, NoAnswer) else tables_of(answer),
        health=Unknown(answer.why) if isinstance(answer, NoAnswer) else health_of(answer),
        sessions=Unknown(answer.why)
        if isinstance(answer, NoAnswer)
        else sessions_of(answer.numbers, answer.refused, answer.how),
        buffers=Unknown(answer.why) if isinstance(answer, NoAnswer) else buffers_of(answer),
        statements=Unknown(answer.why) if isinstance(answer, NoAnswer) else statements_of(answer),
        process_memory=read_process_memory(system, server.process),
        sampled_by=read_sampled_by(system, server.path),
    )


def _file_errors(server: FoundServer, answer: Said, major: Fact[str]) -> Fact[tuple[FileError, ...]]:
    """As a running server reports them; of a stopped one, as its files show them."""
    if not isinstance(answer, NoAnswer):
        return file_errors_of(answer)
    if isinstance(server.process, Postmaster):
        return Unknown(answer.why)
    return errors_by_files(server.files, major)


def _because(answer: Said) -> str:
    return answer.why if isinstance(answer, NoAnswer) else f"pg_settings {answer.how}"


def _settings(answer: Said, offline: Fact[Mapping[str, Setting]]) -> Fact[Mapping[str, Setting]]:
    """The server's own where it told them; what this role may not see is taken from the files."""
    if isinstance(answer, NoAnswer):
        return offline
    settings, from_elsewhere = from_rows(answer.rows, known_or(offline, NO_SETTINGS))
    how = f"pg_settings {answer.how}"
    return Known(settings, f"{how}; by the files: {', '.join(from_elsewhere)}" if from_elsewhere else how)


def _version(answer: Said) -> Fact[str]:
    if isinstance(answer, NoAnswer):
        return Unknown(f"{answer.why}; the files give only the major version")
    return Known(answer.version, f"server_version {answer.how}")


def _major(system: System, server: FoundServer, answer: Said) -> Fact[str]:
    if isinstance(answer, Answer):
        return Known(str(_major_of(answer.release)), f"server_version {answer.how}")
    read = on_disk.read_major(system, server.path)
    if isinstance(read, Known) or system.exists(f"{server.path}/PG_VERSION"):
        return read
    program = server.process.command[0] if isinstance(server.process, Postmaster) else ""
    for path in (program, server.files.config_file):
        if matched := _MAJOR_IN_PATH.search(path):
            return Known(matched[1], f"the path {path}")
    return read


def _major_of(release: int) -> Major:
    first, rest = divmod(release, 10_000)
    return Major(first * 100 + (0 if release >= _FIRST_ONE_PART_RELEASE else rest // 100))


def _port(server: FoundServer, answer: Said) -> Fact[int]:
    if isinstance(answer, Answer) and (port := answer.setting("port")):
        return Known(int(port), f"pg_settings {answer.how}")
    return port_of(server)


def _socket_directory(system: System, server: FoundServer, answer: Said) -> MaybeFact[str]:
    if isinstance(answer, Answer) and answer.socket_directory:
        return Known(answer.socket_directory, f"reached {answer.how}")
    return socket_directory_of(system, server)


def _role(system: System, server: FoundServer, answer: Said, major: Fact[str]) -> Fact[ServerRole]:
    match answer:
        case Answer(texts={"role": "standby"}):
            return Known("standby", f"pg_is_in_recovery() {answer.how}")
        case Answer(texts={"role": "primary"}):
            return Known("primary", f"pg_is_in_recovery() {answer.how}")
        case _:
            return on_disk.read_role(system, server.path, major)


def _identifier(system: System, server: FoundServer, answer: Said) -> Fact[str]:
    match answer:
        case Answer(texts={"system_identifier": identifier}):
            return Known(identifier, f"pg_control_system() {answer.how}")
        case _:
            return on_disk.read_system_identifier(system, server.path)


def _pages(answer: Said) -> MaybeFact[int]:
    if isinstance(answer, NoAnswer):
        return Unknown(answer.why)
    if setting := answer.setting("shared_memory_size_in_huge_pages"):
        how = f"shared_memory_size_in_huge_pages {answer.how}"
        return (
            Known(int(setting), how)
            if int(setting) >= 0
            else Absent(f"it does not support huge pages: {how}")
        )
    return Absent(f"PostgreSQL {_major_of(answer.release)} does not report it, 15 and newer do")


def _activity(answer: Said) -> Fact[Activity]:
    if isinstance(answer, NoAnswer):
        return Unknown(answer.why)
    how = f"pg_stat_database {answer.how}"
    size = _number(answer, "databases_size")
    return Known(
        Activity(
            since=_text(answer, "since"),
            commits=_number(answer, "commits"),
            rollbacks=_number(answer, "rollbacks"),
            rows_read=_number(answer, "rows_read"),
            rows_written=_number(answer, "rows_written"),
            blocks_hit=_number(answer, "blocks_hit"),
            blocks_read=_number(answer, "blocks_read"),
            temp_bytes=_number(answer, "temp_bytes"),
            checkpoints_timed=_number(answer, "checkpoints_timed"),
            checkpoints_requested=_number(answer, "checkpoints_requested"),
            connections=_number(answer, "connections"),
            databases_size=Known(Bytes(size.value), size.how) if isinstance(size, Known) else size,
            temp_files=_number(answer, "temp_files"),
            live_rows=_number(answer, "live_rows"),
            dead_rows=_number(answer, "dead_rows"),
            transaction_age=_number(answer, "transaction_age"),
            counters=counters_since_reset(lambda name: _number(answer, name)),
        ),
        how,
    )


def _number(answer: Answer, name: str) -> Fact[int]:
    if name in answer.numbers:
        return Known(answer.numbers[name], f"the server's statistics {answer.how}")
    return Unknown(answer.refused.get(name, "the server did not report it"))


def _text(answer: Answer, name: str) -> Fact[str]:
    if name in answer.texts:
        return Known(answer.texts[name], f"the server's statistics {answer.how}")
    return Unknown(answer.refused.get(name, "the server did not report it"))
