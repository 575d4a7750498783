"""A number that somebody chose is not moved a little: without a cause that was seen here, it stays."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from tunewiz.core.planning.budget import budget_of
from tunewiz.core.recommendation.observed import Observation
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal, Verdict
from tunewiz.core.values.known import Known, MissingFact
from tunewiz.core.values.pg_settings import SettingError, SettingInfo
from tunewiz.core.values.rounding import NOTICEABLE

NEEDED = frozenset(
    {
        *("max_connections", "max_worker_processes", "max_parallel_workers", "max_locks_per_transaction"),
        *("autovacuum_worker_slots", "temp_file_limit"),
        *("autovacuum_freeze_max_age", "autovacuum_multixact_freeze_max_age"),
        *("vacuum_failsafe_age", "vacuum_multixact_failsafe_age"),
    }
)
"""Limits in which something countable has to fit, or that keep ids from running out: a little matters."""


def unless_small(
    recommendation: Recommendation,
    verdict: Verdict,
    observed: tuple[Observation, ...],
    situation: Situation,
) -> Verdict:
    """Leaves a small step to a person, where nothing that this server counted asks for it."""
    target = recommendation.target
    if not isinstance(verdict, Proposal) or not verdict.ticked or not isinstance(target, PgTarget):
        return verdict
    if recommendation.group == "durability" or target.name in NEEDED:
        return verdict
    if any(observation.speaks_for for observation in observed):
        return verdict
    info, chosen = situation.settings[target.name], _chosen(situation, target.name)
    if chosen is None or not _is_small(info, chosen, verdict.value):
        return verdict
    is_less = _number(info, verdict.value) < _number(info, chosen)
    if is_less and not _fits_today(situation):
        return verdict
    little = "little less" if is_less else "little more"
    because = (
        f"{info.show(chosen)} was chosen, and {info.show(verdict.value)} is {little}: nothing that was seen "
        "here asks for it"
    )
    return dataclasses.replace(verdict, ticked=False, because=because)


def _chosen(situation: Situation, name: str) -> str | None:
    """The number in force, where it is not the default."""
    match situation.setting(name):
        case Known(value=current) if not situation.settings[name].same(current, situation.default(name)):
            return current
        case _:
            return None


def _is_small(info: SettingInfo, one: str, other: str) -> bool:
    """Whether both are plain numbers, other ones, and near; none and less have meanings of their own."""
    if info.vartype not in ("integer", "real"):
        return False
    try:
        least, most = sorted((_number(info, one), _number(info, other)))
    except SettingError:
        return False
    return 0 < least < most < least * NOTICEABLE


def _number(info: SettingInfo, text: str) -> Fraction:
    return Fraction(info.canonical(text))


def _fits_today(situation: Situation) -> bool:
    """Whether the server's memory is enough for what it has: else less of anything is for a cause."""
    try:
        return budget_of(dataclasses.replace(situation, chosen={})).fits
    except MissingFact:
        return True
