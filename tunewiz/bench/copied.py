"""The copy of a bundle's server: which one it is, and that it stands apart from every other server.

Looked at by its files first, so that a copy that is not apart is refused before anyone starts it.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.bundle import BundleRead
from tunewiz.bench.errors import RefusedError
from tunewiz.collect.machine import read_machine
from tunewiz.collect.postgres.files import read_major, read_system_identifier
from tunewiz.collect.postgres.servers import find_servers
from tunewiz.collect.system import LiveSystem
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import PostgresServer, not_asked
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Unknown, known_or
from tunewiz.core.values.versions import V10, Major

IN_RECOVERY = ("standby.signal", "recovery.signal", "recovery.conf")
"""Files that make a server replay somebody's WAL when it starts."""
SPACES = "pg_tblspc"


@dataclass(frozen=True, kw_only=True, slots=True)
class Copied:
    """A running copy."""

    server: PostgresServer
    others: tuple[PostgresServer, ...]
    """The other servers of this machine; only what their files say."""
    machine: Facts
    """This machine, without its servers."""
    is_here: bool
    """Whether the server itself belongs to this machine."""
    is_beside: bool
    """Whether the server itself runs here."""

    @property
    def directory(self) -> str:
        """The data directory, without links."""
        return known_or(self.server.data_directory, "")


def find_copy(typed: Path, bundle: BundleRead, facts: Facts, *, window: bool) -> Copied:
    """The running copy in a directory.

    Args:
        typed: The directory as typed.
        bundle: For the server that was copied.
        facts: What the bundle was written from.
        window: Whether clients of other servers on this machine may be disturbed.

    Raises:
        InputError: There is no data directory of the bundle's major version.
        RefusedError: It is no copy of that server, or shares something with a server, or does not run.
    """
    directory, original = _data_directory(typed, bundle), _original(bundle, facts)
    _check_identifier(directory, original)
    machine = read_machine(LiveSystem())
    theirs = known_or(facts.host.identity, "")
    # A bundle that does not say for which machine it is may be for this one.
    is_here = theirs in ("", known_or(machine.host.identity, ""))
    running, others = _servers(directory, original if is_here else None)
    beside = [other for other in others if is_here and other.running and _are_one(other, original)]
    _check_apart(directory, bundle.server.data_directory if is_here else "", others)
    if reasons := [*_of_files(directory), *_of_load(beside, window=window)]:
        raise RefusedError("\n  ".join((f"{directory}: this copy must not be measured as it is:", *reasons)))
    if running is None:
        raise RefusedError(f"{directory}: the copy does not run", _how_to_start(directory, original))
    if why := not_asked(running):
        raise RefusedError(f"{directory}: the copy cannot be queried: {why}")
    return Copied(server=running, others=others, machine=machine, is_here=is_here, is_beside=bool(beside))


def _servers(
    directory: str, original: PostgresServer | None
) -> tuple[PostgresServer | None, tuple[PostgresServer, ...]]:
    """The copy if it runs, and all other servers; the original of this machine even where it is not found."""
    servers = find_servers(LiveSystem(), only=directory)
    others = [server for server in servers if known_or(server.data_directory, "") != directory]
    if original is not None and not any(_are_one(other, original) for other in others):
        others.append(dataclasses.replace(original, running=False))
    copies = (server for server in servers if server not in others and server.running)
    return next(copies, None), tuple(others)


def _data_directory(typed: Path, bundle: BundleRead) -> str:
    try:
        directory = str(typed.resolve(strict=True))
    except OSError as error:
        raise InputError(f"--copy: {typed}: {error.strerror or error}") from error
    major, expected = read_major(LiveSystem(), directory), bundle.server.major
    if isinstance(major, Unknown) or major.value != expected:
        text = major.why if isinstance(major, Unknown) else f"one of PostgreSQL {major.value}"
        raise InputError(f"--copy: {typed}: expected a data directory of PostgreSQL {expected}, found {text}")
    return directory


def _original(bundle: BundleRead, facts: Facts) -> PostgresServer:
    for server in facts.postgres:
        if known_or(server.data_directory, "") == bundle.server.data_directory:
            return server
    raise RefusedError(f"{bundle.directory}: its facts do not contain its server")


