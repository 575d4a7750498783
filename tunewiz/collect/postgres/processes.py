"""Which PostgreSQL servers run here: their first process, its command line and where it works.

psutil lists the processes of this host; where it is not installed, and for a captured machine, /proc says
the same.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_PROGRAMS = frozenset({"postgres", "postmaster", "edb-postgres"})
_NO_SERVER = frozenset(
    {"--single", "--boot", "--check", "--describe-config", "--version", "-V", "--help", "-?"}
)
"""First arguments with which the program does something else (src/backend/main/main.c)."""
_CONTAINERS = re.compile(r"/docker|/kubepods|/kubelet|/libpod|/lxc|/ecs/|/machine\.slice/")
_SERVICE = re.compile(r"[A-Za-z0-9:_.@\\-]+\.service")
_BOOTED = re.compile(r"^btime ([0-9]+)$", re.MULTILINE)
TICKS = 100
"""In a second: what Linux tells user space, on every architecture here (USER_HZ)."""
_PARENT, _START = 4, 22
"""Places in /proc/PID/stat."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Postmaster:
    """The first process of a running server."""

    pid: int
    command: tuple[str, ...]
    works_in: Fact[str]
    """The data directory: the server changes into it when it starts."""
    started: int
    """In seconds since 1970; 0 if unknown."""
    parent: str
    """Command line of the process that started it; empty where it is not known."""
    foreign: bool
    """Whether it runs in a container that we are not in."""
    unit: MaybeFact[str]
    """The systemd unit of the machine that started it."""


def running_postmasters(system: System) -> tuple[Postmaster, ...]:
    """All servers that run, by process number."""
    processes = _by_psutil() if system.live else None
    result = processes if processes is not None else _by_proc(system)
    return tuple(_with_surroundings(system, *process) for process in sorted(result))


def _by_psutil() -> list[tuple[int, tuple[str, ...]]] | None:
    """Process numbers and command lines of this host's servers; None without psutil."""
    try:
        import psutil  # noqa: PLC0415 - no wheels for s390x and ppc64le: imported where it is used
    except ImportError:
        return None
    result = list[tuple[int, tuple[str, ...]]]()
    for process in psutil.process_iter():
        try:
            if process.name() in _PROGRAMS and _is_server(command := tuple(process.cmdline())):
                result.append((process.pid, command))
        except psutil.Error:
            continue
    return result


def _by_proc(system: System) -> list[tuple[int, tuple[str, ...]]]:
    result = list[tuple[int, tuple[str, ...]]]()
    for pid in _numbers(system):
        name = file_values.text(system, f"/proc/{pid}/comm")
        if isinstance(name, Known) and name.value in _PROGRAMS:
            command = _command(system, pid)
            if _is_server(command):
                result.append((pid, command))
    return result


def _numbers(system: System) -> Iterator[int]:
    listed = file_values.names(system, "/proc")
    for name in listed.value if isinstance(listed, Known) else ():
        if name.isascii() and name.isdigit():
            yield int(name)


def _command(system: System, pid: int) -> tuple[str, ...]:
    try:
        content = system.read_text(f"/proc/{pid}/cmdline")
    except ReadError:
        return ()
    return tuple(content.rstrip("\0").split("\0"))


def _is_server(command: tuple[str, ...]) -> bool:
    """Whether this is a first process: its children write `postgres: …` over their command line."""
    if not command or posixpath.basename(command[0]) not in _PROGRAMS:
        return False
    return command[1:2] == () or (command[1] not in _NO_SERVER and "-C" not in command)


def _with_surroundings(system: System, pid: int, command: tuple[str, ...]) -> Postmaster:
    status = _status(system, pid)
    return Postmaster(
        pid=pid,
        command=command,
        works_in=_works_in(system, pid),
        started=_started(system, status),
        parent=" ".join(_command(system, int(status.get(_PARENT, "0")))),
        foreign=_is_foreign(system, pid),
        unit=_unit(system, pid),
    )


def _status(system: System, pid: int) -> Mapping[int, str]:
    """The numbers of /proc/PID/stat by their place; those after the name in brackets (proc_pid_stat(5))."""
    text = file_values.text(system, f"/proc/{pid}/stat")
    fields = text.value.rpartition(")")[2].split() if isinstance(text, Known) else []
    return {place: field for place, field in enumerate(fields, start=3) if field.isdecimal()}


def _started(system: System, status: Mapping[int, str]) -> int:
    """The process's start in clock ticks after the machine's."""
    machine = file_values.text(system, "/proc/stat")
    booted = _BOOTED.search(machine.value) if isinstance(machine, Known) else None
    if booted is None or _START not in status:
        return 0
    return int(booted[1]) + int(status[_START]) // TICKS


def _works_in(system: System, pid: int) -> Fact[str]:
    """Its working directory; one that is no longer mounted reads as the root directory (proc_pid_cwd(5))."""
    link = _link(system, f"/proc/{pid}/cwd")
    if isinstance(link, Known) and link.value == "/":
        return Unknown(f"{link.how}: is not a data directory, or not mounted any more")
    return link


def _link(system: System, path: str) -> Fact[str]:
    try:
        return Known(system.readlink(path), path)
    except ReadError as error:
        return Unknown(error.message)


def _unit(system: System, pid: int) -> MaybeFact[str]:
    """The service whose control group it is in; the manager of a user has units of its own."""
    text = file_values.text(system, f"/proc/{pid}/cgroup")
    if isinstance(text, Unknown):
        return text
    for line in text.value.splitlines():
        group = line.split(":", 2)[-1]
        name = posixpath.basename(group)
        if _SERVICE.fullmatch(name) and "/user.slice/" not in group:
            return Known(name, text.how)
    return Absent(f"{text.how} names no systemd service")


def _is_foreign(system: System, pid: int) -> bool:
    """Whether its control group is a container's, ours is not, and its files are not those that we see."""
    theirs, ours = (file_values.text(system, f"/proc/{process}/cgroup") for process in (pid, "self"))
    if not _names_container(theirs) or _names_container(ours):
        return False
    links = tuple(_link(system, f"/proc/{process}/ns/mnt") for process in (pid, "self"))
    match links:
        case Known(one), Known(other):
            return one != other
        case _:
            return True


def _names_container(group: Fact[str]) -> bool:
    return isinstance(group, Known) and _CONTAINERS.search(group.value) is not None
