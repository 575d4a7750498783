"""Which proposals a plan carries out unless somebody says otherwise: by risk, and by what speaks for them."""

from __future__ import annotations

import dataclasses
from typing import assert_never

from tunewiz.core.answers.answers import Refused, Replaced
from tunewiz.core.planning.proved import Proved, ProvedHere
from tunewiz.core.recommendation.evidence import Fitted
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.presets import Grounds
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.verdicts import Proposal, RiskLevel, Verdict

OBSERVES = ("log_", "track_", "pg_stat_")
"""How the names of settings and extensions begin that only make things visible: they cost next to nothing
where they are proposed, and without them nobody can judge the rest."""

FROM_LOW_TO_HIGH = tuple(name.value for name in (RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH))


def only_observes(recommendation: Recommendation) -> bool:
    """Whether it changes nothing but what can be seen."""
    return recommendation.target.name.startswith(OBSERVES)


def ticked(
    recommendation: Recommendation,
    verdict: Verdict,
    evidence: tuple[Fitted, ...],
    observed: tuple[Observation, ...],
    situation: Situation,
) -> Verdict:
    """Ticks what the posture accepts of risk and evidence; always what keeps data safe or only observes."""
    if not isinstance(verdict, Proposal) or recommendation.group == "durability":
        return verdict
    if only_observes(recommendation):
        return verdict
    grounds = _grounds(recommendation, evidence, observed)
    stays = not grounds.isdisjoint(situation.posture.ticks) and _accepts_risk(
        recommendation, verdict, situation
    )
    return dataclasses.replace(verdict, ticked=False) if verdict.ticked and not stays else verdict


def _accepts_risk(recommendation: Recommendation, verdict: Proposal, situation: Situation) -> bool:
    """Whether the posture accepts the risk of the proposal."""
    return accepts(recommendation.risk if verdict.risk == "as usual" else verdict.risk, situation)


def accepts(risk: RiskLevel, situation: Situation) -> bool:
    """Whether the posture accepts such a risk."""
    return FROM_LOW_TO_HIGH.index(risk.value) <= FROM_LOW_TO_HIGH.index(situation.posture.most_risk)


def ticked_as_proved(
    recommendation: Recommendation, verdict: Verdict, here: ProvedHere, situation: Situation
) -> Verdict:
    """Untick what hurt on this server, and tick what helped if the risk is accepted.

    A person's decision stands whatever was measured, and no gain in speed outweighs what keeps
    data safe. A part helped only as it was measured: if one of its changes was declined or has another value,
    its figure ticks none of them. A part that hurt is left out whole, with what follows from its changes.
    """
    if not isinstance(verdict, Proposal) or not isinstance(here, Proved):
        return verdict
    if recommendation.group == "durability" or recommendation.id in situation.answers.decisions:
        return verdict
    match here.part.verdict:
        case "hurt":
            return dataclasses.replace(verdict, ticked=False, because=hurt_in_words(here))
        case "helped":
            is_sure = here.is_of_this and _is_whole(here, situation) and not here.costs
            may = is_sure and _accepts_risk(recommendation, verdict, situation)
            return dataclasses.replace(verdict, ticked=True) if may else verdict
        case "same" | "undecided" | "observed":
            return verdict
        case _:
            assert_never(here.part.verdict)


def hurt_in_words(here: Proved) -> str:
    """The reason for leaving it unticked, with the figure."""
    together = "" if here.part.is_one_change else f" with {here.part.name}"
    return f"it hurt on this server{together}: {here.part.figure}"


def _is_whole(here: Proved, situation: Situation) -> bool:
    """Whether no change of the measured part was declined or replaced."""
    decisions = (situation.answers.decisions.get(name) for name in here.part.ids)
    return not any(isinstance(decision, Refused | Replaced) for decision in decisions)


def _grounds(
    recommendation: Recommendation, evidence: tuple[Fitted, ...], observed: tuple[Observation, ...]
) -> set[Grounds]:
    """What speaks for it; what this server counted itself was measured on a system like it."""
    grounds: set[Grounds] = {
        "like" if evidence.fit == "like" else "unlike" for evidence in evidence if evidence.speaks_for
    }
    if recommendation.basis == "well understood":
        grounds.add("well understood")
    if any(observation.speaks_for for observation in observed):
        grounds.add("like")
    return grounds
