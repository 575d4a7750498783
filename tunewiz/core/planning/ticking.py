"""Which proposals a plan carries out unless somebody says otherwise: by risk, and by what speaks for them."""

from __future__ import annotations

import dataclasses

from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.presets import Grounds
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel, Verdict

OBSERVES = ("log_", "track_", "pg_stat_")
"""How the names of settings and extensions begin that only make things visible: they cost next to nothing
where they are proposed, and without them nobody can judge the rest."""

FROM_LOW_TO_HIGH = tuple(each.value for each in (RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH))


def only_observes(recommendation: Recommendation) -> bool:
    """Whether it changes nothing but what can be seen."""
    return recommendation.target.name.startswith(OBSERVES)


def ticked(
    recommendation: Recommendation,
    verdict: Verdict,
    evidence: tuple[Fitted, ...],
    observed: tuple[Observation, ...],
    now: Situation,
) -> Verdict:
    """Ticks what the posture accepts of risk and evidence; always what keeps data safe or only observes."""
    if not isinstance(verdict, Proposal) or recommendation.group == "durability":
        return verdict
    if only_observes(recommendation):
        return verdict
    risk = recommendation.risk if verdict.risk == "as usual" else verdict.risk
    accepted = FROM_LOW_TO_HIGH.index(risk.value) <= FROM_LOW_TO_HIGH.index(now.posture.most_risk)
    grounds = _grounds(recommendation, evidence, observed)
    stays = accepted and not grounds.isdisjoint(now.posture.ticks)
    return dataclasses.replace(verdict, ticked=False) if verdict.ticked and not stays else verdict


def _grounds(
    recommendation: Recommendation, evidence: tuple[Fitted, ...], observed: tuple[Observation, ...]
) -> set[Grounds]:
    """What speaks for it; what this server counted itself was measured on a system like it."""
    grounds: set[Grounds] = {each.fit for each in evidence if each.fit != "opposite" and each.speaks_for}
    if recommendation.basis == "well understood":
        grounds.add("well understood")
    if any(not each.opposes for each in observed):
        grounds.add("like")
    return grounds
