"""A plan as the JSON document that scripts rely on (docs/formats.md, "Plan")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tunewiz.core.answers import Accepted, Answers, Decision, Refused, Replaced
from tunewiz.core.budget import MemoryBudget
from tunewiz.core.decide import Finding
from tunewiz.core.evidence import Fitted
from tunewiz.core.known import Fact, Known, known_or
from tunewiz.core.model import Advice, PgTarget, Proposal, SysctlTarget
from tunewiz.core.plan import Budget, Plan
from tunewiz.core.situation import Situation

SCHEMA = 1

Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None


def plan_document(plan: Plan) -> dict[str, Json]:
    """The whole plan; the same plan gives the same document, in the same order."""
    facts = plan.start.facts
    return {
        "schema": SCHEMA,
        "host": {
            "name": _or_null(facts.host.name),
            "architecture": _or_null(facts.host.architecture),
            "kernel": _or_null(facts.host.kernel),
            "postgres": str(plan.start.major),
        },
        "answers": _answers(plan.start.answers),
        "memory_budget": {"before": _budget(plan.before), "after": _budget(plan.after)},
        "warnings": [{"code": each.code, "text": each.text} for each in plan.warnings],
        "recommendations": [
            _finding(each, plan.start)
            for each in sorted(plan.findings, key=lambda each: each.recommendation.id)
        ],
    }


def _or_null(fact: Fact[str]) -> Json:
    return fact.value if isinstance(fact, Known) else None


def _answers(answers: Answers) -> Json:
    workload, server, risk = answers.workload, answers.server, answers.risk
    return {
        "workload": {
            "kind": workload.kind,
            "connections": workload.connections,
            "database_size": workload.database_size.count,
        },
        "server": {
            "postgres": server.postgres,
            "data_directory": server.data_directory,
            "storage": server.storage,
            "replicas": server.replicas,
        },
        "risk": {
            "posture": risk.posture,
            "restart": risk.restart,
            "reboot": risk.reboot,
            "kernel": risk.kernel,
            "recovery_time": risk.recovery_time.pg(),
        },
        "decisions": _decisions(answers.decisions),
    }


def _decisions(decisions: Mapping[str, Decision]) -> Json:
    return {name: _decision(decisions[name]) for name in sorted(decisions)}


def _decision(decision: Decision) -> Json:
    match decision:
        case Accepted(note=note):
            return {"accept": True, "note": note}
        case Refused(note=note):
            return {"decline": True, "note": note}
        case Replaced(value=value, note=note):
            return {"set": value, "note": note}


def _budget(budget: Budget) -> Json:
    if not isinstance(budget, MemoryBudget):
        return {"unknown": budget.why}
    return {
        "total": budget.total.count,
        "buffers": budget.buffers.count,
        "shared_other": budget.shared_other.count,
        "huge_pages_idle": budget.huge_pages_idle.count,
        "connections": budget.connections.count,
        "work": budget.work.count,
        "maintenance": budget.maintenance.count,
        "autovacuum": budget.autovacuum.count,
        "system": budget.system.count,
        "page_cache": budget.page_cache.count,
        "fits": budget.fits,
    }


def _finding(finding: Finding, start: Situation) -> Json:
    told, target = finding.recommendation, finding.recommendation.target
    return {
        "id": told.id,
        "title": told.title,
        "group": told.group,
        "state": finding.state,
        "because": finding.because,
        "target": {"kind": target.kind, "name": target.name},
        "current": known_or(start.current(target), None),
        "proposed": finding.verdict.value if isinstance(finding.verdict, Proposal) else None,
        "default": _default(finding, start),
        "unit": _unit(finding, start),
        "computed": finding.verdict.computed if isinstance(finding.verdict, Proposal | Advice) else None,
        "takes_effect": str(finding.takes_effect),
        "risk": str(finding.risk),
        "pros": list(told.pros),
        "cons": list(told.cons),
        "evidence": [_evidence(each) for each in finding.evidence],
    }


def _default(finding: Finding, start: Situation) -> str | None:
    target = finding.recommendation.target
    if isinstance(target, PgTarget) and start.settings.has(target.name):
        return start.default(target.name)
    return None


def _unit(finding: Finding, start: Situation) -> str | None:
    match finding.recommendation.target:
        case PgTarget(name=name):
            return start.settings[name].unit if start.settings.has(name) else None
        case SysctlTarget(unit=unit):
            return unit or None
        case _:
            return None


def _evidence(fitted: Fitted) -> Json:
    return {
        "source": fitted.source.title,
        "claim": fitted.claim.id,
        "place": fitted.claim.place,
        "figure": fitted.claim.figure,
        "measured_on": [system.name for system in fitted.systems],
        "fit": fitted.fit,
        "fit_because": fitted.because,
        "today": fitted.claim.today or None,
    }
