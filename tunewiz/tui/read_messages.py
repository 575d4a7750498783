"""Messages from the thread that reads a machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.core.answers.steps import Step

if TYPE_CHECKING:
    from tunewiz.wizard.journey import Journey


@dataclass
class Read(Message):
    """The facts have been read."""

    asked: int
    """The request that this answers: a later one may have been made since."""
    journey: Journey
    step: Step


@dataclass
class ReadFailed(Message):
    """The facts could not be read."""

    asked: int
    why: str


@dataclass
class ReadOn(Message):
    """What is being read now."""

    asked: int
    what: str
