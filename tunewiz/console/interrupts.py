"""An interrupt that ends a wait early instead of ending the command."""

from __future__ import annotations

import signal
from threading import Event


class Interrupts:
    """Records an interrupt instead of exiting."""

    def __enter__(self) -> Event:
        """An event that is set by the first interrupt."""
        interrupted = Event()
        self._before = signal.signal(signal.SIGINT, lambda _signal, _frame: interrupted.set())
        return interrupted

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)
