"""What screens ask of the app, which alone moves between steps, saves and uses the ports.

The types of what messages carry are imported for the type checker only: the first page is shown before any of
them is needed.
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
    from tunewiz.core.planning.target_names import TargetName


@dataclass
class MachineChosen(Message):
    """The facts of this machine are wanted."""

    machine: Machine


@dataclass
class FleetAsked(Message):
    """The facts of many hosts in this directory are wanted, or the rollout that was written there."""

    path: str


@dataclass
class StepLeft(Message):
    """The user leaves a step, forward or back; its answers are kept either way."""

    step: Step
    to: Direction
    answers: Answers


@dataclass
class Decided(Message):
    """The user decided about a recommendation."""

    answers: Answers
    remark: str = ""
    """What to say once it is decided; empty if the list shows it all."""


@dataclass
class FactsCorrected(Message):
    """The user corrected facts."""

    facts: Facts


@dataclass
class ChoicesTaken(Message):
    """What was tried in the what-if panel should hold: one choice."""

    facts: Facts
    answers: Answers


@dataclass
class CopyAsked(Message):
    """A text should go to the terminal's clipboard."""

    text: str


@dataclass
class UndoAsked(Message):
    """The last choice should be taken back, or the one that was taken back made again.

    Answers on the page that were not left yet count as a choice.
    """

    step: Step
    answers: Answers
    again: bool = False


class ReadAgain(Message):
    """This host should be read again; corrections by hand are lost."""


@dataclass
class WriteAsked(Message):
    """The bundle should be written."""

    out: str
    target: TargetName


@dataclass
class DryRunAsked(Message):
    """The dry run of the bundle in this directory is wanted."""

    directory: str


class DryRunEnough(Message):
    """The dry run should be stopped."""


class EndAsked(Message):
    """The bundle is written, and the wizard should end."""


@dataclass
class HelpAsked(Message):
    """The help of a page should be shown."""

    page: str


class GlossaryAsked(Message):
    """The glossary should be shown."""


@dataclass
class CommandsAsked(Message):
    """The command palette should be shown."""

    commands: tuple[Key, ...]


class LeaveAsked(Message):
    """The user wants to leave the wizard."""


@dataclass
class ProbeAsked(Message):
    """The storage of this server should be measured."""

    server: PostgresServer
    facts: Facts


@dataclass
class ProbeEnough(Message):
    """Measuring should stop; use the results so far."""


@dataclass
class LogAsked(Message):
    """The log of this server should be read."""

    server: PostgresServer


@dataclass
class WatchAsked(Message):
    """A server should be watched at work."""

    server: PostgresServer


class WatchEnough(Message):
    """The server has been watched for long enough."""


class WatchSkipped(Message):
    """Watching should stop, and what was seen is discarded."""


@dataclass
class ProvingAsked(Message):
    """The measurement of the bundle in that directory should be shown."""

    directory: str


@dataclass
class ProvingLooked(Message):
    """The page of a measurement asks for its current state."""

    directory: str


@dataclass
class ComparingAsked(Message):
    """What was observed before and after the bundle in that directory should be shown."""

    directory: str


@dataclass
class WindowsAsked(Message):
    """The page of a comparison asks which windows there are."""

    directory: str


@dataclass
class CompareAsked(Message):
    """These two files or directories should be compared."""

    before: str
    after: str
