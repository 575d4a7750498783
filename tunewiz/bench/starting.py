"""Restarts a server that is down: through its systemd unit, like pg_ctlcluster, or with pg_ctl.

How it was started is recorded while it runs.
"""

from __future__ import annotations

import os
import pwd
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.errors import RunError
from tunewiz.bench.owner import SYSTEM_PATH, must, run_as
from tunewiz.bench.run import RunDirectory, write_record
from tunewiz.bench.server import Server
from tunewiz.collect.system import regular_content
from tunewiz.core.values.errors import InputError
from tunewiz.formats import json as strict_json
from tunewiz.formats.structure import structure

SECONDS_TO_START = "600"
"""As the bundles' scripts wait."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HowStarted:
    """What is needed to start it again."""

    unit: str
    """The systemd unit; empty without one."""
    postgres: str
    """The program that runs."""
    arguments: tuple[str, ...]
    """The postmaster's arguments, without the program."""
    log: str
    """Where its standard error goes."""


def remember(place: RunDirectory, server: Server) -> None:
    """Record how the running server was started; raises RunError if that cannot be read."""
    file = f"{server.measured.data_directory}/postmaster.opts"
    try:
        pid_file = f"{server.measured.data_directory}/postmaster.pid"
        pid = int(regular_content(pid_file, os.O_NOFOLLOW).split()[0])
        _check_owner(pid, server)
        words = shlex.split(regular_content(file, os.O_NOFOLLOW).decode())
        postgres = str(Path(f"/proc/{pid}/exe").readlink())
        log = str(Path(f"/proc/{pid}/fd/2").readlink())
        groups = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8")
    except (OSError, ValueError, IndexError) as error:
        raise RunError(f"{file}: cannot be read: {error}") from error
    is_systemd = Path("/run/systemd/system").is_dir()
    write_record(
        place.started,
        HowStarted(
            unit=unit_of(groups, _control_group) if is_systemd else "",
            postgres=postgres,
            arguments=tuple(words[1:]),
            # A pipe or a terminal is gone with the server.
            log=log if log.startswith("/") and not log.endswith(" (deleted)") else os.devnull,
        ),
    )


def _check_owner(pid: int, server: Server) -> None:
    """The file's owner could name any process: it must belong to that owner; raises RunError."""
    if Path(f"/proc/{pid}").stat().st_uid != pwd.getpwnam(server.owner).pw_uid:
        raise RunError(f"{server.measured.data_directory}/postmaster.pid: names someone else's process {pid}")


def unit_of(groups: str, control_group: Callable[[str], str]) -> str:
    """The system service that a process belongs to; empty if there is none.

    Args:
        groups: The process's /proc/PID/cgroup. Its owner may have made groups below those of its login, with
            the name of any service: the name alone says nothing.
        control_group: Returns where systemd keeps the processes of a service; empty where it does not run.
    """
    for line in groups.splitlines():
        path = line.partition(":")[2].partition(":")[2]
        unit = path.rpartition("/")[2]
        if unit.endswith(".service") and control_group(unit) == path:
            return unit
    return ""


def _control_group(unit: str) -> str:
    done = _systemctl("show", "-p", "ControlGroup", "--", unit)
    return done.stdout.strip().removeprefix("ControlGroup=")


def start_server(place: RunDirectory, server: Server) -> None:
    """Start it as it was started before; raises RunError."""
    file = place.started
    try:
        data = strict_json.loads(regular_content(str(file)).decode(), str(file))
        how = structure(data, HowStarted, str(file))
    except (OSError, InputError) as error:
        raise RunError(f"the server is down, and how it was started is unknown: {error}") from error
    if how.unit:
        _by_systemd(how.unit)
    else:
        _by_pg_ctl(how, server)


def _by_systemd(unit: str) -> None:
    done = _systemctl("start", "--", unit)
    if done.returncode != 0:
        raise RunError(f"systemctl start {unit} failed: {done.stderr.strip()}")


def _systemctl(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - systemd's own program
        ["systemctl", *arguments],  # noqa: S607 - of the system's path
        env={"PATH": SYSTEM_PATH, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )


def _by_pg_ctl(how: HowStarted, server: Server) -> None:
    pg_ctl, data = str(Path(how.postgres).with_name("pg_ctl")), server.measured.data_directory
    # -D and its directory are pg_ctl's own; everything else goes on to the postmaster.
    words = _without_directory(how.arguments)
    options = ("-o", shlex.join(words)) if words else ()
    command = (pg_ctl, "-s", "-w", "-t", SECONDS_TO_START, "-D", data, "-l", how.log, *options, "start")
    must(run_as(server.owner, command, directory=Path("/")), "pg_ctl start")


def _without_directory(arguments: tuple[str, ...]) -> tuple[str, ...]:
    result, skip = list[str](), False
    for word in arguments:
        if not skip and word != "-D":
            result.append(word)
        skip = word == "-D"
    return tuple(result)
