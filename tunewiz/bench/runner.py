"""The process that measures. It has no terminal; a signal ends it early, and everything is put back.

Usage: python -m tunewiz.bench.runner DIRECTORY
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TypeAlias

from tunewiz.bench.blocks import SwitchbackRun
from tunewiz.bench.blocks_outcome import proof_of_blocks
from tunewiz.bench.budget import reserve_of
from tunewiz.bench.errors import RefusedError, RunError
from tunewiz.bench.experiment import Experiment, Watcher
from tunewiz.bench.locks import locked
from tunewiz.bench.measuring import Bench
from tunewiz.bench.outcome import proof_of
from tunewiz.bench.progress import ProgressFile
from tunewiz.bench.restoring import restore
from tunewiz.bench.run import BenchRun, RunDirectory, put, read_run
from tunewiz.bench.server import server_of
from tunewiz.bench.switching import Switch, revert_minutes
from tunewiz.formats.proof import proof_json

Handler: TypeAlias = Callable[[int, FrameType | None], None]
DONE, REFUSED, ENDED_EARLY, NOT_RESTORED = "done", "refused", "ended early", "not restored"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


def main() -> int:
    """Measure, put everything back, and write down how it ended."""
    place = RunDirectory(Path(sys.argv[1]))
    with locked(place.locks[0]):
        event = Event()
        for signal_number in SIGNALS:
            signal.signal(signal_number, _asks(event))
        put(place.status, finish(place, *measured(place, read_run(place), event)))
    return 0


def _asks(event: Event) -> Handler:
    def handle(_number: int, _frame: FrameType | None) -> None:
        event.set()

    return handle


def measured(place: RunDirectory, run: BenchRun, event: Event) -> tuple[str, str]:
    """How it ended, and why; in any case everything is put back afterwards."""
    watch = Watcher(is_asked=event.is_set, until=run.until - reserve_of(run) if run.until else 0)
    measuring = _blocks(place, run, watch) if run.kind == "switchback" else _experiment(place, run, watch)
    try:
        measuring.measure()
    except RefusedError as error:
        return REFUSED, str(error)
    except RunError as error:
        with suppress(OSError):
            _write_proof(place, measuring, early=str(error))
        return ENDED_EARLY, str(error)
    except OSError as error:
        return ENDED_EARLY, f"{error.filename or place.directory}: {error.strerror or error}"
    _write_proof(place, measuring, early="")
    return DONE, ""


def _experiment(place: RunDirectory, run: BenchRun, watch: Watcher) -> Experiment:
    return Experiment(
        bench=Bench(run=run, server=server_of(run), watch=watch),
        switch=Switch(place=place, minutes=revert_minutes(run.lengths)),
        place=place,
        progress=ProgressFile(place.progress),
        primary=run.primary,
    )


def _blocks(place: RunDirectory, run: BenchRun, watch: Watcher) -> SwitchbackRun:
    return SwitchbackRun(
        run=run,
        server=server_of(run),
        switch=Switch(place=place, minutes=revert_minutes(run.lengths)),
        place=place,
        progress=ProgressFile(place.progress),
        watch=watch,
    )


def _write_proof(place: RunDirectory, measured: Experiment | SwitchbackRun, *, early: str) -> None:
    finished = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    run = measured.run if isinstance(measured, SwitchbackRun) else measured.bench.run
    seconds = int(time.time()) - run.began
    if isinstance(measured, SwitchbackRun):
        proof = proof_of_blocks(measured, finished=finished, seconds=seconds, early=early)
    else:
        proof = proof_of(measured, finished=finished, seconds=seconds, early=early)
    put(place.proof, proof_json(proof))


def finish(place: RunDirectory, ended: str, why: str) -> str:
    """Put everything back; how it ended, with a reason on the lines below."""
    progress = ProgressFile(place.progress)
    progress.tell("putting everything back")
    left = restore(place, read_run(place), progress.figure)
    if left:
        return "\n".join((NOT_RESTORED, why, *left)) + "\n"
    return f"{ended}\n{why}\n"


if __name__ == "__main__":
    sys.exit(main())
