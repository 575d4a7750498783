"""What the pages about many servers ask for, and the messages that answer; the app does the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from textual.message import Message

from tunewiz.core.answers.answers import Decision
from tunewiz.core.fleet.rollout import Rollout
from tunewiz.core.fleet.summary import GroupSummary
from tunewiz.core.planning.plan import Plan
from tunewiz.fleet.open_fleet import OpenFleet
from tunewiz.wizard.journey import Journey


@dataclass
class WorkOn(Message):
    """The work has progressed."""

    words: str


@dataclass
class Opened(Message):
    """The hosts were planned: the fleet as it is now."""

    opened: OpenFleet
    summaries: tuple[GroupSummary, ...]


@dataclass
class WorkFailed(Message):
    """The work failed or was stopped; the earlier state remains."""

    why: str


@dataclass
class SessionSaved(Message):
    """The decisions were saved, or could not be."""

    why_not: str
    """Empty if they were saved."""


@dataclass
class ReviewRead(Message):
    """A group's first host was planned in full."""

    group: str
    journey: Journey


@dataclass
class RolloutRead(Message):
    """The state of a rollout was read."""

    rollout: Rollout
    current_time: int
    """Seconds since 1970."""


class FleetWork(Protocol):
    """Work on a fleet; each call returns at once, and its result is a message to the page that asked."""

    def plan(self) -> None:
        """Read and plan every host."""
        ...

    def stop(self) -> None:
        """Stop the work in progress."""
        ...

    def review(self, group: str) -> None:
        """Plan the first host of a group in full."""
        ...

    def note(self, hosts: frozenset[str], decisions: Mapping[str, Decision]) -> None:
        """Save decisions that are not planned yet for every host; for no hosts, what was decided before."""
        ...

    def decide(self, hosts: frozenset[str], decisions: Mapping[str, Decision]) -> None:
        """Plan the hosts of a group again with these decisions."""
        ...

    def write(self, directory: str) -> None:
        """Write the project, and show how far it is rolled out."""
        ...

    def show_rollout(self, directory: str) -> None:
        """Show how far a project is rolled out."""
        ...

    def show_text(self, group: str, plan: Plan) -> None:
        """Show the review of a group."""
        ...
