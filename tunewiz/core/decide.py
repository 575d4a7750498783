"""From recommendations and a situation to findings: what is proposed, kept, advised or declined, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Literal, TypeAlias, assert_never

from tunewiz.core.answers import Accepted, Decision, Refused, Replaced
from tunewiz.core.errors import InputError
from tunewiz.core.evidence import Fitted
from tunewiz.core.fit import fitted
from tunewiz.core.known import Known, MissingFact, known_or
from tunewiz.core.model import (
    Advice,
    AdviceTarget,
    Declined,
    Effect,
    PgTarget,
    Proposal,
    Recommendation,
    RiskLevel,
    SysctlTarget,
    SysfsTarget,
    Target,
    Verdict,
)
from tunewiz.core.owners import left_to_owner, rests_on_advice
from tunewiz.core.presets import Grounds
from tunewiz.core.settings import SettingError
from tunewiz.core.situation import Situation
from tunewiz.core.target_words import name_of, value_in_words
from tunewiz.core.units import Bytes, UnitError

State = Literal["change", "keep", "advise", "declined", "not_applicable"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Undecided:
    """The administrator said nothing of it: the proposal's own tick counts."""


Said: TypeAlias = Decision | Undecided
NO_ROOM = Declined(because="the memory budget has no room for it")


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One recommendation held against one situation."""

    recommendation: Recommendation
    verdict: Verdict
    said: Said
    state: State
    because: str
    takes_effect: Effect
    evidence: tuple[Fitted, ...]
    opposing: tuple[str, ...]
    """Ids of the cited claims that speak against the recommendation."""

    @property
    def changes(self) -> bool:
        """Whether the bundle will carry it out."""
        return self.state == "change"

    @property
    def sets(self) -> str:
        """The value that the plan reckons with: set by the bundle or asked of the setting's keeper."""
        match self.verdict:
            case Proposal(value=value) if self.changes:
                return value
            case Advice(value=value) if self.state == "advise":
                return value
            case _:
                return ""

    @property
    def risk(self) -> RiskLevel:
        """The recommendation's risk, unless this proposal's own differs."""
        match self.verdict:
            case Proposal(risk=RiskLevel() as risk):
                return risk
            case _:
                return self.recommendation.risk


def in_order(recommendations: Iterable[Recommendation]) -> tuple[Recommendation, ...]:
    """So that every recommendation comes after those that it looks at; by id where free."""
    by_id = {each.id: each for each in recommendations}
    graph = {
        each.id: sorted({name for name in (*each.after, *each.together) if name in by_id})
        for each in sorted(by_id.values(), key=lambda each: each.id)
    }
    return tuple(by_id[name] for name in TopologicalSorter(graph).static_order())


def decide_all(
    recommendations: Iterable[Recommendation],
    start: Situation,
    held_back: frozenset[str] = frozenset(),
) -> tuple[Situation, tuple[Finding, ...]]:
    """Every finding, and the situation with all values that the plan puts in force.

    Args:
        recommendations: In any order.
        start: Where nothing is chosen yet.
        held_back: Ids for which the memory budget has no room.

    Raises:
        InputError: A decision names no recommendation or gives a value that its target does not take.
    """
    ordered = in_order(recommendations)
    _check_names(ordered, start)
    now, findings = start, dict[str, Finding]()
    for recommendation in ordered:
        finding = _find(recommendation, now, findings)
        if recommendation.id in held_back and finding.sets:
            finding = replace_verdict(finding, NO_ROOM)
        findings[recommendation.id] = finding
        if finding.sets:
            now = now.with_chosen(recommendation.target.name, finding.sets)
    return now, tuple(findings.values())


def _check_names(recommendations: tuple[Recommendation, ...], now: Situation) -> None:
    known = {each.id for each in recommendations}
    for name in now.answers.decisions:
        if name not in known:
            raise InputError(
                f"decisions.{name}: found no recommendation of that name",
                "`tunewiz explain` lists them all.",
            )


