"""Keeps a run on disk, answer by answer, and asks before it is left."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

from tunewiz.core.values.errors import TunewizError
from tunewiz.plain.line_io import BackRequested, InputEndedError, Talk
from tunewiz.plain.prompts import ask_choice
from tunewiz.text.choice import Choice
from tunewiz.wizard.outcome import Dropped, Kept, Outcome

if TYPE_CHECKING:
    from tunewiz.session.record import AnySession

STAY, KEEP, FORGET = "stay", "keep", "forget"
RESUME = "`tunewiz --plain --resume` continues there."
LEAVE = Choice(key=KEEP, title="Leave", about="your answers are saved; --resume continues from here")


class Left(Exception):  # noqa: N818 - a request, not an error
    """The person left before the last question."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class Leaving:
    """Of one run."""

    def __init__(self, talk: Talk, save: Callable[[AnySession], None]) -> None:
        self._talk = talk
        self._save = save
        self._is_kept = False
        self._is_worthless = False
        self._told_not_kept: str = ""
        talk.leave = self._ask

    def keep(self, session: AnySession) -> None:
        """Saves on disk; a failure is reported once."""
        try:
            self._save(session)
        except TunewizError as error:
            if error.message != self._told_not_kept:
                self._talk.complain(f"your answers are not being saved: {error.message}")
            self._told_not_kept, self._is_kept = error.message, False
        else:
            self._is_kept, self._is_worthless = True, session.is_worthless

    def is_resumed(self) -> None:
        """The run is on disk already, as it was saved."""
        self._is_kept = True

    def leave(self) -> NoReturn:
        """Raises Left, without a question."""
        raise Left(Kept() if self._is_worth_keeping else Dropped())

    @property
    def _is_worth_keeping(self) -> bool:
        return self._is_kept and not self._is_worthless

    @contextmanager
    def resumable(self) -> Generator[None]:
        """Where the input ends before the last question, the message says how to continue."""
        try:
            yield
        except InputEndedError as error:
            raise InputEndedError(error.message, RESUME if self._is_kept else "") from error

    def _ask(self) -> None:
        """Raises Left, unless the person stays."""
        self._talk.leave = self._leave_at_once
        choices = (
            LEAVE,
            Choice(key=FORGET, title="Leave and discard", about="facts, answers and decisions are deleted"),
            Choice(key=STAY, title="Stay"),
        )
        try:
            chosen = ask_choice(self._talk, choices, KEEP) if self._is_worth_keeping else FORGET
        except BackRequested:
            chosen = STAY
        self._talk.leave = self._ask
        if chosen != STAY:
            raise Left(Kept() if chosen == KEEP else Dropped())

    def _leave_at_once(self) -> NoReturn:
        raise Left(Kept())
