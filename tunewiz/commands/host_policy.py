"""Rules of the shop for the plan of one host: obeyed as in a fleet, and named where they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tunewiz.console.exit_status import say
from tunewiz.core.answers.answers import Answers
from tunewiz.core.fleet.hosts import role_of
from tunewiz.core.fleet.labels import HostLabels
from tunewiz.core.fleet.policy import PolicyRule, broken_rules
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.fleet.policy import Policy, naming, obeying

NOT_KEPT = 1
"""Exit status, as of `tunewiz fleet write`: a rule cannot hold here, or is over."""


def obedient(policy: Policy, environment: str, plan: Plan, make: Callable[[Answers], Plan]) -> Plan:
    """The plan with what the rules ask for; raises InputError for a value that this server does not take."""
    with naming(policy):
        _, result = obeying(_rules(policy, environment, plan), plan, plan.start.answers, make)
    return result


def say_rules(policy: Policy, environment: str, plan: Plan) -> int:
    """Name on standard error the rules that the plan does not keep; the exit status."""
    unkept = tuple(_unkept(policy, environment, plan))
    for text in (*unkept, *_left_out(policy, environment, plan)):
        say(text)
    return NOT_KEPT if unkept else 0


def _rules(policy: Policy, environment: str, plan: Plan) -> tuple[PolicyRule, ...]:
    """Those for this host, which is in no group."""
    host = known_or(plan.start.facts.host.name, "")
    labels = HostLabels(host=host, environment=environment, role=role_of(plan.start))
    return tuple(rule for rule in policy.in_force if rule.concerns(labels))


def _unkept(policy: Policy, environment: str, plan: Plan) -> Iterator[str]:
    yield from policy.expired()
    with naming(policy):
        broken = tuple(broken_rules(_rules(policy, environment, plan), plan))
    for rule, why in broken:
        yield f"{policy.where}: {rule.demands[0]} does not hold here: {why}; ask {rule.owner} ({rule.reason})"


def _left_out(policy: Policy, environment: str, plan: Plan) -> Iterator[str]:
    """Rules of which nobody can say here whether they are for this host."""
    without_groups = [rule for rule in policy.in_force if rule.groups is None]
    if count := len(policy.in_force) - len(without_groups):
        yield f"{policy.where}: {how_many(count, 'rule')} for groups left out: only a fleet has groups"
    labelled = [rule for rule in without_groups if rule.labels is not None]
    if labelled:
        why = "only a fleet has an inventory"
        yield f"{policy.where}: {how_many(len(labelled), 'rule')} for labels left out: {why}"
    without_groups = [rule for rule in without_groups if rule.labels is None]
    elsewhere = [rule for rule in without_groups if rule.environments is not None and not environment]
    if elsewhere:
        why = "--environment names the one of this host"
        yield f"{policy.where}: {how_many(len(elsewhere), 'rule')} for environments left out: {why}"
    for_roles = sum(rule.role is not None and rule not in elsewhere for rule in without_groups)
    if for_roles and not role_of(plan.start):
        why = "whether this is a primary or a standby is not known"
        yield f"{policy.where}: {how_many(for_roles, 'rule')} for a role left out: {why}"
