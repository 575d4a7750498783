"""Reading a machine in a thread, told in messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.core.answers.steps import Step

if TYPE_CHECKING:
    from tunewiz.wizard.journey import Journey


@dataclass
class Read(Message):
    """The facts are there."""

    asked: int
    """Which question this answers: a later one may have been asked since."""
    journey: Journey
    step: Step


@dataclass
class ReadFailed(Message):
    """The facts could not be had."""

    asked: int
    why: str


@dataclass
class ReadOn(Message):
    """What is read now."""

    asked: int
    what: str
