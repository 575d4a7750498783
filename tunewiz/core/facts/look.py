"""One look at a server at work, as a ring on disk keeps it."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.core.values.record import dataclass

STARTED, RESET = "started", "reset"
"""Among the numbers: when the server was started and its statistics were reset, in seconds since 1970."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ServerSample:
    """The server's numbers at one time."""

    run: int
    """Which run of the program looked: it began so many milliseconds after 1970."""
    at: int
    """Milliseconds since 1970, by a clock that somebody may set."""
    passed: int
    """Milliseconds since the run began, by a clock that only goes on."""
    numbers: Mapping[str, int]
