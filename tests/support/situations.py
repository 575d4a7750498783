"""Situations and small recommendations for tests of how decisions are made, not of what is decided."""

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType

from tunewiz.core.answers.answers import Decision
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.recommendation.evidence import Cite
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.recommendation import LAST, Basis, Explanation, Group, Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget, Target
from tunewiz.core.recommendation.verdicts import Declined, Proposal, RiskLevel, Verdict
from tunewiz.knowledge.loading import load_knowledge
from tunewiz.planning import example_situation

NO_DECISIONS: Mapping[str, Decision] = MappingProxyType({})
EXPLANATION = Explanation(changes="It.", helps="Much.", leave_alone="Never.", costs="Nothing.", watch="Look.")


SOUND = Given(connections=100)
"""A server that lets in all clients that are expected: nothing to be warned of."""


def situation(given: Given = SOUND, decisions: Mapping[str, Decision] = NO_DECISIONS) -> Situation:
    """The situation of an example with these decisions."""
    result = example_situation(given, load_knowledge())
    return dataclasses.replace(result, answers=dataclasses.replace(result.answers, decisions=decisions))


def recommendation(  # noqa: PLR0913 - each is a field of what is made
    name: str,
    decide: Callable[[Situation], Verdict],
    *,
    target: Target | None = None,
    group: Group = "memory",
    basis: Basis = "well understood",
    cites: tuple[Cite, ...] = (),
    after: tuple[str, ...] = (),
    together: tuple[str, ...] = (),
) -> Recommendation:
    """A recommendation that is nothing but its decision."""
    return Recommendation(
        id=name,
        title=f"Set {name}",
        group=group,
        target=target or PgTarget(name=name.removeprefix("pg.")),
        explanation=EXPLANATION,
        pros=("good",),
        cons=("bad",),
        risk=RiskLevel.LOW,
        basis=basis,
        cites=cites,
        decide=decide,
        examples=(),
        after=after,
        together=together,
    )


def proposes(name: str, value: str, *, target: Target | None = None, gives_way: int = LAST) -> Recommendation:
    """Always proposes the value."""
    proposal = Proposal(value=value, because="a test says so", computed=f"{value} = {value}")
    made = recommendation(name, lambda _: proposal, target=target)
    return dataclasses.replace(made, gives_way=gives_way)


def declines(name: str) -> Recommendation:
    """Always keeps quiet."""
    return recommendation(name, lambda _: Declined(because="a test says no"))


def plan(*recommendations: Recommendation, now: Situation | None = None) -> Plan:
    """The plan of a few recommendations."""
    return plan_of(recommendations, now or situation())


def finding(of: Plan, name: str) -> Finding:
    """One finding by its id."""
    return next(entry for entry in of.findings if entry.recommendation.id == name)
