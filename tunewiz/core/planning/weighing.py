"""What a finding is based on: the documented value, what this server showed, and the value from both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.target_words import value_in_words
from tunewiz.core.recommendation.verdicts import Advice, Proposal, Verdict
from tunewiz.core.recommendation.witness import Seen, unseen
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass

Sureness: TypeAlias = Literal["seen", "changes nothing", "too little", "not seen"]
"""`changes nothing`: enough was seen, but no value follows from it, and it limits none here."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """The basis of a finding."""

    prior: str
    """The value from documents and answers alone: a value, `advice`, or empty."""
    seen: tuple[Seen, ...]
    posterior: str
    """What the plan proposes or keeps; empty as above."""
    sure: Sureness


@dataclass(frozen=True, kw_only=True, slots=True)
class NotWeighed:
    """No server's numbers bear on it."""


Weighing: TypeAlias = Weighed | NotWeighed


def weighed(
    recommendation: Recommendation,
    verdict: Verdict,
    situation: Situation,
    decided: Callable[[Situation], Verdict],
) -> Weighing:
    """What the recommendation's witnesses say, and what would be decided without them.

    Args:
        recommendation: The one whose witnesses are asked.
        verdict: The decision with them.
        situation: The situation of that decision.
        decided: The same decision in another situation.
    """
    if not recommendation.witnesses:
        return NotWeighed()
    observation = tuple(entry for witness in recommendation.witnesses for entry in witness.look(situation))
    prior = _in_force(recommendation, decided(unseen(situation)), situation)
    posterior = _in_force(recommendation, verdict, situation)
    sure = _sure(observation, moved=prior != posterior)
    return Weighed(prior=prior, seen=observation, posterior=posterior, sure=sure)


def _sure(observation: tuple[Seen, ...], *, moved: bool) -> Sureness:
    if not observation:
        return "not seen"
    if any(entry.enough and (entry.decides or moved) for entry in observation):
        return "seen"
    return "changes nothing" if all(entry.enough for entry in observation) else "too little"


def _in_force(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> str:
    target = recommendation.target
    match verdict:
        case Proposal(value=value):
            return value_in_words(target, value)
        case Advice(value=value):
            return value_in_words(target, value) if value else "advice"
        case _:
            current = situation.current(target)
            return value_in_words(target, current.value) if isinstance(current, Known) else ""
