"""What can be seen of a measurement of a bundle, from before its beginning to its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tunewiz.core.proof.lengths import Lengths
from tunewiz.core.proof.metrics import MetricName
from tunewiz.core.proof.proof import Pair, Proof


@dataclass(frozen=True, kw_only=True, slots=True)
class Outlook:
    """What measuring a bundle takes, with the usual options."""

    directory: str
    """Of the bundle, absolute."""
    proof_file: str
    """Where the command that is shown writes the result."""
    server: str
    """The data directory."""
    changes: int
    """Those that can be measured."""
    later: int
    """Those that take effect too late to be measured: after a reboot, or by hand."""
    restarts: bool
    lengths: Lengths


@dataclass(frozen=True, kw_only=True, slots=True)
class SoFar:
    """What was measured so far, and what was agreed on."""

    primary: MetricName
    most: int
    """Pairs, or cycles where the plan is measured part by part, unless fewer are agreed on."""
    agreed: int
    """The same, agreed on after the A/A pairs; 0 before."""
    same_planned: int
    same_pairs: tuple[Pair, ...]
    pairs: tuple[Pair, ...]
    groups: int
    """Parts of the plan; 0 where it is measured as a whole."""
    cycles: int
    steps: int
    """Runs of the cycle that is under way."""
    arm_seconds: float
    """How long one run takes, with its restart; 0 while unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CannotMeasure:
    """There is no bundle that could be measured."""

    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotBegun:
    """No measurement of it is in progress or waits to be continued."""

    outlook: Outlook
    unseen: str = ""
    """Why the records of measurements cannot be read; empty where they can."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OtherUnderWay:
    """Another bundle is being measured; there is one measurement at a time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class UnderWay:
    """It is being measured."""

    directory: str
    so_far: SoFar
    doing: str
    """What it does now, as the command line says it."""
    question: str = ""
    """What it waits for an answer to; empty if nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PutBack:
    """It ended early, and everything was put back."""

    directory: str
    so_far: SoFar
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NotPutBack:
    """Something is still as the measurement left it."""

    directory: str
    why: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """It has a result."""

    directory: str
    proof: Proof
    unshown: bool
    """Whether no command has shown it yet."""


BenchSeen: TypeAlias = CannotMeasure | NotBegun | OtherUnderWay | UnderWay | PutBack | NotPutBack | Finished
