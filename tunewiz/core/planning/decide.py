"""From recommendations and a situation to findings: what is proposed, kept, advised or declined, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from graphlib import TopologicalSorter

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.planning.constraints import within_limits
from tunewiz.core.planning.dangerous_values import dangerous_kept
from tunewiz.core.planning.evidence_fit import ComparedLibrary, compared, here_of
from tunewiz.core.planning.finding import (
    DecisionState,
    Finding,
    NotDecided,
    because_of,
    not_weighed,
    replace_verdict,
    state_of,
    takes_effect,
)
from tunewiz.core.planning.ownership import left_to_owner, rests_on_advice
from tunewiz.core.planning.proved import proved, seen_in_proof
from tunewiz.core.planning.small_steps import unless_small
from tunewiz.core.planning.standbys_first import standbys_first
from tunewiz.core.planning.ticking import ticked, ticked_as_proved
from tunewiz.core.planning.user_values import checked_value
from tunewiz.core.planning.weighing import Weighing, weighed
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.target_words import target_name, value_in_words
from tunewiz.core.recommendation.targets import Effect, HostTarget, PgTarget, SysctlTarget, SysfsTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal, Verdict
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, MissingFact, known_or
from tunewiz.core.values.minor_releases import FIRST_MINOR, why_not_yet
from tunewiz.core.values.names import meant

NO_ROOM = Declined(because="the memory budget has no room for it")


def in_order(recommendations: Iterable[Recommendation]) -> tuple[Recommendation, ...]:
    """Recommendations ordered so that each comes after those that it depends on; otherwise by id."""
    by_id = {recommendation.id: recommendation for recommendation in recommendations}
    names = sorted(by_id)
    return tuple(by_id[name] for name in _order(tuple((name, *_earlier(by_id[name])) for name in names)))


def _earlier(recommendation: Recommendation) -> tuple[str, ...]:
    return (*recommendation.after, *recommendation.together)


@lru_cache(maxsize=16)
def _order(dependencies: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    """Names in an order in which each comes after its dependencies, as far as they are present.

    The catalogue's order is the same in every plan.
    """
    there = {name for name, *_ in dependencies}
    graph = {name: sorted(there.intersection(others)) for name, *others in dependencies}
    return tuple(TopologicalSorter(graph).static_order())


def decide_all(
    recommendations: Iterable[Recommendation],
    start: Situation,
    held_back: frozenset[str] = frozenset(),
) -> tuple[Situation, tuple[Finding, ...]]:
    """Every finding, and the situation with all values that the plan puts in force.

    Args:
        recommendations: In any order.
        start: The situation before anything is chosen.
        held_back: Ids for which the memory budget has no room.

    Raises:
        InputError: A decision names no recommendation or gives a value that its target does not accept.
    """
    ordered = in_order(recommendations)
    _check_names(ordered, start)
    evidence = compared(start.library, here_of(start))
    situation, findings = start, dict[str, Finding]()
    for recommendation in ordered:
        finding = _find(recommendation, situation, evidence, findings)
        if recommendation.id in held_back and finding.sets:
            finding = replace_verdict(finding, NO_ROOM)
        findings[recommendation.id] = finding
        if finding.sets:
            situation = situation.with_chosen(recommendation.target.name, finding.sets)
    return situation, tuple(findings.values())


def _check_names(recommendations: tuple[Recommendation, ...], situation: Situation) -> None:
    known = {recommendation.id for recommendation in recommendations}
    for name in situation.answers.decisions:
        if name not in known:
            raise InputError(
                f"decisions.{name}: found no recommendation with that name",
                meant(name, sorted(known)) or "`tunewiz explain` lists them all.",
            )


def _find(
    recommendation: Recommendation, situation: Situation, known: ComparedLibrary, before: dict[str, Finding]
) -> Finding:
    decision = situation.answers.decisions.get(recommendation.id, NotDecided())
    evidence = known.all_of(recommendation.cites)
    verdict = _allowed(recommendation, situation, before)
    weigh = _weigh(recommendation, verdict, situation, before)
    counted = tuple(observation for look in recommendation.observed for observation in look(situation))
    verdict = ticked(recommendation, verdict, evidence, counted, situation)
    verdict = unless_small(recommendation, verdict, counted, situation)
    measured = proved(recommendation, verdict, situation)
    verdict = ticked_as_proved(recommendation, verdict, measured, situation)
    verdict = standbys_first(recommendation, verdict, situation)
    verdict = dangerous_kept(recommendation, verdict, situation)
    verdict = _as_said(recommendation, verdict, decision, situation)
    verdict = _as_kept(recommendation, verdict, decision, situation, before)
    return Finding(
        recommendation=recommendation,
        verdict=verdict,
        decision=decision,
        state=state_of(verdict, decision),
        because=because_of(verdict, decision),
        takes_effect=takes_effect(recommendation.target, verdict, situation),
        evidence=evidence,
        opposing=tuple(cite.claim for cite in recommendation.cites if cite.opposes),
        observed=(*seen_in_proof(measured), *counted),
        proved=measured,
        weigh=weigh,
    )


def _weigh(
    recommendation: Recommendation, verdict: Verdict, situation: Situation, before: dict[str, Finding]
) -> Callable[[], Weighing]:
    """Weigh the finding when it is first read, deciding again without this server's numbers."""
    if not recommendation.witnesses:
        return not_weighed
    decided = partial(_allowed, recommendation, before=before)
    return cache(partial(weighed, recommendation, verdict, situation, decided))


