"""Keeps the session on disk while the wizard goes on: one save after the other, in the background."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.core.values.errors import TunewizError

if TYPE_CHECKING:
    from tunewiz.session.record import Session


@dataclass
class Saved(Message):
    """How it went."""

    why_not: str = ""
    """Empty where it is on disk."""


class Saver:
    """Saves in the order in which it was asked."""

    def __init__(self, save: Callable[[Session], None], told: Callable[[Saved], object]) -> None:
        self._save = save
        self._told = told
        self._last: Future[None] | None = None
        self._queue = ThreadPoolExecutor(max_workers=1, thread_name_prefix="saving")

    def keep(self, session: Session) -> None:
        """Save this soon; `told` hears of it in the saving thread."""
        before, self._last = self._last, self._queue.submit(self._keep, session)
        if before is not None and before.done():
            before.result()  # raises what was a fault of our own; a full disk is told

    def _keep(self, session: Session) -> None:
        try:
            self._save(session)
        except TunewizError as error:
            self._told(Saved(error.message))
        else:
            self._told(Saved())

    def close(self) -> None:
        """Wait until everything is on disk."""
        self._queue.shutdown(wait=True)
