"""Saves the session in the background while the wizard continues: one save after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.core.values.errors import TunewizError

if TYPE_CHECKING:
    from tunewiz.session.record import AnySession


@dataclass
class SaveResult(Message):
    """The result of a save."""

    why_not: str = ""
    """Empty if it was saved."""


class Saver:
    """Saves sessions in the order in which they arrive."""

    def __init__(self, save: Callable[[AnySession], None], on_saved: Callable[[SaveResult], object]) -> None:
        self._save = save
        self._on_saved = on_saved
        self._last: Future[None] | None = None
        self._queue = ThreadPoolExecutor(max_workers=1, thread_name_prefix="saving")

    def keep(self, session: AnySession) -> None:
        """Save this soon; `on_saved` is called with the result, in the saving thread."""
        before, self._last = self._last, self._queue.submit(self._keep, session)
        if before is not None and before.done():
            before.result()  # raises internal errors; a full disk is reported instead

    def _keep(self, session: AnySession) -> None:
        try:
            self._save(session)
        except TunewizError as error:
            self._on_saved(SaveResult(error.message))
        else:
            self._on_saved(SaveResult())

    def close(self) -> None:
        """Wait until everything is saved."""
        self._queue.shutdown(wait=True)
