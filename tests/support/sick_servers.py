"""Servers that are in trouble: their facts and answers as files, and the plans that follow."""

from functools import cache
from pathlib import Path

from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.formats.records import answers_from_toml, facts_from_json
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import make_plan

CASES = Path(__file__).parents[1] / "core" / "cases"


def case_names() -> tuple[str, ...]:
    """All of them."""
    return tuple(sorted(path.name.removesuffix(".facts.json") for path in CASES.glob("*.facts.json")))


@cache
def facts_of_case(name: str) -> Facts:
    """The facts of one of them."""
    return facts_from_json((CASES / f"{name}.facts.json").read_text(), name)


@cache
def plan_of_case(name: str) -> Plan:
    """The plan for one of them."""
    facts = facts_of_case(name)
    answers = answers_from_toml((CASES / f"{name}.answers.toml").read_text(), name)
    return make_plan(facts, answers, load_knowledge())


def finding_of(plan: Plan, name: str) -> Finding:
    """What the plan says of one recommendation."""
    return next(finding for finding in plan.findings if finding.recommendation.id == name)


def texts_of(plan: Plan, code: str) -> list[str]:
    """The warnings with that code."""
    return [warning.text for warning in plan.warnings if warning.code == code]


def warning_texts(plan: Plan) -> dict[str, str]:
    """Each warning's text by its code; of several with the same code, the last."""
    return {warning.code: warning.text for warning in plan.warnings}
