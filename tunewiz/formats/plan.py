"""The public form of a plan: the same plan gives the same bytes everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import assert_never

from tunewiz.core.answers.form import answers_document, decision_document
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.finding import Finding, NotDecided
from tunewiz.core.planning.plan import Budget, BudgetUnknown, Plan
from tunewiz.core.planning.proved import Proved
from tunewiz.core.planning.weighing import NotWeighed, Weighed
from tunewiz.core.proof.measured_parts import NoProof, ProofGiven, measured_parts
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.examples import DEFAULT_KERNEL
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.situation import NoServer, Situation
from tunewiz.core.recommendation.targets import AdviceTarget, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.known import Fact, Known, MaybeFact, known_or
from tunewiz.core.words.finding import words_of
from tunewiz.core.words.weighing import weighing_in_words

SCHEMA = 1


def plan_json(plan: Plan) -> str:
    """The plan as JSON, in ASCII."""
    return json.dumps(plan_document(plan), indent=2) + "\n"


def plan_document(plan: Plan) -> dict[str, object]:
    """The plan as plain data; recommendations are in the order of their ids."""
    findings = sorted(plan.findings, key=lambda finding: finding.recommendation.id)
    return {
        "schema": SCHEMA,
        "host": _host(plan.start),
        "answers": answers_document(plan.start.answers),
        "memory_budget": {**_budget(plan.after), "before": _budget(plan.before)},
        "warnings": [{"code": warning.code, "text": warning.text} for warning in plan.warnings],
        **_proof(plan.start.proof),
        "recommendations": [_finding(finding, plan) for finding in findings],
    }


def _host(situation: Situation) -> dict[str, object]:
    host = situation.facts.host
    return {
        "name": _value(host.name),
        "architecture": _value(host.architecture),
        "kernel": _value(host.kernel),
        "distribution": _value(host.distribution),
        "identity": _value(host.identity),
        "postgres": _server(situation),
    }


def _proof(proof: ProofGiven) -> dict[str, object]:
    """The measurement on this server; no key if none was given."""
    if isinstance(proof, NoProof):
        return {}
    result = {"kind": proof.kind, "verdict": proof.verdict, "metric": proof.primary}
    parts = [
        {"name": part.name, "ids": list(part.ids), "verdict": part.verdict, "figure": part.figure}
        for part in measured_parts(proof)
    ]
    return {"proof": {**result, "finished": proof.finished, "bundle": proof.bundle.digest, "parts": parts}}


def _server(situation: Situation) -> dict[str, object]:
    match situation.server:
        case PostgresServer() as server:
            return {
                "major": str(situation.major),
                "version": _value(server.version),
                "data_directory": _value(server.data_directory),
                "running": server.running,
            }
        case NoServer(why=why):
            return {"major": str(situation.major), "why": why}
        case _:
            assert_never(situation.server)


def _value(fact: MaybeFact[str]) -> str | None:
    return known_or(fact, None)


def _budget(budget: Budget) -> dict[str, object]:
    match budget:
        case MemoryBudget():
            return {**{name: size.count for name, size in budget.parts.items()}, "fits": budget.fits}
        case BudgetUnknown(why=why):
            return {"why": why}
        case _:
            assert_never(budget)


def _finding(finding: Finding, plan: Plan) -> dict[str, object]:
    recommendation, situation = finding.recommendation, plan.start
    current = situation.current(recommendation.target)
    kind, name = recommendation.target.kind, recommendation.target.name
    return {
        "id": recommendation.id,
        "title": recommendation.title,
        "group": recommendation.group,
        "state": finding.state,
        "because": finding.because,
        "target": {"kind": kind, "name": name},
        "current": _value(current) or _before(finding),
        "current_from": _origin(current),
        "proposed": _proposed(finding),
        "default": default_of(finding, situation),
        "unit": _unit(finding, situation),
        "computed": _computed(finding),
        "weighed": _weighed(finding),
        "takes_effect": finding.takes_effect.value,
        "risk": finding.risk.value,
        "in_words": _in_words(finding, situation),
        "decision": None if isinstance(finding.decision, NotDecided) else decision_document(finding.decision),
        "steps": list(finding.verdict.steps) if isinstance(finding.verdict, Advice) else [],
        "pros": list(recommendation.pros),
        "cons": list(recommendation.cons),
        "disputes": [
            {"one": dispute.one, "other": dispute.other, "follows": dispute.follows}
            for dispute in recommendation.disputes
        ],
        "evidence": [
            *(
                _observation(observation, plan, _MEASURED if is_measured else _COUNTED)
                for is_measured, observation in _seen_here(finding)
            ),
            *(_evidence(evidence, finding) for evidence in finding.evidence),
        ],
    }


def _in_words(finding: Finding, situation: Situation) -> dict[str, str]:
    """What every front end shows."""
    words = words_of(finding, situation)
    return {
        "name": words.name.short,
        "now": words.now.short,
        "then": words.then.short,
        "takes": words.takes,
        "risk": words.risk,
        "group": words.group,
    }


def _before(finding: Finding) -> str | None:
    return (finding.verdict.before or None) if isinstance(finding.verdict, Proposal) else None


def _origin(fact: Fact[str]) -> str:
    return fact.how if isinstance(fact, Known) else fact.why


def _proposed(finding: Finding) -> str | None:
    match finding.verdict:
        case Proposal(value=value):
            return value
        case Advice(value=value):
            return value or None
        case Declined():
            return None
        case _:
            assert_never(finding.verdict)


def default_of(finding: Finding, situation: Situation) -> str | None:
    """The default of PostgreSQL or the kernel; None if it is unknown."""
    target = finding.recommendation.target
    match target:
        case PgTarget(name=name):
            return situation.default(name) if situation.settings.has(name) else None
        case SysctlTarget(name=key) | SysfsTarget(fact=key):
            return str(DEFAULT_KERNEL[key]) if key in DEFAULT_KERNEL else None
        case HostTarget() | AdviceTarget():
            return None
        case _:
            assert_never(target)


def _unit(finding: Finding, situation: Situation) -> str | None:
    target = finding.recommendation.target
    match target:
        case PgTarget(name=name):
            return situation.settings[name].unit if situation.settings.has(name) else None
        case SysctlTarget(unit=unit):
            return unit or None
        case SysfsTarget() | HostTarget() | AdviceTarget():
            return None
        case _:
            assert_never(target)


def _computed(finding: Finding) -> str | None:
    match finding.verdict:
        case Proposal(computed=computed) | Advice(computed=computed):
            return computed or None
        case Declined():
            return None
        case _:
            assert_never(finding.verdict)


def _weighed(finding: Finding) -> dict[str, object] | None:
    match finding.weighed:
        case Weighed(prior=prior, seen=observation, posterior=posterior, sure=sure):
            return {
                "prior": prior or None,
                "seen": [{"words": entry.words, "enough": entry.enough} for entry in observation],
                "posterior": posterior or None,
                "sure": sure,
                "in_words": weighing_in_words(finding),
            }
        case NotWeighed():
            return None
        case _:
            assert_never(finding.weighed)


THIS_SERVER = "this-server"
"""Evidence from this very server, measured or counted, instead of a source."""
_MEASURED, _COUNTED = "a measurement on this server", "this server's own statistics"


def _seen_here(finding: Finding) -> Iterator[tuple[bool, Observation]]:
    """The observations of this server, each with whether it was measured; measurements come first."""
    for place, observation in enumerate(finding.observed):
        yield place == 0 and isinstance(finding.proved, Proved), observation


def _observation(observation: Observation, plan: Plan, source: str) -> dict[str, object]:
    return {
        "source": source,
        "source_id": THIS_SERVER,
        "claim": observation.means,
        "claim_id": None,
        "opposes": observation.opposes,
        "place": observation.how,
        "figure": observation.figure,
        "measured_on": [known_or(plan.start.facts.host.name, "this host")],
        "fit": "like",
        "fit_because": "it was measured on this server",
        "today": "",
        "caution": "",
    }


def _evidence(fitted: Fitted, finding: Finding) -> dict[str, object]:
    claim, source = fitted.claim, fitted.source
    return {
        "source": f"{source.title} ({source.author}, {source.date})",
        "source_id": source.key,
        "claim": claim.text,
        "claim_id": claim.id,
        "opposes": claim.id in finding.opposing,
        "place": claim.place,
        "figure": fitted.figure,
        "measured_on": [system.name for system in fitted.systems],
        "fit": fitted.fit,
        "fit_because": fitted.because,
        "today": claim.today,
        "caution": claim.caution,
    }
