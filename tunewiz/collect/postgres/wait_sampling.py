"""Samples what the sessions of a running server wait for; the caller gets the progress and may stop early."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from contextlib import closing

from tunewiz.collect.postgres.client import environment_of, request_to
from tunewiz.collect.postgres.endpoints import reachable
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.servers import running_server
from tunewiz.collect.postgres.waits import WaitSample, waits_of
from tunewiz.collect.postgres.watching import Enough, OnProgress, lines_of
from tunewiz.collect.system import System
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.facts.waits import Waits
from tunewiz.core.values.errors import ServerError
from tunewiz.core.values.known import Fact, Known, Unknown


def sample_server_waits(
    system: System, server: PostgresServer, seconds: int, on_progress: OnProgress, enough: Enough
) -> Fact[Waits]:
    """What its sessions waited for in that time; unknown with the reason where it could not be sampled.

    Args:
        system: The machine.
        server: As it was found.
        seconds: How long to sample.
        on_progress: Called after every sample.
        enough: Whether to stop; called several times a second.
    """
    if not isinstance(server.data_directory, Known):
        return Unknown(server.data_directory.why)
    samples = list[WaitSample]()
    try:
        for sample in _samples(system, server.data_directory.value, seconds, enough):
            samples.append(sample)
            on_progress(sample.seconds)
    except ServerError as error:
        return Unknown(error.message)
    return waits_of(samples)


def _samples(system: System, directory: str, seconds: int, enough: Enough) -> Iterator[WaitSample]:
    """Raises ServerError: it is not running, cannot be reached, or the connection was lost."""
    running = running_server(system, directory)
    if isinstance(running, Stopped):
        raise ServerError("the server is not running")
    request = dataclasses.replace(request_to(system, reachable(system, running)), waits=seconds)
    with closing(lines_of(request, environment_of(system), enough)) as lines:
        for line in lines:
            if "unreached" in (message := json.loads(line)):
                raise ServerError("; ".join(message["unreached"]))
            yield WaitSample.from_json(line)
