"""Messages from the thread that writes a bundle."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from tunewiz.wizard.outcome import Written


@dataclass
class WrittenThere(Message):
    """The bundle was written."""

    outcome: Written


@dataclass
class WriteFailed(Message):
    """The bundle could not be written."""

    why: str
