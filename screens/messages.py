"""What screens ask of the app, which alone moves between steps, saves and opens doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.message import Message

from tunewiz.core.answers import Answers
from tunewiz.core.chosen import Machine
from tunewiz.core.facts import Facts
from tunewiz.core.flow import Step


@dataclass
class MachineChosen(Message):
    """The facts of this machine are wanted."""

    machine: Machine


@dataclass
class StepLeft(Message):
    """The step is done with, or is to be seen again later; its answers stand either way."""

    step: Step
    to: Literal["forward", "back"]
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


class LeaveAsked(Message):
    """The wizard is to end."""