def _allowed(recommendation: Recommendation, situation: Situation, before: dict[str, Finding]) -> Verdict:
    return within_limits(recommendation, _verdict(recommendation, situation, before), situation)


def _verdict(recommendation: Recommendation, situation: Situation, before: dict[str, Finding]) -> Verdict:
    for name in recommendation.together:
        partner = before.get(name)
        if partner is not None and partner.state in ("declined", "not_applicable"):
            kind = partner.state
            with_it = target_name(partner.recommendation.target)
            return Declined(because=f"not without {with_it}: {partner.because}", kind=kind)
    target = recommendation.target
    if isinstance(target, PgTarget) and (why := _why_missing(target.name, situation)):
        return Declined(because=why, kind="not_applicable")
    try:
        verdict = recommendation.decide(situation)
    except MissingFact as missing:
        return Declined(because=str(missing), kind="not_applicable")
    return _already_so(recommendation, verdict, situation)


def _why_missing(name: str, situation: Situation) -> str:
    """Why the server has no such setting; empty where it has it."""
    if not situation.settings.has(name):
        return situation.settings.why_missing(name)
    if name not in FIRST_MINOR:
        return ""
    release = known_or(situation.server.release, "") if isinstance(situation.server, PostgresServer) else ""
    return why_not_yet(name, release)


def _already_so(recommendation: Recommendation, verdict: Verdict, situation: Situation) -> Verdict:
    if not isinstance(verdict, Proposal):
        return verdict
    current = situation.current(recommendation.target)
    if isinstance(current, Known) and situation.same(recommendation.target, current.value, verdict.value):
        value = value_in_words(recommendation.target, current.value)
        return Declined(because=f"it is {value} already ({current.how})", kind="keep")
    return verdict


def _as_said(
    recommendation: Recommendation, verdict: Verdict, decision: DecisionState, situation: Situation
) -> Verdict:
    if not isinstance(decision, Replaced):
        return verdict
    if isinstance(verdict, Declined) and verdict.kind == "not_applicable":
        raise InputError(f"decisions.{recommendation.id}: it cannot be set here: {verdict.because}")
    value = checked_value(recommendation, decision.value, situation)
    target = recommendation.target
    before = target.usual if isinstance(target, HostTarget) else ""
    return Proposal(
        value=value, because="set by hand", computed=decision.note or "set by hand", before=before
    )


def _as_kept(
    recommendation: Recommendation,
    verdict: Verdict,
    decision: DecisionState,
    situation: Situation,
    before: dict[str, Finding],
) -> Verdict:
    """Settings managed elsewhere become advice; kernel changes wait until those are in force."""
    if not isinstance(verdict, Proposal):
        return verdict
    target = recommendation.target
    looked_at = [before[name] for name in recommendation.after if name in before]
    results = [finding for finding in looked_at if isinstance(finding.verdict, Advice) and finding.sets]
    if results and isinstance(target, SysctlTarget | SysfsTarget):
        return rests_on_advice(
            tuple(target_name(finding.recommendation.target) for finding in results),
            target,
            verdict,
            situation,
        )
    restart = takes_effect(target, verdict, situation) is Effect.RESTART
    return left_to_owner(
        target, verdict, situation, restart=restart, assumed=state_of(verdict, decision) == "change"
    )
