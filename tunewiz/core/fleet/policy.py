"""Rules of the shop: values that hosts must have, or must not, whatever their plans compute."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Literal

from tunewiz.core.answers.answers import Accepted, Decision, Refused, Replaced
from tunewiz.core.fleet.labels import HostLabels, LabelSelector
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan
from tunewiz.core.planning.user_values import checked_value
from tunewiz.core.recommendation.target_words import target_name, value_in_words
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Advice, Declined, Proposal
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.record import dataclass

NO_LIMIT = -1
"""As PostgreSQL writes it: above every bound. In a timeout, 0 is the same."""
TIMEOUT = "_timeout"
AS_ANOTHER = frozenset(
    {"autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit", "autovacuum_work_mem"}
)
"""Settings whose -1 takes another setting's value: it keeps no bound (manual, "Automatic Vacuuming")."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PolicyRule:
    """One entry of the file, with exactly one of `value`, `at_least`, `at_most`, `leave` and `require`."""

    setting: str
    """Its name, or the id of a recommendation: `work_mem`, `vm.swappiness`, `host.auto_explain`."""
    reason: str
    owner: str
    """Whom to ask."""
    value: str | None = None
    at_least: str | None = None
    at_most: str | None = None
    leave: bool = False
    """Whatever is proposed for it is declined."""
    require: bool = False
    """Whatever is proposed for it is accepted."""
    hosts: tuple[str, ...] | None = None
    """Patterns of names; None for all hosts."""
    groups: tuple[str, ...] | None = None
    """Files of answers, `groups/NAME.toml`, or groups of an inventory; None for all hosts."""
    environments: tuple[str, ...] | None = None
    """Files of answers, `environments/NAME.toml`, or as an inventory has them; None for all hosts."""
    labels: LabelSelector | None = None
    """None for all hosts."""
    role: Literal["primary", "standby"] | None = None
    until: date | None = None
    """Its last day."""

    @property
    def demands(self) -> tuple[str, ...]:
        """What it asks for, in words: one of them in a rule that can be obeyed."""
        bounds = (("", self.value), ("at least ", self.at_least), ("at most ", self.at_most))
        values = tuple(f"{self.setting} {bound}{value}" for bound, value in bounds if value is not None)
        left = (f"{self.setting} left as it is",) if self.leave else ()
        required = (f"{self.setting} as proposed",) if self.require else ()
        return (*values, *left, *required)

    @property
    def note(self) -> str:
        """Why a plan has this value, for whoever reviews it."""
        until = f", until {self.until}" if self.until else ""
        return f"policy: {self.reason} ({self.owner}{until})"

    def concerns(self, labels: HostLabels) -> bool:
        """Whether it is for a host with these labels."""
        named = self.hosts is None or any(fnmatchcase(labels.host, pattern) for pattern in self.hosts)
        grouped = self.groups is None or not {*self.groups}.isdisjoint(labels.groups)
        there = self.environments is None or labels.environment in self.environments
        labelled = self.labels is None or self.labels.matches(labels.labels)
        return named and grouped and there and labelled and self.role in {None, labels.role}


def new_decisions(
    rules: Iterable[PolicyRule], plan: Plan, decided: Mapping[str, Decision]
) -> Mapping[str, Decision]:
    """What rules ask for that the plan does not have; `decided` are those that were taken before.

    Raises:
        InputError: The setting does not take the value of a rule.
    """
    result = dict[str, Decision]()
    for rule in rules:
        finding = finding_for(rule, plan)
        name = finding.recommendation.id
        if name not in decided and name not in result and (decision := _decision(rule, finding, plan)):
            result[name] = decision
    return result


def broken_rules(rules: Iterable[PolicyRule], plan: Plan) -> Iterator[tuple[PolicyRule, str]]:
    """The rules that the plan does not obey, each with the reason."""
    for rule in rules:
        finding = finding_for(rule, plan)
        if _is_not_applicable(finding):
            if _is_there(finding, plan) and _beyond(rule, finding, plan) is not None:
                yield rule, f"it has {_planned(finding, plan)}, and cannot be set here: {finding.because}"
        elif rule.leave and finding.sets:
            yield rule, f"the plan sets {finding.sets}"
        elif rule.require and finding.state in {"advise", "declined"}:
            yield rule, f"it is left to a person: {finding.because}"
        elif (wanted := _beyond(rule, finding, plan)) is not None and _planned(finding, plan) != wanted:
            yield rule, f"the plan has {_planned(finding, plan)}"


