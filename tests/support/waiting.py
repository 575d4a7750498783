"""Waiting for something to happen, with a bound: a test never waits for some time."""

import time
from collections.abc import Callable

MOST_SECONDS = 60
"""Long for anything that a test waits for, on the busiest machine."""
OFTEN = 0.05


def until(happened: Callable[[], bool], seconds: float = MOST_SECONDS) -> None:
    """Fails where it did not happen in time."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(OFTEN)
