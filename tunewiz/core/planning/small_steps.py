"""A memory size that somebody chose is not raised a little: without a cause that was seen here, it stays."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal, Verdict
from tunewiz.core.values.known import Known
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.core.values.units import Bytes

NOTICEABLE = Fraction(3, 2)
"""Times the chosen size: what is raised by less changes little that anybody could measure. An assumption."""


def unless_small(
    recommendation: Recommendation,
    verdict: Verdict,
    observed: tuple[Observation, ...],
    situation: Situation,
) -> Verdict:
    """Leaves a small raise to a person, where nothing that this server counted asks for it."""
    if not isinstance(verdict, Proposal) or not verdict.ticked or recommendation.group != "memory":
        return verdict
    target = recommendation.target
    if not isinstance(target, PgTarget) or any(observation.speaks_for for observation in observed):
        return verdict
    chosen = _chosen(situation, target.name)
    value = _size(situation, target.name, verdict.value)
    if not chosen or not value or not chosen < value < chosen * NOTICEABLE:
        return verdict
    because = (
        f"{chosen.pg()} was chosen, and {value.pg()} is little more: nothing that was seen here asks for it"
    )
    return dataclasses.replace(verdict, ticked=False, because=because)


def _chosen(situation: Situation, name: str) -> Bytes | None:
    """The size in force, where it is not the default."""
    match situation.setting(name):
        case Known(value=current) if not situation.settings[name].same(current, situation.default(name)):
            return _size(situation, name, current)
        case _:
            return None


def _size(situation: Situation, name: str, text: str) -> Bytes | None:
    try:
        return situation.settings[name].size(text)
    except SettingError:
        return None
