"""A study as its documents tell it: the steps in their own order, each beside one recommendation."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.record import dataclass

Asks = Literal["set", "change", "exactly", "leave"]
"""What a document asks for.

set: something is to be so, at whatever value suits the machine: it may be so already.
change: something is to be changed: what stays as it is was declined.
exactly: the value that the step names, and no other.
leave: something is better left alone.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class StudyStep:
    """One thing that a study did, or warns of."""

    title: str
    place: str
    """Where in the documents a person finds it."""
    claims: tuple[str, ...]
    """Ids of the claims that it rests on, the one with the figure first."""
    recommendation: str
    """Id of the recommendation that decides about the same thing."""
    asks: Asks = "set"
    value: str = ""
    """The study's own value, as its documents write it; empty if they give none."""
    since_postgres: str = ""
    """From this major on, what its claims say of today replaces the step: `14`; empty if nothing does."""
    since_kernel: str = ""
    """The same for the kernel: `5.13`."""
    otherwise: str = ""
    """Why this program declines the value, where that is not the reason of its recommendation."""
    architectures: tuple[str, ...] = ()
    """As `uname -m` prints them, where the step makes sense on these only."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """Measurements by one team, told by one document or several."""

    title: str
    year: int
    documents: tuple[str, ...]
    """Keys of sources."""
    systems: tuple[str, ...]
    """Keys of measured systems, the most important first."""
    measured: str
    """What was measured, in a few words."""
    steps: tuple[StudyStep, ...]
    also: tuple[str, ...] = ()
    """Claims with nothing to change: told after the steps."""
    without_figures: str = ""
    """Why there are no bars; empty where a series of measurements is drawn."""
