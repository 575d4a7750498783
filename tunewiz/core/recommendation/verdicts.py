"""The result of a decision: a proposal, advice for a person, or a reason to leave things alone."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from tunewiz.core.values.record import dataclass

DeclinedKind = Literal["keep", "declined", "not_applicable"]


class RiskLevel(StrEnum):
    """How much can go wrong, whether or not a rollback undoes it."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True, slots=True)
class Proposal:
    """Set the target to this value."""

    value: str
    """As a person writes it: `16GB`, `on`, `536870912`."""
    because: str
    """One sentence: why here."""
    computed: str
    """The computation as a person would write it: `64 GiB x 1/4 = 16 GiB`."""
    risk: RiskLevel | Literal["as usual"] = "as usual"
    ticked: bool = True
    """Whether it is part of the plan unless the administrator says otherwise."""
    before: str = ""
    """What is in force now, if the target is not a single value in the facts."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """Something for a person to do; the bundle explains how but does not do it."""

    because: str
    steps: tuple[str, ...]
    """Commands or instructions, in order."""
    undo: tuple[str, ...]
    computed: str = ""
    value: str = ""
    """The value to set where the setting is managed; empty for other advice."""
    assumed: bool = True
    """Whether the plan assumes that the value will be set."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Declined:
    """Considered and left alone, with the reason."""

    because: str
    kind: DeclinedKind = "declined"
    """keep: right already; declined: harmful or unwanted here; not_applicable: no such thing here."""


Verdict: TypeAlias = Proposal | Advice | Declined
