"""What a recommendation is: its explanation, its decision, its evidence and its examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz.core.recommendation.actions import Action
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.targets import Target
from tunewiz.core.recommendation.verdicts import DeclinedKind, RiskLevel, Verdict
from tunewiz.core.values.record import dataclass

if TYPE_CHECKING:
    from tunewiz.core.recommendation.examples import Given
    from tunewiz.core.recommendation.observed import Look
    from tunewiz.core.recommendation.situation import Situation
    from tunewiz.core.recommendation.witness import Witness

Group = Literal[
    "memory", "writing", "planner", "vacuum", "connections", "kernel", "storage", "host", "durability"
]
Basis = Literal["measured", "well understood", "reasoned"]
"""Its basis: only measurements, also PostgreSQL's or the kernel's own documentation, or neither."""
LAST = 100
"""The default rank."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """What a person wants to know before accepting; each part is one to four short sentences."""

    changes: str
    """What changes, with every term explained."""
    helps: str
    leave_alone: str
    """When not to."""
    costs: str
    watch: str
    """How to see afterwards whether it was right: a view, a log line, a command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dispute:
    """Sources that disagree, or one that argues with the usual advice: both sides, side by side."""

    one: str
    """Who, where, what, how much; the side that the plan is closer to."""
    other: str
    follows: str
    """Which side the plan follows, and why."""
    claims: tuple[str, ...]
    """The cited claims that the two sides rest on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sets:
    """An example's outcome: this value is proposed."""

    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Advises:
    """An example's outcome: advice is given."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Declines:
    """An example's outcome: it is left alone, in this way."""

    kind: DeclinedKind = "declined"


Outcome: TypeAlias = Sets | Advises | Declines


@dataclass(frozen=True, kw_only=True, slots=True)
class Example:
    """A worked example: test and documentation at once."""

    name: str
    given: Given
    outcome: Outcome


def no_actions(_: Situation, __: str) -> tuple[Action, ...]:
    """For targets with a single value: the target determines the action."""
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """One recommendation: everything about it is in its module."""

    id: str
    """`pg.<setting>`, `kernel.<knob>`, `storage.<subject>`, `host.<subject>`, `role.<setting>`."""
    title: str
    """What a colleague would say aloud, in the imperative."""
    group: Group
    target: Target
    explanation: Explanation
    pros: tuple[str, ...]
    cons: tuple[str, ...]
    risk: RiskLevel
    basis: Basis
    cites: tuple[Cite, ...]
    decide: Callable[[Situation], Verdict]
    examples: tuple[Example, ...]
    disputes: tuple[Dispute, ...] = field(default=())
    after: tuple[str, ...] = field(default=())
    """Recommendations whose outcome this one depends on (`Situation.will_be`)."""
    versions: str = ""
    """Kernels or servers that it applies to; empty for a PostgreSQL setting, which has its own range."""
    never: tuple[str, ...] = field(default=())
    """Values that are refused even if set by hand: they would put data at risk."""
    observed: tuple[Look, ...] = field(default=())
    """What this server's own statistics may say about it."""
    witnesses: tuple[Witness, ...] = field(default=())
    """What of the server's own numbers the decision reads, before what documents say."""
    gives_way: int = LAST
    """Its rank if the plan would claim more memory than there is: the lowest is held back first."""
    together: tuple[str, ...] = field(default=())
    """Recommendations without which this one makes no sense: declined when one of them is."""
    actions: Callable[[Situation, str], tuple[Action, ...]] = field(default=no_actions)
    """What carries out a proposed value of a HostTarget."""