def _check_identifier(directory: str, original: PostgresServer) -> None:
    system_identifier = read_system_identifier(LiveSystem(), directory)
    if isinstance(system_identifier, Unknown):
        raise RefusedError(f"{directory}: whether it is a copy is unknown: {system_identifier.why}")
    if isinstance(original.system_identifier, Unknown):
        raise RefusedError(
            f"which cluster this bundle is for is unknown: {original.system_identifier.why}",
            "Write it again where the system identifier can be read (as root, or as the server's owner).",
        )
    if system_identifier.value != original.system_identifier.value:
        raise RefusedError(
            f"{directory}: found the system identifier {system_identifier.value}, expected "
            f"{original.system_identifier.value}: it is not a copy of the server that this bundle is for",
            "Copy that server with pg_basebackup or a snapshot of its storage.",
        )


def _check_apart(directory: str, original: str, others: tuple[PostgresServer, ...]) -> None:
    """Raises RefusedError where a write to the copy would be one to another server."""
    if original and _same(directory, original):
        raise RefusedError(
            f"{directory}: this is the server itself, not a copy",
            "Without --copy it is measured itself; --window TIME allows disturbing its clients.",
        )
    for other in (known_or(other.data_directory, "") for other in others):
        if other and (shared := next(_shared(directory, other), "")):
            raise RefusedError(
                f"{shared}: belongs to the server in {other} too, which writing to the copy would destroy",
                "Copy that too: a snapshot of one file system leaves out what links lead to, and hard links "
                "are no copy.",
            )


def _shared(directory: str, other: str) -> Iterator[str]:
    """What is in two data directories at once, by links, hard links or mounts."""
    names = (
        "",
        "global/pg_control",
        *_names(directory),
        *(f"{SPACES}/{name}" for name in _names(directory, SPACES)),
    )
    theirs = {*_names(other), *(f"{SPACES}/{name}" for name in _names(other, SPACES))}
    known = {_identity(f"{other}/{name}") for name in ("", "global/pg_control", *theirs)}
    for name in names:
        result = _identity(f"{directory}/{name}")
        if result is not None and result in known:
            yield f"{directory}/{name}".rstrip("/")


def _names(directory: str, below: str = "") -> tuple[str, ...]:
    try:
        return tuple(sorted(os.listdir(f"{directory}/{below}")))  # noqa: PTH208 - names, not paths
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _unseen(directory, error) from error


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - as above
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unseen(path, error) from error
    return status.st_dev, status.st_ino


def _unseen(path: str, error: OSError) -> RefusedError:
    return RefusedError(
        f"{path}: whether the copy shares it with the server is unknown: {error.strerror or error}"
    )


def _same(one: str, other: str) -> bool:
    result = _identity(one)
    return result is not None and result == _identity(other)


def _are_one(one: PostgresServer, other: PostgresServer) -> bool:
    actual, expected = known_or(one.data_directory, ""), known_or(other.data_directory, "")
    return bool(actual) and (actual == expected or _same(actual, expected))


def _of_files(directory: str) -> Iterator[str]:
    result = [name for name in IN_RECOVERY if name in _names(directory)]
    if result:
        yield (
            f"{', '.join(result)} makes it follow the server that it was copied from: promote it "
            f"(pg_ctl -D {directory} promote)"
        )


def _of_load(beside: Iterable[PostgresServer], *, window: bool) -> Iterator[str]:
    for server in () if window else beside:
        yield (
            f"the server itself runs on this machine (in {known_or(server.data_directory, '')}), "
            f"and the load "
            "would slow it down: --window TIME allows that; a copy on another machine disturbs nobody"
        )


def _how_to_start(directory: str, original: PostgresServer) -> str:
    """A start that reaches nobody: no archive, no subscriptions, a port of its own."""
    port, major = known_or(original.port, 0), known_or(original.major, "")
    not_theirs = f" (the server's is {port})" if port else ""
    apart = " -c max_logical_replication_workers=0" if major and Major.parse(major) >= V10 else ""
    return (
        f"Start it as its owner, on a free port{not_theirs} and cut off from everything else:\n"
        f"  pg_ctl -D {directory} -o '-p PORT -c archive_mode=off{apart}' -l LOG start"
    )