def _find(recommendation: Recommendation, now: Situation, before: dict[str, Finding]) -> Finding:
    said = now.answers.decisions.get(recommendation.id, Undecided())
    evidence = tuple(fitted(cite, now) for cite in recommendation.cites)
    verdict = _within_limits(recommendation, _verdict(recommendation, now, before), now)
    verdict = _ticked(recommendation, verdict, evidence, now)
    verdict = _as_said(recommendation, verdict, said, now)
    verdict = _as_kept(recommendation, verdict, said, now, before)
    return Finding(
        recommendation=recommendation,
        verdict=verdict,
        said=said,
        state=_state(verdict, said),
        because=_because(verdict, said),
        takes_effect=takes_effect(recommendation.target, verdict, now),
        evidence=evidence,
        opposing=tuple(cite.claim for cite in recommendation.cites if cite.opposes),
    )


def _verdict(recommendation: Recommendation, now: Situation, before: dict[str, Finding]) -> Verdict:
    for name in recommendation.together:
        partner = before.get(name)
        if partner is not None and partner.state in ("declined", "not_applicable"):
            kind = partner.state
            with_it = name_of(partner.recommendation.target)
            return Declined(because=f"not without {with_it}: {partner.because}", kind=kind)
    target = recommendation.target
    if isinstance(target, PgTarget) and not now.settings.has(target.name):
        return Declined(because=now.settings.why_missing(target.name), kind="not_applicable")
    try:
        verdict = recommendation.decide(now)
    except MissingFact as missing:
        return Declined(because=str(missing), kind="not_applicable")
    return _already_so(recommendation, verdict, now)


def _already_so(recommendation: Recommendation, verdict: Verdict, now: Situation) -> Verdict:
    if not isinstance(verdict, Proposal):
        return verdict
    current = now.current(recommendation.target)
    if isinstance(current, Known) and now.same(recommendation.target, current.value, verdict.value):
        value = value_in_words(recommendation.target, current.value)
        return Declined(because=f"it is {value} already ({current.how})", kind="keep")
    return verdict


def _within_limits(recommendation: Recommendation, verdict: Verdict, now: Situation) -> Verdict:
    """What the administrator ruled out, and what this machine does not let anyone change."""
    if not isinstance(verdict, Proposal):
        return verdict
    if isinstance(recommendation.target, SysctlTarget | SysfsTarget):
        value = value_in_words(recommendation.target, verdict.value)
        if now.in_container:
            return _hosts_own(value)
        if not known_or(now.facts.kernel.writable, otherwise=True):
            return _closed(value)
        if not now.answers.risk.kernel:
            return Declined(because=f"kernel changes are ruled out; it would be {value}")
    needs_restart = takes_effect(recommendation.target, verdict, now) is Effect.RESTART
    if needs_restart and not now.answers.risk.restart:
        return Declined(because=f"a restart is ruled out; it would be {verdict.value}")
    return verdict


def _ticked(
    recommendation: Recommendation, verdict: Verdict, evidence: tuple[Fitted, ...], now: Situation
) -> Verdict:
    """A proposal is ticked only on grounds that the posture takes for enough; what keeps data safe always."""
    if not isinstance(verdict, Proposal) or recommendation.group == "durability":
        return verdict
    grounds: set[Grounds] = {"well understood"} if recommendation.basis == "well understood" else set()
    grounds |= {each.fit for each in evidence if each.fit != "opposite"}
    return dataclasses.replace(verdict, ticked=verdict.ticked and bool(grounds & {*now.posture.ticks}))


def _hosts_own(value: str) -> Declined:
    return Declined(
        because=f"it belongs to the host, not to a container: there it would be {value}",
        kind="not_applicable",
    )


def _closed(value: str) -> Declined:
    return Declined(
        because=f"kernel settings are read-only here: ask the owner of the host to set {value}",
        kind="not_applicable",
    )


