"""The wizard's steps, in order, and the question of each: all that the first page needs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias


class Step(StrEnum):
    """One page of the wizard; the value is used in session files."""

    WELCOME = "welcome"
    MACHINE = "machine"
    SERVER = "server"
    WORKLOAD = "workload"
    RISK = "risk"
    RECOMMENDATIONS = "recommendations"
    REVIEW = "review"
    WRITE = "write"


Direction: TypeAlias = Literal["forward", "back"] | Step
"""To the next step, the one before, or to one that has been seen."""


QUESTIONS: Mapping[Step, str] = MappingProxyType(
    {
        Step.WELCOME: "Which machine should be tuned?",
        Step.MACHINE: "What this machine is",
        Step.SERVER: "Which PostgreSQL server, on what storage?",
        Step.WORKLOAD: "What is it used for?",
        Step.RISK: "What may it cost?",
        Step.RECOMMENDATIONS: "What should change?",
        Step.REVIEW: "What the bundle will do",
        Step.WRITE: "Where should the bundle be written?",
    }
)
