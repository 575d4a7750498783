"""The words and short forms in which findings are shown, on the command line and in the wizard alike."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from tunewiz.core.decide import Finding, State
from tunewiz.core.evidence import Fit
from tunewiz.core.known import Known
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Declined,
    Effect,
    Group,
    PgTarget,
    Proposal,
    SysctlTarget,
    SysfsTarget,
    Target,
)
from tunewiz.core.situation import Situation
from tunewiz.core.units import Bytes

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
        "not_applicable": "Not on this machine",
    }
)
FITS: Mapping[Fit, str] = MappingProxyType(
    {"like": "like yours", "unlike": "unlike yours", "opposite": "opposite effect seen"}
)


def name_of(target: Target) -> str:
    """What a DBA calls it."""
    match target:
        case PgTarget(name=name) | SysctlTarget(name=name) | AdviceTarget(name=name):
            return name
        case SysfsTarget(fact=fact):
            return fact
        case _:
            assert_never(target)


def value_in_words(target: Target, value: str) -> str:
    """A value with its unit, as short as it can be."""
    if not (isinstance(target, SysctlTarget) and value.isdecimal()):
        return value
    match target.unit:
        case "bytes":
            return Bytes(int(value)).pg() if int(value) else "0"
        case "percent":
            return f"{value}%"
        case "huge pages":
            return f"{int(value):,} pages"
        case "":
            return value
        case _:
            assert_never(target.unit)


def now_of(finding: Finding, start: Situation) -> str:
    """What is in force; a question mark where that is not known."""
    current = start.current(finding.recommendation.target)
    return value_in_words(finding.recommendation.target, current.value) if isinstance(current, Known) else "?"


def then_of(finding: Finding) -> str:
    """What is proposed."""
    match finding.verdict:
        case Proposal(value=value):
            return value_in_words(finding.recommendation.target, value)
        case Advice():
            return "see steps"
        case Declined():
            return "-"
        case _:
            assert_never(finding.verdict)