def _as_said(recommendation: Recommendation, verdict: Verdict, said: Said, now: Situation) -> Verdict:
    if not isinstance(said, Replaced):
        return verdict
    if isinstance(verdict, Declined) and verdict.kind == "not_applicable":
        raise InputError(f"decisions.{recommendation.id}: it cannot be set here: {verdict.because}")
    value = checked_value(recommendation, said.value, now)
    return Proposal(value=value, because="set by hand", computed=said.note or "set by hand")


def _as_kept(
    recommendation: Recommendation, verdict: Verdict, said: Said, now: Situation, before: dict[str, Finding]
) -> Verdict:
    """What someone else keeps is asked of them; the kernel serves settings only once they are in force."""
    if not isinstance(verdict, Proposal):
        return verdict
    target = recommendation.target
    looked_at = [before[name] for name in recommendation.after if name in before]
    asked = [each for each in looked_at if isinstance(each.verdict, Advice) and each.sets]
    if asked and isinstance(target, SysctlTarget | SysfsTarget):
        return rests_on_advice(
            tuple(name_of(each.recommendation.target) for each in asked), target, verdict, now
        )
    restart = takes_effect(target, verdict, now) is Effect.RESTART
    return left_to_owner(target, verdict, now, restart=restart, counts=_state(verdict, said) == "change")


def checked_value(recommendation: Recommendation, text: str, now: Situation) -> str:
    """A value that a person gave, as its target writes it; raises InputError."""
    where = f"decisions.{recommendation.id}"
    match recommendation.target:
        case PgTarget(name=name):
            try:
                value = now.settings[name].show(text)
            except SettingError as error:
                raise InputError(f"{where}: {error}") from error
            if value in recommendation.never:
                raise InputError(f"{where}: {value} is never set by a bundle: it puts data at risk")
            return value
        case SysctlTarget() as target:
            return str(_checked_number(target, text, where))
        case SysfsTarget(choices=choices):
            if text not in choices:
                raise InputError(f"{where}: expected one of {', '.join(choices)}, found {text!r}")
            return text
        case AdviceTarget():
            raise InputError(f"{where}: it is advice for a person; there is no value to set")
        case _:
            assert_never(recommendation.target)


def _checked_number(target: SysctlTarget, text: str, where: str) -> int:
    try:
        number = Bytes.parse(text).count if target.unit == "bytes" and not text.isdigit() else int(text)
    except (UnitError, ValueError) as error:
        raise InputError(f"{where}: expected a whole number, found {text!r}") from error
    if not target.minimum <= number <= target.maximum:
        raise InputError(f"{where}: expected {target.minimum} to {target.maximum}, found {number}")
    return number


def _state(verdict: Verdict, said: Said) -> State:
    match verdict:
        case Declined(kind=kind):
            return kind
        case Advice():
            return "declined" if isinstance(said, Refused) else "advise"
        case Proposal(ticked=ticked):
            if isinstance(said, Refused):
                return "declined"
            return "change" if ticked or isinstance(said, Accepted | Replaced) else "advise"
        case _:
            assert_never(verdict)


def _because(verdict: Verdict, said: Said) -> str:
    if isinstance(said, Refused) and not isinstance(verdict, Declined):
        return f"declined by the administrator{': ' + said.note if said.note else ''}"
    return verdict.because


def takes_effect(target: Target, verdict: Verdict, now: Situation) -> Effect:
    """What it takes before the change counts."""
    if isinstance(verdict, Advice):
        return Effect.MANUAL
    match target:
        case PgTarget(name=name):
            restart = now.settings.has(name) and now.settings[name].needs_restart
            return Effect.RESTART if restart else Effect.RELOAD
        case SysctlTarget() | SysfsTarget():
            return Effect.NOW
        case AdviceTarget():
            return Effect.MANUAL
        case _:
            assert_never(target)


def replace_verdict(finding: Finding, verdict: Verdict) -> Finding:
    """The finding with another verdict that was reached after it: the budget's, say."""
    return dataclasses.replace(
        finding, verdict=verdict, state=_state(verdict, finding.said), because=verdict.because
    )
