"""A plan: all findings within one memory budget, and warnings for the administrator."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import field
from functools import cache, partial
from types import MappingProxyType
from typing import TypeAlias, assert_never

from tunewiz.core.answers.answers import Replaced
from tunewiz.core.planning.budget import MemoryBudget, budget_of
from tunewiz.core.planning.decide import decide_all
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.proof_origin import check_changes, check_origin
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.planning.warnings import PlanWarning, warnings_of
from tunewiz.core.proof.measured_parts import NO_PROOF
from tunewiz.core.proof.proof import Proof
from tunewiz.core.recommendation.actions import Action, ByHand, PgSetting, Sysctl, SysfsValue
from tunewiz.core.recommendation.recommendation import Recommendation
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    Effect,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
)
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.server.page_tables import exceeds_share, lies_in_huge_pages
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import MissingFact
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class BudgetUnknown:
    """The budget cannot be computed."""

    why: str


Budget: TypeAlias = MemoryBudget | BudgetUnknown


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """Everything that was found for one situation."""

    start: Situation
    """Before any decision."""
    end: Situation
    """With the values that the plan puts in force."""
    findings: tuple[Finding, ...]
    before: Budget
    after: Budget
    warn: Callable[[], tuple[PlanWarning, ...]] = field(compare=False, repr=False)
    """Computes the warnings; called only when they are read."""

    @property
    def warnings(self) -> tuple[PlanWarning, ...]:
        """What the administrator must know, in a fixed order."""
        return self.warn()

    @property
    def changes(self) -> tuple[Finding, ...]:
        """What the bundle will carry out, kernel before PostgreSQL, in the order of the catalogue."""
        return tuple(sorted((finding for finding in self.findings if finding.changes), key=_place))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The same as actions, with advice after them."""
        return tuple(
            action for finding in (*self.changes, *self.advised) for action in actions_of(finding, self.start)
        )

    @property
    def advised(self) -> tuple[Finding, ...]:
        """Advice for a person."""
        return tuple(finding for finding in self.findings if finding.state == "advise")

    @property
    def restart(self) -> bool:
        """Whether a change waits for a restart of the server."""
        return any(change.takes_effect is Effect.RESTART for change in self.changes)


def _place(finding: Finding) -> tuple[int, str]:
    match finding.recommendation.target:
        case SysctlTarget():
            return 0, finding.recommendation.id
        case SysfsTarget():
            return 1, finding.recommendation.id
        case HostTarget():
            return 2, finding.recommendation.id
        case PgTarget():
            return 3, finding.recommendation.id
        case AdviceTarget():
            return 4, finding.recommendation.id
        case _:
            assert_never(finding.recommendation.target)


def plan_of(recommendations: Iterable[Recommendation], start: Situation) -> Plan:
    """The plan for a situation, within the memory budget.

    Raises:
        InputError: A decision is unusable, breaks the memory budget, or would keep the server from starting;
            or the proof is from another machine, server or plan.
    """
    catalogue = tuple(recommendations)
    if isinstance(start.proof, Proof):
        check_origin(start.proof, start)
        unproved = dataclasses.replace(start, proof=NO_PROOF)
        check_changes(start.proof, plan_of(catalogue, unproved).findings, unproved)
    before = _budget(start)
    decided, end, findings = _decide(catalogue, start)
    held_back = frozenset[str]()
    while _exceeds(before, after := _budget(end)) and (claimers := _claimers(findings, end)):
        held_back |= {_victim(claimers, after)}
        end, findings = decide_all(catalogue, decided, held_back)
    _refuse_new_clashes(start, end)
    fit = {"before_fits": _fits(before), "after_fits": _fits(after)}
    return Plan(
        start=start,
        end=end,
        findings=findings,
        before=before,
        after=after,
        warn=cache(partial(warnings_of, start, end, findings, **fit)),
    )


def _decide(
    catalogue: tuple[Recommendation, ...], start: Situation
) -> tuple[Situation, Situation, tuple[Finding, ...]]:
    """What was decided from, and what came of it: again with smaller buffers where huge pages do not come."""
    end, findings = decide_all(catalogue, start)
    enough = _fits(_budget(end)) and not exceeds_share(end)
    if "shared_buffers" not in end.chosen or enough or lies_in_huge_pages(end):
        return start, end, findings
    bounded = dataclasses.replace(start, small_pages=True)
    return bounded, *decide_all(catalogue, bounded)


def _refuse_new_clashes(start: Situation, end: Situation) -> None:
    """A plan's own proposals never clash: a person's values and refusals can."""
    known = {clash.names for clash in clashes(start)}
    for clash in clashes(end):
        if clash.names not in known:
            raise InputError(
                f"decisions: the server would not start: {clash.text}",
                "Correct or take back what was decided for them.",
            )


def _budget(situation: Situation) -> Budget:
    try:
        return budget_of(situation)
    except MissingFact as missing:
        return BudgetUnknown(why=str(missing))


def _fits(budget: Budget) -> bool:
    return isinstance(budget, BudgetUnknown) or budget.fits


def _exceeds(before: Budget, after: Budget) -> bool:
    """Whether the plan claims more than there is, and more than is claimed today."""
    if isinstance(before, BudgetUnknown) or isinstance(after, BudgetUnknown):
        return False
    return not after.fits and after.claimed > before.claimed


def _claimers(findings: tuple[Finding, ...], end: Situation) -> tuple[Finding, ...]:
    """The changes that claim memory, the first to be held back first."""
    claimed = budget_of(end).claimed
    claimers = (
        finding
        for finding in findings
        if finding.sets and budget_of(_without(end, finding.recommendation.target.name)).claimed < claimed
    )
    return tuple(sorted(claimers, key=_rank))


def _without(situation: Situation, name: str) -> Situation:
    kept = {key: value for key, value in situation.chosen.items() if key != name}
    return dataclasses.replace(situation, chosen=MappingProxyType(kept))


def _rank(finding: Finding) -> tuple[int, str]:
    return finding.recommendation.gives_way, finding.recommendation.id


def _victim(claimers: tuple[Finding, ...], after: Budget) -> str:
    for claimer in claimers:
        if not isinstance(claimer.decision, Replaced):
            return claimer.recommendation.id
    by_hand = ", ".join(claimer.recommendation.target.name for claimer in claimers)
    assert isinstance(after, MemoryBudget)  # noqa: S101 - _exceeds made sure
    raise InputError(
        f"decisions: the values set by hand for {by_hand} claim {after.claimed.human()}, "
        f"this server may use {after.total.human()}",
        "Lower them, or expect fewer connections.",
    )


def actions_of(finding: Finding, start: Situation) -> tuple[Action, ...]:
    """The finding as something to do; only for changes and advice."""
    target, verdict = finding.recommendation.target, finding.verdict
    if isinstance(verdict, Advice):
        return (ByHand(subject=finding.recommendation.title, steps=verdict.steps, undo=verdict.undo),)
    if not isinstance(verdict, Proposal):
        raise TypeError(f"{finding.recommendation.id} was declined")
    match target:
        case PgTarget(name=name):
            return (PgSetting(name=name, value=verdict.value),)
        case SysctlTarget(name=name, twin=twin):
            return (Sysctl(name=name, value=int(verdict.value), twin=twin),)
        case SysfsTarget(name=path):
            return (SysfsValue(path=path, value=verdict.value),)
        case HostTarget():
            return finding.recommendation.actions(start, verdict.value)
        case AdviceTarget(name=name):
            return (ByHand(subject=name, steps=(verdict.value,), undo=()),)
        case _:
            assert_never(target)
