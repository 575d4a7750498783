"""The server that is named on the command line, in libpq's own ways: host, port, database, role, service.

What was typed goes to libpq by its variables; passwords come from where libpq finds them, and are never
options. The facts of a machine are read on it, so a server on another one is refused.
"""

from __future__ import annotations

import dataclasses
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tunewiz.collect.postgres.client import BY_ENVIRONMENT
from tunewiz.collect.postgres.found_server import DEFAULT_PORT
from tunewiz.commands.connection_options import WHICH_SERVER, first_of
from tunewiz.commands.options import Options
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.known import Known, known_or

VARIABLES: Mapping[str, str] = MappingProxyType(
    {
        "host": "PGHOST",
        "port": "PGPORT",
        "dbname": "PGDATABASE",
        "username": "PGUSER",
        "service": "PGSERVICE",
    }
)
"""By the name of the option (libpq, environment variables)."""
_THERE = "Run tunewiz there; or `tunewiz facts --collector` prints a script that reads the facts there."


def hand_to_libpq(options: Options) -> None:
    """Set libpq's variables for the processes that query servers; raises UsageError for another machine."""
    typed = {name: value for name in VARIABLES if (value := getattr(options, name)) is not None}
    if "service" in typed and len(typed) > 1:
        others = ", ".join(f"--{name}" for name in typed if name != "service")
        raise UsageError(f"--service: found {others} beside it, expected it alone: the service says them")
    for host in typed.get("host", "").split(","):
        _check_host(host)
    if typed.keys() & {"host", "port"}:
        # These would win over what was typed.
        os.environ.pop("PGHOSTADDR", None)
        os.environ.pop("PGSERVICE", None)
    os.environ.update({VARIABLES[name]: str(value) for name, value in typed.items()})


def _check_host(host: str) -> None:
    if not host or host.startswith(("/", "@")):
        return
    try:
        result = sorted({str(row[4][0]) for row in socket.getaddrinfo(host, None)})
    except (OSError, UnicodeError) as error:
        raise UsageError(f"--host: found {host!r}, which has no address here: {error}") from error
    if not any(map(_is_here, result)):
        there = f"another machine ({', '.join(result)})"
        raise UsageError(f"--host: found {host!r}, {there}, expected this host or a socket", _THERE)


def _is_here(address: str) -> bool:
    """Whether it is one of this host's addresses: only to these can a socket be bound (bind(2))."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as bound:
            bound.bind((address, 0))
    except OSError:
        return False
    return True


def named_first(facts: Facts, options: Options) -> Facts:
    """The named server before all others: a plan is for it; raises UsageError if it does not run here."""
    return dataclasses.replace(facts, postgres=first_named(facts.postgres, options))


def first_named(servers: tuple[PostgresServer, ...], options: Options) -> tuple[PostgresServer, ...]:
    """The same servers, the named one first; raises UsageError if it does not run here."""
    if first_of(options, WHICH_SERVER) is None:
        return servers
    named = tuple(server for server in servers if server.running and _is_named(server, options))
    if not named:
        raise UsageError(
            f"{_typed(options)}: no PostgreSQL server of this host answers there", _found(servers)
        )
    return (*named, *(server for server in servers if server not in named))


def _is_named(server: PostgresServer, options: Options) -> bool:
    match server.settings:
        case Known(how=how) if how.endswith(BY_ENVIRONMENT) and not not_asked(server):
            return True
        case _:
            return _is_at(server, options)


def _is_at(server: PostgresServer, options: Options) -> bool:
    """Whether it is the one with that port and socket directory."""
    if options.service is not None or known_or(server.port, 0) != _port(options):
        return False
    directory = known_or(server.socket_directory, "")
    return not (options.host or "").startswith("/") or _same(directory, options.host or "")


def _port(options: Options) -> int:
    text = os.environ.get("PGPORT", "") if options.port is None else str(options.port)
    return int(text) if text.isascii() and text.isdigit() else DEFAULT_PORT


def _same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _typed(options: Options) -> str:
    result = {name: getattr(options, name) for name in WHICH_SERVER}
    return " ".join(f"--{name} {value}" for name, value in result.items() if value is not None)


def _found(servers: tuple[PostgresServer, ...]) -> str:
    running = [
        f"port {known_or(server.port, '?')} in {known_or(server.data_directory, 'a container')}"
        for server in servers
        if server.running
    ]
    return f"Found here: {'; '.join(running)}." if running else "None runs here."
