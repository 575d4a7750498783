"""Probes the storage of a server: starts the process that measures, and makes facts of its results."""

from __future__ import annotations

import os
import pwd
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from tunewiz.collect.postgres.client import environment_of
from tunewiz.collect.postgres.files import tablespaces
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.probe.facts import probe_of
from tunewiz.collect.probe.installed import installed_program
from tunewiz.collect.probe.protocol import MAX_LINE, Message, ProbeRequest
from tunewiz.collect.system import System
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import DiskRole, Storage
from tunewiz.core.facts.probe import Probe
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.storage_kind import storage_of
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Fact, Known, MissingFact, Unknown, known_or
from tunewiz.formats import json
from tunewiz.formats.structure import structure

OnProgress = Callable[[float, str], None]
"""Called with the seconds that have passed, and with what is being measured."""
Enough = Callable[[], bool]
"""Returns whether the probe is to stop."""

CHILD = (sys.executable, "-P", "-m", "tunewiz.collect.probe.process")
_LOOK_UP = 0.1
"""Seconds between two checks whether to stop."""
_GRACE = 3.0
"""Seconds for the process to say what it measured once its time is over or it is to stop."""


def probe_server(
    system: System,
    server: PostgresServer,
    facts: Facts,
    seconds: int,
    on_progress: OnProgress,
    enough: Enough,
) -> Fact[Probe]:
    """What one server's storage does; unknown with the reason where it could not be probed.

    Args:
        system: This host.
        server: As it was found.
        facts: Of this host: the file system that holds the data.
        seconds: The whole budget.
        on_progress: Called with each part that begins.
        enough: Called several times a second.
    """
    try:
        request = _request(system, server, seconds)
    except OSError as error:
        return Unknown(error.strerror or str(error))
    said = Message(failed="the process that measures it ended without a message")
    for said in _messages(request, environment_of(system), enough):
        if said.progress is not None:
            on_progress(said.progress.passed, said.progress.doing)
    if said.done is None:
        return Unknown(said.failed or "the process that measures it was ended")
    storages = {space: _storage(facts, "tablespace", Known(space, "pg_tblspc")) for space in request.spaces}
    data = _storage(facts, "data", server.data_directory)
    return probe_of(said.done, data, storages, _how(request))


def _storage(facts: Facts, role: DiskRole, directory: Fact[str]) -> Storage | None:
    try:
        return storage_of(facts, role, directory)
    except MissingFact:
        return None


def _how(request: ProbeRequest) -> str:
    return f"probed in {request.directory}, beside whatever else used the storage"


def _request(system: System, server: PostgresServer, seconds: int) -> ProbeRequest:
    """Raises OSError where nothing can be read there."""
    if not isinstance(server.data_directory, Known):
        raise FileNotFoundError(server.data_directory.why)
    directory = os.path.realpath(server.data_directory.value)
    status = Path(directory).stat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(f"{directory} is not a directory")
    if os.geteuid() not in {0, status.st_uid}:
        raise PermissionError(f"probing needs the rights of root or of {_name(status.st_uid)}")
    major, program = known_or(server.major, ""), _server_program(system, server.data_directory.value)
    return ProbeRequest(
        directory=directory,
        uid=status.st_uid,
        seconds=seconds,
        major=major,
        spaces=tablespaces(system, directory),
        fsync=installed_program("pg_test_fsync", major, program, status.st_uid),
        timing=installed_program("pg_test_timing", major, program, status.st_uid),
    )


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _server_program(system: System, directory: str) -> str:
    result = running_server(system, directory)
    if isinstance(result, Stopped) or isinstance(result.process, Stopped):
        return ""
    with suppress(OSError):
        return str(Path(f"/proc/{result.process.pid}/exe").readlink())
    return ""


def _messages(request: ProbeRequest, environment: dict[str, str], enough: Enough) -> Iterator[Message]:
    """What the process says; it is ended where it does not end in time."""
    # In a session of its own: the interrupt that ends the probe early is not meant for it.
    process = subprocess.Popen(  # noqa: S603 - our own program, by its own interpreter
        CHILD,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
    try:
        process.stdin.write(f"{request.to_json()}\n".encode())
        process.stdin.flush()
        yield from _read(process.stdin, process.stdout, enough, time.monotonic() + request.seconds)
    except BrokenPipeError:
        yield Message(failed="the process that measures it cannot be started")
    finally:
        with suppress(OSError):
            process.stdin.close()
        process.stdout.close()
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """It has normally ended by now; one that hangs in the kernel is abandoned."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_LOOK_UP)
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_LOOK_UP)


def _read(stdin: IO[bytes], stdout: IO[bytes], enough: Enough, until: float) -> Iterator[Message]:
    rest, last = b"", until + _GRACE
    while time.monotonic() < last and len(rest) <= MAX_LINE:
        if not stdin.closed and (enough() or time.monotonic() > until):
            stdin.close()
            last = time.monotonic() + _GRACE
        readable, _, _ = select.select([stdout], [], [], _LOOK_UP)
        if not readable:
            continue
        came = os.read(stdout.fileno(), MAX_LINE)
        if not came:
            return
        *lines, rest = (rest + came).split(b"\n")
        yield from map(_message, lines)
    yield Message(failed="it did not end within its time")


def _message(line: bytes) -> Message:
    """Whatever the owner of the files makes the process say, it is a message, or says why it is none."""
    try:
        return structure(json.loads(line.decode(errors="replace"), "the probe"), Message, "the probe")
    except InputError as error:
        return Message(failed=f"it printed something unexpected ({error.message})")
