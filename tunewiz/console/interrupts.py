"""An interrupt that ends a wait early instead of ending the command."""

from __future__ import annotations

import signal
from threading import Event


class InterruptFlag:
    """Records an interrupt instead of exiting."""

    def __enter__(self) -> Event:
        """An event that is set by the first interrupt."""
        interrupted = Event()
        self._before = signal.signal(signal.SIGINT, lambda _signal, _frame: interrupted.set())
        return interrupted

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)


class Stops:
    """Records an interrupt or a request to end (SIGTERM) instead of exiting: a service ends cleanly."""

    def __enter__(self) -> Event:
        """An event that is set by the first of them."""
        stopped = Event()
        self._before = {
            name: signal.signal(name, lambda _signal, _frame: stopped.set())
            for name in (signal.SIGINT, signal.SIGTERM)
        }
        return stopped

    def __exit__(self, *_: object) -> None:
        for signal_number, handler in self._before.items():
            signal.signal(signal_number, handler)
