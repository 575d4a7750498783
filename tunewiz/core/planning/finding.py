"""One recommendation applied to one situation: the verdict, the decision, what follows."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field
from typing import Literal, TypeAlias, assert_never

from tunewiz.core.answers.answers import Accepted, Decision, Refused, Replaced
from tunewiz.core.planning.proved import NOT_PROVED, ProvedHere
from tunewiz.core.planning.weighing import NotWeighed, Weighing
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    Effect,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
    Target,
)
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, RiskLevel, Verdict
from tunewiz.core.values.record import dataclass


def not_weighed() -> Weighing:
    """For a finding that none of the server's numbers concern."""
    return NotWeighed()


State = Literal["change", "keep", "advise", "declined", "not_applicable"]


@dataclass(frozen=True, kw_only=True, slots=True)
class NotDecided:
    """The administrator decided nothing: the proposal's own tick counts."""


DecisionState: TypeAlias = Decision | NotDecided


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One recommendation applied to one situation."""

    recommendation: Recommendation
    verdict: Verdict
    decision: DecisionState
    state: State
    because: str
    takes_effect: Effect
    evidence: tuple[Fitted, ...]
    opposing: tuple[str, ...]
    """Ids of the cited claims that argue against the recommendation."""
    observed: tuple[Observation, ...] = ()
    """Measurements on this server with and without it, then the server's own statistics."""
    proved: ProvedHere = NOT_PROVED
    """The measurement on this server with and without it."""
    weigh: Callable[[], Weighing] = field(default=not_weighed, compare=False, repr=False)
    """Decides again without the server's numbers; called only when the result is read."""

    @property
    def weighed(self) -> Weighing:
        """The documented value, what this server showed, and the value that follows from both."""
        return self.weigh()

    @property
    def changes(self) -> bool:
        """Whether the bundle will carry it out."""
        return self.state == "change"

    @property
    def sets(self) -> str:
        """The value that the plan assumes: set by the bundle, or to be set where the setting is managed."""
        match self.verdict:
            case Proposal(value=value) if self.changes:
                return value
            case Advice(value=value, assumed=True) if self.state == "advise":
                return value
            case _:
                return ""

    @property
    def risk(self) -> RiskLevel:
        """The recommendation's risk, unless this proposal's own differs."""
        match self.verdict:
            case Proposal(risk=RiskLevel() as risk):
                return risk
            case _:
                return self.recommendation.risk


def state_of(verdict: Verdict, decision: DecisionState) -> State:
    """What becomes of a recommendation."""
    match verdict:
        case Declined(kind=kind):
            return kind
        case Advice():
            return "declined" if isinstance(decision, Refused) else "advise"
        case Proposal(ticked=ticked):
            if isinstance(decision, Refused):
                return "declined"
            return "change" if ticked or isinstance(decision, Accepted | Replaced) else "advise"
        case _:
            assert_never(verdict)


def because_of(verdict: Verdict, decision: DecisionState) -> str:
    """The reason shown to people."""
    if isinstance(decision, Refused) and not isinstance(verdict, Declined):
        return f"declined by the administrator{': ' + decision.note if decision.note else ''}"
    return verdict.because


def takes_effect(target: Target, verdict: Verdict, situation: Situation) -> Effect:
    """When the change takes effect."""
    if isinstance(verdict, Advice):
        return Effect.MANUAL
    match target:
        case PgTarget(name=name):
            restart = situation.settings.has(name) and situation.settings[name].needs_restart
            return Effect.RESTART if restart else Effect.RELOAD
        case SysctlTarget(unit="huge pages") if not isinstance(situation.server, NoServer):
            return Effect.RESTART
        case SysctlTarget() | SysfsTarget():
            return Effect.NOW
        case HostTarget(effect=effect):
            return effect
        case AdviceTarget():
            return Effect.MANUAL
        case _:
            assert_never(target)


def replace_verdict(finding: Finding, verdict: Verdict) -> Finding:
    """The finding with another verdict, reached later: by the budget, for example."""
    return dataclasses.replace(
        finding, verdict=verdict, state=state_of(verdict, finding.decision), because=verdict.because
    )
