"""A study beside a plan: what becomes of each of its steps on this machine, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, assert_never

from tunewiz.core.answers.answers import Refused
from tunewiz.core.comparison.study import Study, StudyStep
from tunewiz.core.planning.evidence_fit import distance, fit_of, here_of, untold
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import Claim, Fit, MeasuredSystem
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.values.known import known_or
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major
from tunewiz.core.words.finding import FindingWords, words_of

Outcome = Literal["followed", "corrected", "declined", "refused", "open", "not_applicable"]

OUTCOMES: Mapping[Outcome, str] = MappingProxyType(
    {
        "followed": "followed",
        "corrected": "corrected today",
        "declined": "declined here",
        "refused": "declined by you",
        "open": "left to you",
        "not_applicable": "not applicable or not known",
    }
)
"""In words, in the order in which they are counted."""

_RELEASE = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True, kw_only=True, slots=True)
class ToldStep:
    """One step beside this machine's plan."""

    step: StudyStep
    claims: tuple[Claim, ...]
    own: tuple[Claim, ...]
    """Those of the study's own documents: only their figures were measured by it."""
    finding: Finding
    in_words: FindingWords
    outcome: Outcome
    because: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Retold:
    """A study beside this machine's plan."""

    name: str
    study: Study
    plan: Plan
    steps: tuple[ToldStep, ...]
    also: tuple[Claim, ...]

    def first(self, claim: Claim) -> int:
        """The number of the first step that rests on a claim, counted from 1."""
        return next(number for number, step in enumerate(self.steps, 1) if claim in step.claims)

    @property
    def closest(self) -> tuple[MeasuredSystem, Fit, str]:
        """The study's system to compare this machine with, whether it is like it, and why."""
        system = closest_system(self.study, self.plan.start)
        return (system, *fit_of(system, here_of(self.plan.start)))

    @property
    def counts(self) -> Mapping[Outcome, int]:
        """How many steps had each outcome; outcomes that no step had are left out."""
        outcomes = [step.outcome for step in self.steps]
        return MappingProxyType(
            {outcome: outcomes.count(outcome) for outcome in OUTCOMES if outcome in outcomes}
        )


def closest_system(study: Study, start: Situation) -> MeasuredSystem:
    """Of the systems that the study describes best, the one most like this machine."""
    here = here_of(start)
    systems = [start.library.systems[key] for key in study.systems]
    return min(systems, key=lambda system: (untold(system), *distance(system, here)))


def retold(name: str, study: Study, plan: Plan) -> Retold:
    """The study beside the plan; its claims and recommendations were checked when it was loaded."""
    findings = {finding.recommendation.id: finding for finding in plan.findings}
    claims = plan.start.library.claims
    return Retold(
        name=name,
        study=study,
        plan=plan,
        steps=tuple(_told(step, study, findings[step.recommendation], plan) for step in study.steps),
        also=tuple(claims[text] for text in study.also),
    )


def _told(step: StudyStep, study: Study, finding: Finding, plan: Plan) -> ToldStep:
    claims = tuple(plan.start.library.claims[claim] for claim in step.claims)
    elsewhere = _elsewhere(step, plan.start)
    outcome = "not_applicable" if elsewhere else _outcome(step, finding, plan)
    return ToldStep(
        step=step,
        claims=claims,
        own=tuple(claim for claim in claims if claim.source in study.documents),
        finding=finding,
        in_words=words_of(finding, plan.start),
        outcome=outcome,
        because=elsewhere or _instead(step, outcome, claims) or finding.because,
    )


def _instead(step: StudyStep, outcome: Outcome, claims: tuple[Claim, ...]) -> str:
    """The reason where it is not that of the recommendation."""
    if outcome == "corrected":
        return " ".join(claim.today for claim in claims if claim.today)
    return step.otherwise if outcome == "declined" else ""


def _elsewhere(step: StudyStep, start: Situation) -> str:
    """Why the step makes no sense on this architecture; empty if it does."""
    here = known_or(start.facts.host.architecture, "")
    if not step.architectures or here in step.architectures:
        return ""
    return f"it is about {step.architectures[0]}, this is {here or 'not known'}"


def _outcome(step: StudyStep, finding: Finding, plan: Plan) -> Outcome:
    """What a person decided comes first, then what time has changed, then what is not there."""
    if isinstance(finding.decision, Refused):
        return "followed" if step.asks == "leave" else "refused"
    if _is_of_the_past(step, plan.start):
        return "corrected"
    if finding.state == "not_applicable":
        return "not_applicable"
    return _asked(step, finding, plan)


def _asked(step: StudyStep, finding: Finding, plan: Plan) -> Outcome:
    match step.asks:
        case "leave":
            return _left(finding)
        case "set":
            return _set(finding)
        case "change":
            return "followed" if finding.changes else _other(finding)
        case "exactly":
            return _set(finding) if _has_value(step.value, finding, plan) else _other(finding)
        case _:
            assert_never(step.asks)


def _left(finding: Finding) -> Outcome:
    """Of what the document warns of."""
    if finding.state == "advise":
        return "open"
    return "declined" if finding.changes else "followed"


def _set(finding: Finding) -> Outcome:
    if finding.state == "advise":
        return "open"
    return "followed" if finding.changes or finding.state == "keep" else "declined"


def _other(finding: Finding) -> Outcome:
    """Of a value that is not the document's."""
    return "open" if finding.state == "advise" else "declined"


def _has_value(value: str, finding: Finding, plan: Plan) -> bool:
    target, start = finding.recommendation.target, plan.start
    usual = start.default(target.name) if isinstance(target, PgTarget) else ""
    in_force = finding.sets or known_or(start.current(target), usual)
    return start.same(target, in_force, value)


def _is_of_the_past(step: StudyStep, start: Situation) -> bool:
    """Whether this server or this kernel is one on which the step is done in another way."""
    if step.since_postgres and start.major >= Major.parse(step.since_postgres):
        return True
    here = _RELEASE.match(known_or(start.facts.host.kernel, ""))
    since = _RELEASE.match(step.since_kernel)
    return here is not None and since is not None and _numbers(here) >= _numbers(since)


def _numbers(release: re.Match[str]) -> tuple[int, int]:
    return int(release[1]), int(release[2])
