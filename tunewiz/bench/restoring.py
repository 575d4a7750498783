"""Puts everything back, however the run ended: the server's changes, the run's databases and its files.

It may be called at any time, by any process, and repeatedly; also after a power cut, and with full disks.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TypeAlias

from tunewiz.bench.errors import RunError
from tunewiz.bench.owner import nobody_watches, pause
from tunewiz.bench.run import NEW, BenchRun, RunDirectory
from tunewiz.bench.server import Server, server_of
from tunewiz.bench.starting import start_server
from tunewiz.bench.switching import roll_back_everything

TRIES_TO_START = 20
"""Attempts, a second apart."""
Tell: TypeAlias = Callable[[str], None]
"""Receives a sentence for each thing that was found and put back."""


def ignore(_sentence: str) -> None:
    """For callers that only need what could not be put back."""


def restore(place: RunDirectory, run: BenchRun, tell: Tell = ignore) -> tuple[str, ...]:
    """Put everything back; returns a sentence for each thing that could not be."""
    left = [*roll_back_everything(place, tell)]
    # A live server that somebody stopped stays stopped: nothing of a switchback is in it.
    on_server = [] if run.kind == "switchback" else [*_server_left(run, place, tell)]
    if left and not on_server:
        # The databases are dropped: if the disk was full, there is room for the files now.
        left = [*roll_back_everything(place, tell)]
    left += on_server
    if not left:
        for folder in (place.bundles, place.state):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(run.work, ignore_errors=True)
    return tuple(left)


def _server_left(run: BenchRun, place: RunDirectory, tell: Tell) -> Iterator[str]:
    server = server_of(run)
    try:
        server.await_answer(lambda: _start(place, server, tell))
        server.end_sessions()
        for suffix in ("_run", "_data"):
            _drop(server, f"{run.database}{suffix}", tell)
    except RunError as error:
        yield str(error)


def _start(place: RunDirectory, server: Server, tell: Tell) -> None:
    """Start the server, repeatedly: processes left by a killed postmaster prevent it until they end."""
    for _ in range(TRIES_TO_START):
        try:
            start_server(place, server)
        except RunError:
            pause(1, nobody_watches)
        else:
            break
    else:
        start_server(place, server)
    tell("the server was down: it was started")


def _drop(server: Server, database: str, tell: Tell) -> None:
    if database in server.ask("SELECT datname FROM pg_database").splitlines():
        server.drop(database)
        tell(f"the database {database} was dropped")


def forget(place: RunDirectory) -> None:
    """Remove the files of a run that has ended."""
    texts = (place.run, place.partial, place.progress, place.answer, place.status, place.log, place.proof)
    for file in (*texts, place.runner, place.started, *place.locks):
        file.unlink(missing_ok=True)
        file.with_name(f"{file.name}{NEW}").unlink(missing_ok=True)
    shutil.rmtree(place.scripts, ignore_errors=True)
    with suppress(OSError):
        place.directory.rmdir()
