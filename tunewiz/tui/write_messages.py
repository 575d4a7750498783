"""Messages from the threads that write a bundle and run its dry run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.wizard.outcome import Written

if TYPE_CHECKING:
    from tunewiz.bundle.dry_run import DryRun


@dataclass
class WrittenThere(Message):
    """The bundle was written."""

    outcome: Written


@dataclass
class WriteFailed(Message):
    """The bundle could not be written."""

    why: str


@dataclass
class Tried(Message):
    """The dry run has ended."""

    tried: DryRun


@dataclass
class TryFailed(Message):
    """The dry run did not end, or could not begin."""

    why: str
