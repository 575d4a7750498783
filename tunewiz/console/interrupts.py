"""An interrupt that means "long enough", where a command is told to wait."""

from __future__ import annotations

import signal
from threading import Event


class Interrupts:
    """Notes an interrupt instead of ending for it."""

    def __enter__(self) -> Event:
        """Set once there was one."""
        interrupted = Event()
        self._before = signal.signal(signal.SIGINT, lambda _signal, _frame: interrupted.set())
        return interrupted

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
