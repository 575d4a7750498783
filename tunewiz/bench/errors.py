"""What ends a run before its results are complete."""

from __future__ import annotations

from tunewiz.core.values.errors import TunewizError


class RefusedError(TunewizError):
    """The server must not be measured as it is (exit status 4); nothing was changed."""


class RunError(TunewizError):
    """A step of the run failed (exit status 5); everything is put back."""


class StoppedError(RunError):
    """Someone asked to stop."""


class OutOfTimeError(RunError):
    """The time budget is used up."""
