"""The words and short forms in which findings are shown, on the command line and in the wizard alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from tunewiz.core.evidence import Fit, Fitted
from tunewiz.core.finding import Finding, State
from tunewiz.core.known import Known
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Declined,
    Effect,
    Group,
    HostTarget,
    PgTarget,
    Proposal,
    SysctlTarget,
    SysfsTarget,
)
from tunewiz.core.situation import Situation
from tunewiz.core.target_words import value_in_words

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

TAKES: Mapping[Effect, str] = MappingProxyType(
    {
        Effect.NOW: "at once",
        Effect.RELOAD: "reload",
        Effect.RESTART: "restart",
        Effect.REBOOT: "reboot",
        Effect.MANUAL: "by hand",
    }
)
STATES: Mapping[State, str] = MappingProxyType(
    {
        "change": "To change",
        "advise": "For you to decide",
        "keep": "Right already",
        "declined": "Left alone",
        "not_applicable": "Not here, or not known",
    }
)
FITS: Mapping[Fit, str] = MappingProxyType(
    {"like": "like yours", "unlike": "unlike yours", "opposite": "opposite effect seen"}
)


NEAR = "Of something near it: "
"""Before what was measured nearby: its figure is not the effect of what is recommended."""


def likeness(fitted: Fitted) -> str:
    """How like this machine the measured one is, and why; that nothing was measured, where that is so.

    Not whether what was measured there is what is recommended: that stands before the figure.
    """
    if not fitted.systems:
        return fitted.because
    return f"{FITS[fitted.fit]}: {fitted.because}"


def now_of(finding: Finding, start: Situation) -> str:
    """What is in force; in brackets the default, where what is in force could not be read."""
    target = finding.recommendation.target
    current = start.current(target)
    if isinstance(current, Known):
        return value_in_words(target, current.value)
    match target:
        case PgTarget(name=name) if start.settings.has(name):
            return f"({start.default(name)})"
        case PgTarget() | SysctlTarget() | SysfsTarget():
            return "?"
        case HostTarget() | AdviceTarget():
            return (finding.verdict.before if isinstance(finding.verdict, Proposal) else "") or "-"
        case _:
            assert_never(target)


def then_of(finding: Finding) -> str:
    """What is proposed."""
    match finding.verdict:
        case Proposal(value=value):
            return value_in_words(finding.recommendation.target, value)
        case Advice(value=value):
            return value_in_words(finding.recommendation.target, value) if value else "see steps"
        case Declined():
            return "-"
        case _:
            assert_never(finding.verdict)
