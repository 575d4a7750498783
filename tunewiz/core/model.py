"""What a recommendation is: its explanation, its decision, its evidence and its examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from tunewiz.core.actions import Action
from tunewiz.core.evidence import Cite

if TYPE_CHECKING:
    from tunewiz.core.examples import Given
    from tunewiz.core.observed import Look
    from tunewiz.core.situation import Situation

Group = Literal[
    "memory", "writing", "planner", "vacuum", "connections", "kernel", "storage", "host", "durability"
]
Basis = Literal["measured", "well understood", "reasoned"]
"""What it rests on: measurements alone, also PostgreSQL's or the kernel's own documentation, or neither."""
DeclinedKind = Literal["keep", "declined", "not_applicable"]
LAST = 100
"""The turn of a recommendation that names none."""


class Effect(StrEnum):
    """What it takes before a change counts."""

    NOW = "now"
    RELOAD = "reload"
    RESTART = "restart"
    REBOOT = "reboot"
    MANUAL = "manual"


class RiskLevel(StrEnum):
    """How much may go wrong, undone by a rollback or not."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, kw_only=True, slots=True)
class PgTarget:
    """A PostgreSQL setting."""

    name: str
    kind: Literal["postgres"] = "postgres"


@dataclass(frozen=True, kw_only=True, slots=True)
class SysctlTarget:
    """A kernel setting under /proc/sys."""

    name: str
    fact: str = ""
    """Its key in the kernel facts, where that is not its name: `sched.migration_cost_ns`."""
    twin: str = ""
    """The setting that the kernel zeroes when this one is written."""
    unit: Literal["", "bytes", "percent", "huge pages"] = ""
    minimum: int = 0
    maximum: int = 2**63 - 1
    kind: Literal["sysctl"] = "sysctl"


@dataclass(frozen=True, kw_only=True, slots=True)
class SysfsTarget:
    """A choice of words in a file under /sys."""

    name: str
    """The absolute path."""
    fact: str
    """Its key in the kernel facts: `thp.enabled`."""
    choices: tuple[str, ...]
    kind: Literal["sysfs"] = "sysfs"


@dataclass(frozen=True, kw_only=True, slots=True)
class HostTarget:
    """Something of the machine that is no single value; the recommendation's actions change it."""

    name: str
    effect: Effect = Effect.NOW
    below_sys: bool = False
    """Changed by writing to files below /sys."""
    takes: Literal["", "place of the WAL"] = ""
    """What a person may set as its value; empty where yes and no are all there is."""
    usual: str = ""
    """How it is wherever nobody changed it, for one that takes a value."""
    kind: Literal["host"] = "host"


@dataclass(frozen=True, kw_only=True, slots=True)
class AdviceTarget:
    """Something that only a person can change."""

    name: str
    kind: Literal["advice"] = "advice"


Target: TypeAlias = PgTarget | SysctlTarget | SysfsTarget | HostTarget | AdviceTarget


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
    """What is in force now, where the target is no single value that the facts hold."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """A person should look at this; the bundle tells how but does not do it."""

    because: str
    steps: tuple[str, ...]
    """Commands or deeds, in order."""
    undo: tuple[str, ...]
    computed: str = ""
    value: str = ""
    """What the setting's keeper is asked to set; empty for other advice."""
    assumed: bool = True
    """Whether the plan assumes that the value will be set."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Declined:
    """Considered and left alone, with the reason."""

    because: str
    kind: DeclinedKind = "declined"
    """keep: right already; declined: harmful or unwanted here; not_applicable: no such thing here."""


Verdict: TypeAlias = Proposal | Advice | Declined


@dataclass(frozen=True, kw_only=True, slots=True)
class Explanation:
    """What a person wants to know before saying yes; each part one to four short sentences."""

    changes: str
    """What changes, with a gloss for every term."""
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
    """Who, where, what, how much; the side that the plan is nearer to."""
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
    """For targets that are one value: what to do follows from the target."""
    return ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Recommendation:
    """One recommendation: everything about it stands in its module."""

    id: str
    """`pg.<setting>`, `kernel.<knob>`, `storage.<subject>`, `host.<subject>`."""
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
    """Recommendations whose outcome this one looks at (`Situation.will_be`)."""
    versions: str = ""
    """Kernels or servers in which it holds; empty for a setting of PostgreSQL, whose own range counts."""
    never: tuple[str, ...] = field(default=())
    """Values that are refused even when they are asked for by hand: they would put data at risk."""
    observed: tuple[Look, ...] = field(default=())
    """What this very server's statistics may say of it."""
    gives_way: int = LAST
    """Its turn when the plan would claim more memory than there is: the lowest is held back first."""
    together: tuple[str, ...] = field(default=())
    """Recommendations without which this one makes no sense: declined when one of them is."""
    actions: Callable[[Situation, str], tuple[Action, ...]] = field(default=no_actions)
    """What carries out a proposed value of a HostTarget."""
