"""How writing a bundle went: told by the thread that does it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from tunewiz.wizard.outcome import Written


@dataclass
class WrittenThere(Message):
    """The bundle is there."""

    outcome: Written


@dataclass
class WriteFailed(Message):
    """It is not, for this reason."""

    why: str
