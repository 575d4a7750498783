"""Whether a proposal is allowed: not ruled out, possible here, ticked if the evidence is enough."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from tunewiz.core.planning.finding import takes_effect
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.target_words import value_in_words
from tunewiz.core.recommendation.targets import Effect, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.server.standby import is_standby, lowers, waits_for_promotion, where_it_works
from tunewiz.core.values.known import known_or

AFTER_PROMOTION = "no effect here until this standby is promoted"


def within_limits(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> Verdict:
    """The verdict after what the administrator ruled out, and what cannot be changed on this machine."""
    if not isinstance(verdict, Proposal):
        return _advised(recommendation, verdict, situation) if isinstance(verdict, Advice) else verdict
    if isinstance(recommendation.target, SysctlTarget | SysfsTarget | HostTarget):
        value = value_in_words(recommendation.target, verdict.value)
        if situation.in_container:
            return _hosts_own(value)
        if closed := _closed_place(recommendation.target, situation):
            return _closed(closed, value)
        if not situation.answers.risk.kernel:
            what = (
                "changes outside PostgreSQL"
                if isinstance(recommendation.target, HostTarget)
                else "kernel changes"
            )
            return Declined(because=f"{what} are ruled out; it would be {value}")
    if ruled_out := _ruled_out(takes_effect(recommendation.target, verdict, situation), situation):
        return Declined(because=f"{ruled_out} is ruled out; it would be {verdict.value}")
    return _on_a_standby(recommendation, verdict, situation)


def _ruled_out(effect: Effect, situation: Situation) -> str:
    """What the administrator ruled out; empty if nothing is in the way."""
    if effect is Effect.RESTART and not situation.answers.risk.restart:
        return "a restart"
    return "a reboot" if effect is Effect.REBOOT and not situation.answers.risk.reboot else ""


def _on_a_standby(recommendation: Recommendation, verdict: Proposal, situation: Situation) -> Verdict:
    target = recommendation.target
    if (
        isinstance(target, PgTarget)
        and is_standby(situation)
        and lowers(situation, target.name, verdict.value)
    ):
        because = "a standby with less than its primary does not start: lower it there first"
        return Declined(because=f"{because}; it would be {verdict.value}")
    return _told_of_promotion(recommendation, verdict, situation)


def _advised(recommendation: Recommendation, verdict: Advice, situation: Situation) -> Advice:
    """On a standby, steps that write are marked as work for its primary."""
    advice = _told_of_promotion(recommendation, verdict, situation)
    if not is_standby(situation):
        return advice
    steps, undo = (tuple(map(where_it_works, row)) for row in (advice.steps, advice.undo))
    return dataclasses.replace(advice, steps=steps, undo=undo)


_T = TypeVar("_T", Proposal, Advice)


def _told_of_promotion(recommendation: Recommendation, verdict: _T, situation: Situation) -> _T:
    target = recommendation.target
    if isinstance(target, PgTarget) and waits_for_promotion(situation, target.name):
        return dataclasses.replace(verdict, because=f"{verdict.because}; {AFTER_PROMOTION}")
    return verdict


def _hosts_own(value: str) -> Declined:
    return Declined(
        because=f"it belongs to the host, not to a container: there it would be {value}",
        kind="not_applicable",
    )


def _closed_place(target: SysctlTarget | SysfsTarget | HostTarget, situation: Situation) -> str:
    """What the target needs and is read-only here; empty if nothing is."""
    kernel = situation.facts.kernel
    if not isinstance(target, HostTarget) and not known_or(kernel.writable, otherwise=True):
        return "kernel settings are"
    below_sys = isinstance(target, SysfsTarget) or (isinstance(target, HostTarget) and target.below_sys)
    if below_sys and not known_or(kernel.sysfs_writable, otherwise=True):
        return "/sys is"
    return ""


def _closed(what: str, value: str) -> Declined:
    return Declined(
        because=f"{what} read-only here: ask the owner of the host to set {value}",
        kind="not_applicable",
    )
