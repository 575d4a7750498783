"""Limits a probe to its share of the device's time, and stops it on request or when its time is over."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass

SHARE = 0.1
"""The largest share of elapsed time in which the device works for the probe."""


class ProbeEndedError(Exception):
    """The time is over, or somebody wants the probe to stop."""


@dataclass(kw_only=True, slots=True)
class Pace:
    """How much time has passed, and how much of it the device was at work."""

    seconds: int
    """The budget."""
    stop: int
    """A descriptor that becomes readable when the probe is to stop: the program's end of a pipe closed."""
    begun: float
    busy: float = 0.0

    @classmethod
    def of(cls, seconds: int, stop: int) -> Pace:
        """A pace that begins now."""
        return cls(seconds=seconds, stop=stop, begun=time.monotonic())

    @property
    def passed(self) -> float:
        """Seconds since the begin."""
        return time.monotonic() - self.begun

    @property
    def left(self) -> float:
        """Seconds of the budget."""
        return self.seconds - self.passed

    def rest(self) -> None:
        """Wait until the device had its pause; raises ProbeEndedError."""
        self.wait(self.busy / SHARE - self.passed)

    def wait(self, seconds: float) -> None:
        """Wait; raises ProbeEndedError at once when it is to stop, and where the budget ends before."""
        left = self.left
        readable, _, _ = select.select([self.stop], [], [], max(0.0, min(seconds, left)))
        if readable or seconds >= left:
            raise ProbeEndedError

    @property
    def is_over(self) -> bool:
        """Whether the time is over, or the probe is to stop."""
        return self.left <= 0 or bool(select.select([self.stop], [], [], 0)[0])

    def may_take(self, seconds: float) -> bool:
        """Whether so much work of the device still fits in the budget."""
        return self.busy + seconds <= SHARE * self.seconds and seconds < self.left
