"""Puts everything back, however the run ended: the server's changes, the run's databases and its files.

It may be called at any time, by any process, and repeatedly.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress

from tunewiz.bench.errors import RunError
from tunewiz.bench.run import BenchRun, Place
from tunewiz.bench.server import server_of
from tunewiz.bench.starting import start_server
from tunewiz.bench.switching import roll_back_everything


def restore(place: Place, run: BenchRun) -> tuple[str, ...]:
    """What could not be put back, one sentence for each item."""
    left = [*roll_back_everything(place)]
    left += _server_left(run, place)
    if not left:
        for folder in (place.bundles, place.state):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(run.work, ignore_errors=True)
    return tuple(left)


def _server_left(run: BenchRun, place: Place) -> Iterator[str]:
    server = server_of(run)
    try:
        if not server.is_running():
            start_server(place, server)
        server.await_answer()
        server.end_sessions()
        for suffix in ("_run", "_data"):
            server.drop(f"{run.database}{suffix}")
    except RunError as error:
        yield str(error)


def forget(place: Place) -> None:
    """Remove the files of a run that has ended."""
    texts = (place.run, place.partial, place.progress, place.answer, place.status, place.log, place.proof)
    for file in (*texts, place.runner, place.started, *place.locks):
        file.unlink(missing_ok=True)
    shutil.rmtree(place.scripts, ignore_errors=True)
    with suppress(OSError):
        place.directory.rmdir()