def broken_today(rules: Iterable[PolicyRule], plan: Plan) -> Iterator[tuple[PolicyRule, str]]:
    """The rules that the values in force do not keep, each with the value; what was not read breaks none."""
    for rule in rules:
        finding = finding_for(rule, plan)
        target = finding.recommendation.target
        current = plan.start.current(target)
        if isinstance(current, Known) and _is_there(finding, plan):
            today = _today(finding, plan)
            wanted = _out_of_bounds(rule, finding, plan, today)
            if wanted is not None and wanted != today:
                yield rule, value_in_words(target, current.value)


def finding_for(rule: PolicyRule, plan: Plan) -> Finding:
    """The finding that a rule is about; whoever read the rules has seen that there is one."""
    return next(finding for finding in plan.findings if rule.setting in names_of(finding))


def names_of(finding: Finding) -> tuple[str, str]:
    """The names that rules have for it."""
    return finding.recommendation.id, target_name(finding.recommendation.target)


def _decision(rule: PolicyRule, finding: Finding, plan: Plan) -> Decision | None:
    if _is_not_applicable(finding):
        return None
    if rule.leave:
        return Refused(note=rule.note) if isinstance(finding.verdict, Proposal | Advice) else None
    if rule.require:
        return Accepted(note=rule.note) if isinstance(finding.verdict, Proposal) else None
    wanted = _beyond(rule, finding, plan)
    if wanted is None:
        return None
    has_it = finding.sets and wanted == _today(finding, plan)
    return Refused(note=rule.note) if has_it else Replaced(value=wanted, note=rule.note)


def _is_not_applicable(finding: Finding) -> bool:
    return isinstance(finding.verdict, Declined) and finding.verdict.kind == "not_applicable"


def _is_there(finding: Finding, plan: Plan) -> bool:
    """Whether this server has the setting at all."""
    target = finding.recommendation.target
    return not isinstance(target, PgTarget) or plan.start.settings.has(target.name)


def _beyond(rule: PolicyRule, finding: Finding, plan: Plan) -> str | None:
    """The value that the rule asks for where the plan's is another, or is out of bounds."""
    return _out_of_bounds(rule, finding, plan, _planned(finding, plan))


def _out_of_bounds(rule: PolicyRule, finding: Finding, plan: Plan, actual: str) -> str | None:
    """The value that the rule asks for where the actual one is another, or is out of bounds."""
    if rule.value is not None:
        value = _checked(rule, rule.value, finding, plan)
        return None if actual == value else value
    text = rule.at_most if rule.at_least is None else rule.at_least
    if text is None:
        return None
    bound = _checked(rule, text, finding, plan)
    limit, number = (_number(rule, value, finding, plan) for value in (bound, actual))
    if number is None or limit is None:
        return bound
    return None if (number <= limit if rule.at_least is None else number >= limit) else bound


def _checked(rule: PolicyRule, text: str, finding: Finding, plan: Plan) -> str:
    try:
        return checked_value(finding.recommendation, text, plan.start)
    except InputError as error:
        _, _, reason = error.message.partition(": ")
        raise InputError(f"rule on {rule.setting}: {reason}", error.hint) from error


def _planned(finding: Finding, plan: Plan) -> str:
    """The value after the plan."""
    target = finding.recommendation.target
    if isinstance(target, PgTarget):
        return plan.end.will_be(target.name)
    return finding.sets or _today(finding, plan)


def _today(finding: Finding, plan: Plan) -> str:
    target = finding.recommendation.target
    if isinstance(target, PgTarget):
        return plan.start.in_force(target.name)
    return str(known_or(plan.start.current(target), ""))


def _number(rule: PolicyRule, text: str, finding: Finding, plan: Plan) -> Fraction | float | None:
    """A value to compare; None for one that the server works out, or takes from another setting."""
    target = finding.recommendation.target
    info = plan.start.settings[target.name] if isinstance(target, PgTarget) else None
    number = _fraction(rule, text if info is None else info.canonical(text))
    if info is None:
        return number
    if (info.sizes_itself and number <= 0) or (number == NO_LIMIT and info.name in AS_ANOTHER):
        return None
    is_off = number == 0 and info.name.endswith(TIMEOUT)
    return math.inf if number == NO_LIMIT or is_off else number


def _fraction(rule: PolicyRule, text: str) -> Fraction:
    try:
        return Fraction(text)
    except ValueError as error:
        raise InputError(
            f"rule on {rule.setting}: found a bound, expected `value`, as it is not a number"
        ) from error
