"""Whether values jump between two plans for nearly the same machine, and whether somebody says why."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.values.pg_settings import SettingError

MOST = Fraction(125, 100)
"""What a step of 5 % may move a value by."""

NAMED = (
    "leave room for",
    "leave no room",
    "leave no memory",
    "memory is short",
    "exceed the memory",
    "more than memory allows",
    "the memory budget has no room",
    "worth it from",
    "a connection pool in front is better than more slots",
    "stay cached",
    "to replay max_wal_size may take",
    "in steps of 128kB",
    "page tables within",
)
"""Thresholds in words: what a finding says when one decides."""

FOLLOWS: Mapping[str, str] = {
    "autovacuum_vacuum_cost_limit": "vacuum_cost_limit",
    "autovacuum_work_mem": "maintenance_work_mem",
}
"""Settings that have another one's value where theirs is -1."""


def number(plan: Plan, finding: Finding) -> Fraction | None:
    """What is in force after the plan; None for a word or a setting that this major lacks."""
    target, end = finding.recommendation.target, plan.end
    match target:
        case PgTarget(name=name) if end.settings.has(name):
            if follows(plan, finding):
                name = FOLLOWS[name]
            shown = end.will_be(name)
            try:
                return Fraction(end.settings[name].canonical(shown))
            except (SettingError, ValueError):
                return None
        case SysctlTarget(name=name) if name in end.chosen:
            return Fraction(end.chosen[name])
        case SysctlTarget(name="vm.nr_hugepages"):
            return Fraction(0)
        case _:
            return None


def follows(plan: Plan, finding: Finding) -> bool:
    """Whether the setting has no value of its own after the plan, but another one's."""
    target = finding.recommendation.target
    return isinstance(target, PgTarget) and target.name in FOLLOWS and plan.end.will_be(target.name) == "-1"


def jumps(one: Fraction, other: Fraction) -> bool:
    """More than a quarter; a count may change by one."""
    least, most = sorted((one, other))
    if most.denominator == least.denominator == 1 and most - least <= 1:
        return False
    return most > least * MOST


def told(finding: Finding) -> str:
    """All words about a finding's value."""
    computed = finding.verdict.computed if isinstance(finding.verdict, Proposal) else ""
    observation = (entry.means for entry in finding.observed if not entry.opposes)
    return "; ".join((finding.because, computed, *observation))


def cliffs(before: Plan, after: Plan, named: tuple[str, ...] = NAMED) -> Iterator[str]:
    """Values that jumped though neither they nor those that they follow name a threshold."""
    explained = set[str]()
    for one, other in zip(before.findings, after.findings, strict=True):
        if follows(before, one) and follows(after, other):
            continue  # the finding of what it follows says why
        values = number(before, one), number(after, other)
        if values[0] is None or values[1] is None or not jumps(values[0], values[1]):
            continue
        known = explained & {*one.recommendation.after}
        if known or any(name in told(finding) for name in named for finding in (one, other)):
            explained.add(one.recommendation.id)
        else:
            yield f"{one.recommendation.id}: {told(one)} BUT THEN {told(other)}"
