"""All facts of a machine: its servers, then the machine with the file systems that these use."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from tunewiz.collect.machine import read_machine
from tunewiz.collect.owners.keepers import read_owners
from tunewiz.collect.postgres.files import read_pid_file, tablespaces, wal_directory
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import LiveSystem, System
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import DiskRole
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.health.forecast import TIME
from tunewiz.core.values.known import Known


def _silent(what: str) -> None:
    """Report no progress."""


def read_facts(system: System, progress: Callable[[str], None] = _silent) -> Facts:
    """Everything that can be learned; what cannot says why.

    Args:
        system: The machine.
        progress: Called with what is read next, in words for a person.
    """
    servers = find_servers(system, progress)
    machine = read_machine(
        system, directories_of(system, servers), progress, servers=only_process(system, servers)
    )
    progress("who else keeps settings")
    return dataclasses.replace(machine, postgres=servers, owners=read_owners(system, servers))


def read_live(progress: Callable[[str], None] = _silent) -> Facts:
    """The facts of this host, with the time at which they were read."""
    facts = read_facts(LiveSystem(), progress)
    read_at = Known(f"{datetime.now(UTC):{TIME}}", "the clock")
    return dataclasses.replace(facts, host=dataclasses.replace(facts.host, read_at=read_at))


def only_process(system: System, servers: tuple[PostgresServer, ...]) -> tuple[int, ...]:
    """The process of the one server that runs: its unit or container may have limits of its own.

    With several servers the limits are those of this session, as no one of them speaks for all.
    """
    running = [server.data_directory for server in servers if server.running]
    result = [read_pid_file(system, where.value) for where in running if isinstance(where, Known)]
    pids = tuple(pid_file.value.pid for pid_file in result if isinstance(pid_file, Known))
    return pids if len(running) == len(pids) == 1 else ()


def directories_of(system: System, servers: tuple[PostgresServer, ...]) -> Mapping[DiskRole, tuple[str, ...]]:
    """The directories of the servers, by role."""
    data, wal, spaces = list[str](), list[str](), list[str]()
    for server in servers:
        if isinstance(server.data_directory, Known):
            directory = server.data_directory.value
            data.append(directory)
            wal.append(wal_directory(system, directory, server.major))
            spaces += tablespaces(system, directory)
    return {"data": tuple(data), "wal": tuple(wal), "tablespace": tuple(spaces)}
