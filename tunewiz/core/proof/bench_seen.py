"""The states of a bundle's measurement, from before it begins to its result."""

from __future__ import annotations

from typing import TypeAlias

from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Pair, Proof
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlook:
    """What measuring a bundle with the default options takes."""

    directory: str
    """The bundle's directory, absolute."""
    proof_file: str
    """The file to which the command shown writes the result."""
    server: str
    """The data directory."""
    changes: int
    """The number of changes that can be measured."""
    later: int
    """The number that cannot be measured, since they need a reboot or work by hand."""
    restarts: bool
    lengths: Lengths


@dataclass(frozen=True, kw_only=True, slots=True)
class SoFar:
    """The results so far, and the agreed number of pairs."""

    primary: MetricName
    most: int
    """Planned pairs (or cycles, if the plan is measured part by part), unless fewer are agreed on."""
    agreed: int
    """The number agreed on after the A/A pairs; 0 before."""
    same_planned: int
    same_pairs: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    groups: int
    """Number of parts of the plan; 0 if it is measured as a whole."""
    cycles: int
    steps: int
    """Finished runs of the cycle in progress."""
    arm_seconds: float
    """Seconds that one run takes, with its restart; 0 while unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CannotMeasure:
    """There is no bundle that could be measured."""

    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotBegun:
    """No measurement of it is in progress or interrupted."""

    outlook: Outlook
    unseen: str = ""
    """Why the records of measurements cannot be read; empty where they can."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherUnderWay:
    """Another measurement is running; only one can at a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """It is being measured."""

    directory: str
    so_far: SoFar
    doing: str
    """What it is doing, as the command line says it."""
    question: str = ""
    """The question that it waits for an answer to; empty if none."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PutBack:
    """It ended early, and everything was put back."""

    directory: str
    so_far: SoFar
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotPutBack:
    """Something could not be put back."""

    directory: str
    why: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """It has a result."""

    directory: str
    proof: Proof
    unshown: bool
    """Whether the result was not shown by any command yet."""


BenchSeen: TypeAlias = CannotMeasure | NotBegun | OtherUnderWay | UnderWay | PutBack | NotPutBack | Finished
