"""Rules of the shop for the plan of one host: obeyed as in a fleet, and named where they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tunewiz.console.exit_status import say
from tunewiz.core.answers.answers import Answers
from tunewiz.core.fleet.hosts import role_of
from tunewiz.core.fleet.policy import PolicyRule, broken_rules
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.known import known_or
from tunewiz.core.values.plural import how_many
from tunewiz.fleet.policy import Policy, naming, obeying

NOT_KEPT = 1
"""Exit status, as of `tunewiz fleet write`: a rule cannot hold here, or is over."""


def obedient(policy: Policy, plan: Plan, make: Callable[[Answers], Plan]) -> Plan:
    """The plan with what the rules ask for; raises InputError for a value that this server does not take."""
    with naming(policy):
        _, result = obeying(_rules(policy, plan), plan, plan.start.answers, make)
    return result


def say_rules(policy: Policy, plan: Plan) -> int:
    """Name on standard error the rules that the plan does not keep; the exit status."""
    unkept = tuple(_unkept(policy, plan))
    for text in (*unkept, *_left_out(policy, plan)):
        say(text)
    return NOT_KEPT if unkept else 0


def _rules(policy: Policy, plan: Plan) -> tuple[PolicyRule, ...]:
    """Those for this host, which is in no group."""
    host, role = known_or(plan.start.facts.host.name, ""), role_of(plan.start)
    return tuple(rule for rule in policy.in_force if rule.concerns(host, (), role))


def _unkept(policy: Policy, plan: Plan) -> Iterator[str]:
    yield from policy.expired()
    with naming(policy):
        broken = tuple(broken_rules(_rules(policy, plan), plan))
    for rule, why in broken:
        yield f"{policy.where}: {rule.demands[0]} does not hold here: {why}; ask {rule.owner} ({rule.reason})"


def _left_out(policy: Policy, plan: Plan) -> Iterator[str]:
    """Rules of which nobody can say here whether they are for this host."""
    if count := sum(rule.groups is not None for rule in policy.in_force):
        yield f"{policy.where}: {how_many(count, 'rule')} for groups left out: only a fleet has groups"
    for_roles = sum(rule.groups is None and rule.role is not None for rule in policy.in_force)
    if for_roles and not role_of(plan.start):
        why = "whether this is a primary or a standby is not known"
        yield f"{policy.where}: {how_many(for_roles, 'rule')} for a role left out: {why}"
