"""Samples a server for as long as the program runs, through restarts, resets and lost connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from tunewiz.collect.postgres.watching import Enough, WatchSettings, looks_at
from tunewiz.collect.ring.kept_waits import wait_numbers
from tunewiz.collect.system import System
from tunewiz.core.facts.look import ServerSample
from tunewiz.core.values.errors import ServerError

SHORTEST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until the server is tried again: twice as long each time."""
_ON_AND_ON = 10 * 365 * 86_400
"""Seconds; nobody waits for the end."""
_LOOK_UP = 0.2
_WAIT_PAUSE = 5.0
"""Seconds between two looks at what sessions wait for: it goes on for days."""
_MILLISECONDS = 1_000
Told = Callable[[str], None]
"""Called with what went wrong, once for each reason in a row."""


def keep_looking(
    system: System, directory: str, every: int, entry: Told, enough: Enough
) -> Iterator[ServerSample]:
    """Looks at the server of a data directory until it is enough; never raises because of the server.

    Args:
        system: The machine.
        directory: The data directory.
        every: Seconds from one look to the next.
        entry: Called where the server cannot be reached.
        enough: Called several times a second.
    """
    task = WatchSettings(seconds=_ON_AND_ON, pause=every, statements=False, wait_pause=_WAIT_PAUSE)
    run, begun, wait, before = _milliseconds(time.time()), _going_on(), SHORTEST_WAIT, ""
    while not enough():
        try:
            offset: float | None = None
            for sample in looks_at(system, directory, task, enough):
                # The time between two looks is measured where they are taken, not where they arrive.
                offset = _going_on() - begun - sample.seconds if offset is None else offset
                yield ServerSample(
                    run=run,
                    at=_milliseconds(time.time()),
                    passed=_milliseconds(offset + sample.seconds),
                    numbers={**sample.numbers, **wait_numbers(sample)},
                )
                wait, before = SHORTEST_WAIT, ""
            why = "the connection ended"
        except ServerError as error:
            why = error.message
        if enough():
            return
        if why != before:
            entry(f"{why}; trying again, after {wait:.0f} s at first and every {LONGEST_WAIT:.0f} s later")
        before = why
        _pause(wait, enough)
        wait = min(LONGEST_WAIT, 2 * wait)


def _pause(seconds: float, enough: Enough) -> None:
    until = time.monotonic() + seconds
    while not enough() and (left := until - time.monotonic()) > 0:
        time.sleep(min(_LOOK_UP, left))


def _going_on() -> float:
    """Seconds of the clock that nobody sets and that goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _milliseconds(seconds: float) -> int:
    return round(_MILLISECONDS * seconds)
