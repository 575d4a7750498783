"""The PostgreSQL servers of a machine: running ones are queried; for stopped ones the files are read."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from tunewiz.collect.postgres import files as on_disk
from tunewiz.collect.postgres.conf import read_configuration
from tunewiz.collect.postgres.directories import ClusterDirectories, cluster_places
from tunewiz.collect.postgres.endpoints import ask_all
from tunewiz.collect.postgres.found_server import FoundServer, Stopped
from tunewiz.collect.postgres.offline import Files
from tunewiz.collect.postgres.options import CommandLine, read_command
from tunewiz.collect.postgres.processes import Postmaster, running_postmasters
from tunewiz.collect.postgres.server_facts import NoAnswer, server_record
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.values.known import Absent, Fact, Known, Unknown, known_or

Progress = Callable[[str], None]


def _silent(what: str) -> None:
    """Report no progress."""


def find_servers(
    system: System, progress: Progress = _silent, *, only: str = ""
) -> tuple[PostgresServer, ...]:
    """All servers, running ones first.

    Args:
        system: The machine.
        progress: Called with the server that is being read, in words for a person.
        only: The real path of a data directory: no other server is queried. Empty queries all of them.
    """
    progress("PostgreSQL servers")
    processes = running_postmasters(system)
    running = _running_ones(system, processes)
    for server in running.values():
        progress(f"PostgreSQL in {server.path or 'a directory that is not known'}")
    stopped = _stopped(system, set(running))
    silent, ignored = NoAnswer(why="the server is not running"), NoAnswer(why="another server was asked")
    servers = {real: entry for real, entry in running.items() if only in ("", real)}
    answers = dict(zip(servers, ask_all(system, tuple(servers.values())), strict=True))
    return (
        *(server_record(system, entry, answers.get(real, ignored)) for real, entry in running.items()),
        *(_in_container(process) for process in processes if process.foreign),
        *(server_record(system, entry, silent) for entry in stopped),
    )


def running_server(system: System, directory: str) -> FoundServer | Stopped:
    """The server that runs on a data directory."""
    return _running_ones(system, running_postmasters(system)).get(_real(system, directory), Stopped())


def _running_ones(system: System, processes: Iterable[Postmaster]) -> dict[str, FoundServer]:
    return _each_once(system, (_running(system, process) for process in processes if not process.foreign))


def _each_once(system: System, servers: Iterable[FoundServer]) -> dict[str, FoundServer]:
    """Servers by the real path of their directory; one whose directory is not known stands for itself."""
    result = dict[str, FoundServer]()
    for server in servers:
        result.setdefault(_real(system, server.path) if server.path else f"{id(server)}", server)
    return result


def _running(system: System, process: Postmaster) -> FoundServer:
    line = read_command(process.command)
    start = line.directory or known_or(process.works_in, "")
    setting = line.settings.get("config_file", "")
    config = posixpath.join(start, setting or "postgresql.conf")
    directory = process.works_in
    if isinstance(directory, Unknown):
        directory = _told_directory(system, line, config, directory.why)
    path = known_or(directory, "")
    return FoundServer(
        directory=directory,
        config_how="command line" if setting or line.directory else _directory_how(directory),
        files=Files(
            config_file=config,
            configuration=read_configuration(system, config, path or None),
            options=line.settings,
        ),
        owner=on_disk.read_owner(system, path, config, process.parent),
        pid_file=on_disk.read_pid_file(system, path),
        process=process,
    )


def _directory_how(directory: Fact[str]) -> str:
    """Where the data directory was learned: the configuration is in it unless the server was told."""
    return directory.how if isinstance(directory, Known) else directory.why


def _told_directory(system: System, line: CommandLine, config: str, why: str) -> Fact[str]:
    """Where the process does not let us see its directory: what command line and configuration say."""
    named = read_configuration(system, config, None).effective.get("data_directory")
    if "data_directory" in line.settings:
        return Known(line.settings["data_directory"], "command line")
    if named:
        return Known(named.value, named.place)
    return Known(line.directory, "command line") if line.directory else Unknown(why)


def _stopped(system: System, observation: set[str]) -> Iterator[FoundServer]:
    for place in cluster_places(system):
        real = _real(system, place.directory)
        if real not in observation and system.exists(place.directory):
            observation.add(real)
            yield _at_rest(system, place)


def _at_rest(system: System, place: ClusterDirectories) -> FoundServer:
    return FoundServer(
        directory=Known(place.directory, place.how),
        config_how=place.how,
        files=Files(
            config_file=place.config_file,
            configuration=read_configuration(system, place.config_file, place.directory),
            options={},
        ),
        owner=on_disk.read_owner(system, place.directory, place.config_file, ""),
        pid_file=Unknown("the server is not running"),
        process=Stopped(),
    )


def _in_container(process: Postmaster) -> PostgresServer:
    """A server whose files are not those that we see: only that it runs is known."""
    unknown = Unknown("it runs in a container: run tunewiz inside it")
    return PostgresServer(
        version=unknown,
        major=unknown,
        data_directory=unknown,
        config_file=unknown,
        port=unknown,
        running=True,
        owner="container",
        os_user=unknown,
        role=unknown,
        system_identifier=unknown,
        socket_directory=unknown,
        include_directory=Absent(f"process {process.pid} runs in a container"),
        shared_memory_pages=unknown,
        settings=unknown,
        activity=unknown,
    )


def _real(system: System, path: str) -> str:
    try:
        return system.realpath(path)
    except ReadError:
        return path
