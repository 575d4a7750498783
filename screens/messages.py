"""What screens ask of the app, which alone moves between steps, saves and opens doors.

What a message carries is named for the type checker alone: the first page is there before any of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from tunewiz.core.answers.machine_choice import Machine
from tunewiz.core.answers.steps import Direction, Step
from tunewiz.screens.widgets.key_bar import Key

if TYPE_CHECKING:
    from tunewiz.core.answers.answers import Answers
    from tunewiz.core.facts.facts import Facts
    from tunewiz.core.facts.server import PostgresServer


@dataclass
class MachineChosen(Message):
    """The facts of this machine are wanted."""

    machine: Machine


@dataclass
class StepLeft(Message):
    """The step is done with, or is to be seen again later; its answers stand either way."""

    step: Step
    to: Direction
    answers: Answers


@dataclass
class Decided(Message):
    """Something was said of a recommendation."""

    answers: Answers


@dataclass
class FactsCorrected(Message):
    """A person knows better than the machine."""

    facts: Facts


class ReadAgain(Message):
    """This host is to be read once more; corrections by hand go."""


@dataclass
class WriteAsked(Message):
    """The bundle is to be written."""

    out: str


@dataclass
class HelpAsked(Message):
    """What a page asks, and why, is to be told."""

    page: str


class GlossaryAsked(Message):
    """The words are to be explained."""


@dataclass
class CommandsAsked(Message):
    """A command is to be found by its name."""

    commands: tuple[Key, ...]


class LeaveAsked(Message):
    """The wizard is to end."""


@dataclass
class WatchAsked(Message):
    """A server is to be watched at work."""

    server: PostgresServer


class WatchEnough(Message):
    """The server has been watched for long enough."""


class WatchSkipped(Message):
    """The server is not to be watched, and nothing that was seen counts."""
