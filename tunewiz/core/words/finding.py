"""The words for a finding: its name, now, then, what it takes, its risk and its group; the same everywhere.

`tunewiz plan`, the wizard, `--plain`, REVIEW.md and plan.json all show these.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from tunewiz.core.planning.finding import Finding, State
from tunewiz.core.recommendation.recommendation import Group
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.target_words import exact_value, target_name, target_path, value_in_words
from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    Effect,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
)
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass

GROUPS: Mapping[Group, str] = MappingProxyType(
    {
        "memory": "Memory",
        "writing": "Writing",
        "planner": "Planner",
        "vacuum": "Vacuum",
        "connections": "Connections",
        "durability": "Durability",
        "kernel": "Kernel",
        "storage": "Storage",
        "host": "Host",
    }
)
"""In the order in which they are shown."""

STATES: Mapping[State, str] = MappingProxyType(
    {
        "change": "To change",
        "advise": "For you to decide",
        "keep": "Right already",
        "declined": "Left alone",
        "not_applicable": "Not applicable, or not known",
    }
)

TAKES: Mapping[Effect, str] = MappingProxyType(
    {
        Effect.NOW: "at once",
        Effect.RELOAD: "reload",
        Effect.RESTART: "restart",
        Effect.REBOOT: "reboot",
        Effect.MANUAL: "by hand",
    }
)

NOT_KNOWN = "not known"
NOTHING = "-"
"""Shown if there is no such value."""
UNREAD = ", the default; not read"
"""Follows a default that is shown because the current value could not be read."""
SEE_STEPS = "see steps"
"""Shown instead of a value, for advice that is not a single value."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Phrase:
    """A short text for a list, and what may follow it if there is room."""

    short: str
    more: str = ""
    """With its punctuation: ` (67108864 bytes)`."""

    @property
    def in_full(self) -> str:
        """All of it."""
        return self.short + self.more


@dataclass(frozen=True, kw_only=True, slots=True)
class FindingWords:
    """The texts shown for one finding."""

    name: Phrase
    now: Phrase
    """The current value; the default in brackets, if the current value could not be read."""
    then: Phrase
    """What is proposed, by the bundle or by hand."""
    takes: str
    risk: str
    group: str


def words_of(finding: Finding, start: Situation) -> FindingWords:
    """The words for a finding of a plan that started from this situation."""
    return FindingWords(
        name=name_of(finding),
        now=now_of(finding, start),
        then=then_of(finding),
        takes=TAKES[finding.takes_effect],
        risk=finding.risk.value,
        group=GROUPS[finding.recommendation.group],
    )


def name_of(finding: Finding) -> Phrase:
    """What a DBA calls the target; with the path where it is a file."""
    target = finding.recommendation.target
    return Phrase(short=target_name(target), more=_in_brackets(target_path(target)))


def now_of(finding: Finding, start: Situation) -> Phrase:
    """The current value, and its source."""
    target = finding.recommendation.target
    current = start.current(target)
    if isinstance(current, Known):
        more = _in_brackets(exact_value(target, current.value), current.how)
        return Phrase(short=value_in_words(target, current.value), more=more)
    match target:
        case PgTarget(name=name) if start.settings.has(name):
            return Phrase(short=f"({start.default(name)})", more=UNREAD)
        case PgTarget():
            return Phrase(short=NOTHING)
        case SysctlTarget() | SysfsTarget():
            return Phrase(short=NOT_KNOWN)
        case HostTarget() | AdviceTarget():
            before = finding.verdict.before if isinstance(finding.verdict, Proposal) else ""
            return Phrase(short=before or NOTHING)
        case _:
            assert_never(target)


def then_of(finding: Finding) -> Phrase:
    """The proposed value, whoever sets it."""
    match finding.verdict:
        case Advice(value=""):
            return Phrase(short=SEE_STEPS)
        case Proposal(value=value) | Advice(value=value):
            target = finding.recommendation.target
            return Phrase(short=value_in_words(target, value), more=_in_brackets(exact_value(target, value)))
        case Declined():
            return Phrase(short=NOTHING)
        case _:
            assert_never(finding.verdict)


def _in_brackets(*texts: str) -> str:
    there = ", ".join(text for text in texts if text)
    return f" ({there})" if there else ""
