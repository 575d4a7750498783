"""Watches running servers at work for a while: how busy, how much WAL, how many checkpoints.

The caller gets the progress and may stop early: what was seen until then is used.
"""

from __future__ import annotations

import dataclasses
import json
import os
import select
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import IO

from tunewiz.collect.memory.strain import read_strain, strain_between
from tunewiz.collect.postgres.client import CHILD, SECONDS, environment_of, request_to
from tunewiz.collect.postgres.curves import curves_of
from tunewiz.collect.postgres.endpoints import MAX_AT_ONCE, reachable
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.protocol import Request
from tunewiz.collect.postgres.samples import Sample, pause_of, window_of
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.postgres.waits import WAIT_PAUSE
from tunewiz.collect.system import System
from tunewiz.core.facts.server import PostgresServer, Window
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Fact, Known, Unknown

OnProgress = Callable[[float], None]
"""Called with the seconds that the server has been watched."""
Enough = Callable[[], bool]
"""Returns whether the administrator wants to stop."""

_LOOK_UP = 0.2
"""Seconds between two checks whether to stop."""
_AT_ONCE = 65_536
"""Bytes: what a pipe holds (pipe(7))."""


def watch_all(
    system: System, servers: tuple[PostgresServer, ...], seconds: int, on_progress: OnProgress, enough: Enough
) -> tuple[PostgresServer, ...]:
    """The servers, each with what it did meanwhile; all are watched at the same time."""
    if not any(server.running for server in servers):
        return servers

    def watched(server: PostgresServer) -> PostgresServer:
        return dataclasses.replace(server, window=watch_server(system, server, seconds, on_progress, enough))

    with ThreadPoolExecutor(MAX_AT_ONCE) as pool:
        return tuple(pool.map(watched, servers))


def watch_server(
    system: System, server: PostgresServer, seconds: int, on_progress: OnProgress, enough: Enough
) -> Fact[Window]:
    """What one server did in that time; unknown with the reason where it could not be watched.

    Args:
        system: The machine.
        server: As it was found.
        seconds: How long it is to be watched.
        on_progress: Called after every sample.
        enough: Whether to stop; called several times a second.
    """
    if not isinstance(server.data_directory, Known):
        return Unknown(server.data_directory.why)
    samples, ended, before = list[Sample](), "", read_strain(system)
    try:
        task = WatchSettings(seconds=seconds, pause=pause_of(seconds), statements=True, wait_pause=WAIT_PAUSE)
        for sample in looks_at(system, server.data_directory.value, task, enough):
            samples.append(sample)
            on_progress(sample.seconds)
    except ServerError as error:
        ended = error.message
    match window_of(samples, ended):
        case Known(value=window, how=how):
            strain = strain_between(before, read_strain(system))
            return Known(dataclasses.replace(window, curves=curves_of(samples), strain=strain), how)
        case unknown:
            return unknown


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchSettings:
    """How a server is to be watched."""

    seconds: int
    pause: float
    """Seconds from one sample to the next."""
    statements: bool
    """Whether the last sample includes what each statement did."""
    wait_pause: float = 0.0
    """Seconds at least from one look at what sessions wait for to the next; 0: none is taken."""


def looks_at(system: System, directory: str, task: WatchSettings, enough: Enough) -> Iterator[Sample]:
    """Samples the server that runs on a data directory, until the time is over or `enough` says so.

    Args:
        system: The machine.
        directory: The data directory.
        task: How long, how often.
        enough: Whether to stop; called several times a second.

    Raises:
        ServerError: It is not running, cannot be reached, or the connection was lost.
    """
    result = running_server(system, directory)
    if isinstance(result, Stopped):
        raise ServerError("the server is not running")
    request = dataclasses.replace(
        request_to(system, reachable(system, result)),
        watch=task.seconds,
        pause=task.pause,
        statements=task.statements,
        wait_pause=task.wait_pause,
    )
    with closing(lines_of(request, environment_of(system), enough)) as lines:
        for line in lines:
            said = json.loads(line)
            if "unreached" in said:
                raise ServerError("; ".join(said["unreached"]))
            yield Sample.from_json(line)


def lines_of(request: Request, environment: dict[str, str], enough: Enough) -> Generator[str]:
    """What the process says, line by line; one that falls silent is ended, and that is told as a line."""
    # In a session of its own: the interrupt that ends the watching early is not meant for it.
    with subprocess.Popen(  # noqa: S603 - our own program, by its own interpreter
        CHILD,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
        try:
            process.stdin.write(f"{request.to_json()}\n".encode())
            process.stdin.flush()
            yield from _read(process.stdin, process.stdout, enough, SECONDS + request.pause)
        finally:
            process.kill()


def _read(stdin: IO[bytes], stdout: IO[bytes], enough: Enough, patience: float) -> Iterator[str]:
    heard, rest = time.monotonic(), b""
    while time.monotonic() - heard < patience:
        if not stdin.closed and enough():
            stdin.close()
        readable, _, _ = select.select([stdout], [], [], _LOOK_UP)
        if not readable:
            continue
        heard, came = time.monotonic(), os.read(stdout.fileno(), _AT_ONCE)
        if not came:
            return
        *lines, rest = (rest + came).split(b"\n")
        yield from (line.decode() for line in lines)
    yield json.dumps({"unreached": [f"it did not answer within {patience:.0f} seconds"]})
