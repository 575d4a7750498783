"""What the files of a data directory show without the server: version, owner, role, identity, port."""

from __future__ import annotations

import posixpath
import pwd
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.postgres.conf import parse
from tunewiz.collect.postgres.conf.lines import AssignmentLine
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.server import ServerOwner, ServerRole
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.versions import V10, V12, Major, MajorError

_CONTROL_VERSIONS = range(900, 3000)
"""Plausible numbers of pg_control's layout: 942 for 9.5 to 1800 for 18 (PG_CONTROL_VERSION)."""
_CONTROL_HEAD = 12
"""Bytes: the system identifier (64 bits), then the layout's number (32 bits), in every version so far."""

_PATRONIS_WORDS = "overwritten by Patroni"
"""In the first lines of every file that Patroni writes (patroni/postgresql/config.py)."""
_HEAD = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class PidFile:
    """What a running server writes into postmaster.pid (src/include/utils/pidfile.h)."""

    pid: int
    started: int
    """Seconds since 1970."""
    port: int
    socket_directory: str
    """The first one; empty where it listens on none."""


def read_pid_file(system: System, directory: str) -> Fact[PidFile]:
    """postmaster.pid, which is there while the server runs."""
    expected = "the six lines of a running server"
    return file_values.converted(file_values.text(system, f"{directory}/postmaster.pid"), _pid_file, expected)


def _pid_file(content: str) -> PidFile | None:
    match content.split("\n"):
        case [pid, _, started, port, socket_directory, *_] if all(map(_is_number, (pid, started, port))):
            return PidFile(
                pid=int(pid), started=int(started), port=int(port), socket_directory=socket_directory
            )
        case _:
            return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def read_major(system: System, directory: str) -> Fact[str]:
    """PG_VERSION; unknown with the reason where it names no version."""
    fact = file_values.word(system, f"{directory}/PG_VERSION")
    if isinstance(fact, Unknown):
        return fact
    try:
        return Known(str(Major.parse(fact.value)), fact.how)
    except MajorError as error:
        return Unknown(f"{error}: {fact.how}")


def wal_directory(system: System, directory: str, major: Fact[str]) -> str:
    """Where the WAL is, links followed: pg_wal, up to 9.6 pg_xlog."""
    old = isinstance(major, Known) and Major.parse(major.value) < V10
    return _real(system, f"{directory}/{'pg_xlog' if old else 'pg_wal'}")


def tablespaces(system: System, directory: str) -> tuple[str, ...]:
    """Directories of tablespaces outside of the data directory."""
    links = file_values.names(system, f"{directory}/pg_tblspc")
    names = links.value if isinstance(links, Known) else ()
    return tuple(_real(system, f"{directory}/pg_tblspc/{name}") for name in names if _is_number(name))


def _real(system: System, path: str) -> str:
    try:
        return system.realpath(path)
    except ReadError:
        return path


def read_role(system: System, directory: str, major: Fact[str]) -> Fact[ServerRole]:
    """Standby by standby.signal (12 and newer) or by recovery.conf, else primary."""
    names = file_values.names(system, directory)
    if isinstance(names, Unknown):
        return names
    if isinstance(major, Unknown):
        return major
    if Major.parse(major.value) >= V12:
        return _role_by("standby.signal", there="standby.signal" in names.value, directory=directory)
    mode = _recovery_mode(system, directory) if "recovery.conf" in names.value else "off"
    return _role_by("recovery.conf", there=mode in {"on", "true", "yes", "1"}, directory=directory)


def _role_by(file: str, *, there: bool, directory: str) -> Fact[ServerRole]:
    return Known("standby", f"{directory}/{file}") if there else Known("primary", f"{directory}: no {file}")


def _recovery_mode(system: System, directory: str) -> str:
    try:
        content = system.read_bytes(f"{directory}/recovery.conf")
    except ReadError:
        return "off"
    lines = {line.name: line.value for line in parse(content) if isinstance(line, AssignmentLine)}
    return lines.get("standby_mode", "off").lower()


def read_system_identifier(system: System, directory: str) -> Fact[str]:
    """The number that initdb gave the cluster, from the first bytes of global/pg_control.

    The file is in the byte order of its machine; that order is the one in which the number after the
    identifier is a known layout.
    """
    path = f"{directory}/global/pg_control"
    try:
        head = system.read_bytes(path)[:_CONTROL_HEAD]
    except ReadError as error:
        return Unknown(error.message)
    for order in ("little", "big"):
        if len(head) == _CONTROL_HEAD and int.from_bytes(head[8:], order) in _CONTROL_VERSIONS:
            return Known(str(int.from_bytes(head[:8], order)), path)
    return Unknown(f"the layout is not a known one: {path}")


def read_os_uid(system: System, directory: str) -> Fact[int]:
    """The number of the data directory's owner: the server runs as nobody else."""
    try:
        return Known(system.stat(directory).uid, f"owner of {directory}")
    except ReadError as error:
        return Unknown(error.message)


def read_os_user(system: System, directory: str) -> Fact[str]:
    """The same by name."""
    owner = read_os_uid(system, directory)
    if not isinstance(owner, Known):
        return owner
    uid, how = owner.value, owner.how
    users = file_values.text(system, "/etc/passwd")
    for line in users.value.splitlines() if isinstance(users, Known) else ():
        match line.split(":"):
            case [name, _, number, *_] if number == str(uid):
                return Known(name, how)
            case _:
                continue
    try:
        return Known(pwd.getpwuid(uid).pw_name, how)
    except KeyError:
        return Unknown(f"user {uid} has no name: {how}")


def _is_patronis(system: System, directory: str, config_file: str) -> bool:
    """By its copy of the settings, its words in postgresql.conf, or its own file that names the cluster."""
    if directory and system.exists(f"{directory}/patroni.dynamic.json"):
        return True
    written = file_values.text(system, config_file)
    if isinstance(written, Known) and _PATRONIS_WORDS in written.value[:_HEAD]:
        return True
    return bool(directory) and any(
        _names_directory(system, path, directory) for path in _patroni_files(system)
    )


def _patroni_files(system: System) -> tuple[str, ...]:
    """Where packages put Patroni's configuration."""
    listed = file_values.names(system, "/etc/patroni")
    inside = (f"/etc/patroni/{name}" for name in (listed.value if isinstance(listed, Known) else ()))
    return (
        "/etc/patroni.yml",
        "/etc/patroni.yaml",
        *(path for path in inside if path.endswith((".yml", ".yaml"))),
    )


def _names_directory(system: System, path: str, directory: str) -> bool:
    content = file_values.text(system, path)
    lines = content.value.splitlines() if isinstance(content, Known) else ()
    named = (
        line.partition(":")[2].strip().strip("\"'") for line in lines if line.strip().startswith("data_dir:")
    )
    return any(name.rstrip("/") == directory.rstrip("/") for name in named)


def read_owner(system: System, directory: str, config_file: str, parent: str) -> ServerOwner:
    """What manages the cluster: changes belong where its owner keeps them.

    Args:
        system: The machine.
        directory: The data directory.
        config_file: postgresql.conf, as the server was told.
        parent: The command line of the process that started the server; empty where it is stopped.
    """
    if "patroni" in parent or _is_patronis(system, directory, config_file):
        return "patroni"
    if system.exists(f"{posixpath.dirname(config_file)}/start.conf"):
        return "debian"
    if system.exists("/usr/local/bin/docker-entrypoint.sh") and system.exists("/.dockerenv"):
        return "container"
    if directory.startswith("/var/lib/pgsql/"):
        return "rpm"
    return "source"
