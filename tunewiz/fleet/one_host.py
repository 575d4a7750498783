"""Reads and plans one host of a fleet; its errors are reported and do not stop the others."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tunewiz.collect.collected import read_collection
from tunewiz.collect.everything import read_facts
from tunewiz.collect.system import regular_content
from tunewiz.core.answers.answers import Answers
from tunewiz.core.facts.facts import Facts
from tunewiz.core.fleet.hosts import (
    FailedHost,
    HostPlan,
    HostResult,
    Role,
    host_plan,
    role_of,
    role_of_server,
    why_no_name,
)
from tunewiz.core.fleet.policy import broken_rules, broken_today
from tunewiz.core.health.troubles import checkup
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.core.values.known import Known, known_or
from tunewiz.fleet.answers import FleetAnswers, answers_for
from tunewiz.fleet.policy import naming, obeying
from tunewiz.formats.records import facts_from_json
from tunewiz.knowledge.loading import Knowledge, load_knowledge
from tunewiz.knowledge.minor_fixes import load_minor_fixes
from tunewiz.planning import chosen_server, make_plan

COLLECTED = b"tunewiz-collection "
"""The beginning of the collector's files, of any version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Planned:
    """A host's plan with all that it was made from."""

    facts: Facts
    answers: Answers
    plan: Plan
    digest: str
    """Of the file of facts."""
    role: Role
    """As the facts say, else an inventory."""
    broken: tuple[tuple[str, str], ...]
    """What rules of the shop ask for and the plan does not do, each with the reason."""
    against: tuple[tuple[str, str], ...]
    """What they ask for and the values in force do not keep, each with the value."""


def plan_host(source: str, answers: FleetAnswers) -> HostResult:
    """What is needed to compare hosts, or why there is no plan."""
    name = Path(source).stem
    try:
        facts, digest = _read(source)
        name = known_or(facts.host.name, name)
        planned = _planned(source, facts, digest, answers)
    except TunewizError as error:
        return FailedHost(host=name, source=source, why=_on_one_line(error))
    troubles = checkup(planned.plan, load_minor_fixes()).troubles
    kinds = tuple(dict.fromkeys(trouble.kind for trouble in troubles))
    host = host_plan(planned.plan, source, digest)
    return replace(host, role=planned.role, troubles=kinds, broken=planned.broken, against=planned.against)


def _on_one_line(error: TunewizError) -> str:
    """The message, and what to do, as sentences one after the other."""
    return f"{error.message.removesuffix('.')}. {error.hint}" if error.hint else error.message


def planned_again(host: HostPlan, answers: FleetAnswers) -> Planned:
    """The whole plan of a host that was planned before; raises TunewizError if its file has changed since."""
    facts, digest = _read(host.source)
    if digest != host.digest:
        raise InputError(f"{host.source}: was changed since it was read: run the command again")
    return _planned(host.source, facts, digest, answers)


def _planned(source: str, facts: Facts, digest: str, answers: FleetAnswers) -> Planned:
    name = facts.host.name
    if not isinstance(name, Known):
        raise InputError(f"{source}: host.name: not known ({name.why}), expected the name of the host")
    if why := why_no_name(name.value):
        raise InputError(f"{source}: host.name: {why}")
    knowledge = load_knowledge()
    role = _role_in_facts(name.value, facts, answers, knowledge) if answers.looks_at_labels else ""
    said, where = answers_for(name.value, facts, answers, knowledge, role)
    try:
        plan = make_plan(facts, said, knowledge)
    except InputError as error:
        at = source if error.message.startswith("postgres.") or not where else where
        raise InputError(f"{at}: {error.message}", error.hint) from error
    rules = answers.rules(name.value, role_of(plan.start))
    if answers.looks_at_labels and role != role_of(plan.start):
        why = f"found answers for a {role or 'server'} that choose another server, expected its own"
        raise InputError(f"{where}: server.data_directory: {why}")
    with naming(answers.policy):
        said, plan = obeying(rules, plan, said, lambda ruled: make_plan(facts, ruled, knowledge))
        broken = tuple((rule.demands[0], why) for rule, why in broken_rules(rules, plan))
        against = tuple((rule.demands[0], value) for rule, value in broken_today(rules, plan))
    labels = answers.labels(name.value, role_of(plan.start))
    return Planned(
        facts=facts,
        answers=said,
        plan=plan,
        digest=digest,
        role=_ROLES.get(labels.role, ""),
        broken=broken,
        against=against,
    )


_ROLES: Mapping[str, Role] = {"primary": "primary", "standby": "standby"}


def _role_in_facts(host: str, facts: Facts, answers: FleetAnswers, knowledge: Knowledge) -> Role:
    """Of the server that the answers choose, those for a role left aside."""
    said, _ = answers_for(host, facts, answers, knowledge)
    try:
        server = chosen_server(facts, said)
    except InputError:  # which its plan tells
        return ""
    return role_of_server(server)


def _read(source: str) -> tuple[Facts, str]:
    """The facts of a file, as tunewiz or the collector wrote them, and its digest; raises InputError."""
    try:
        content = regular_content(source)
    except (OSError, ValueError) as error:
        reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
        raise InputError(f"{source}: cannot be read: {reason}") from error
    digest = hashlib.sha256(content).hexdigest()
    if content.startswith(COLLECTED):
        return read_facts(read_collection(content, source)), digest
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = f"byte {error.start} that is not valid UTF-8"
        raise InputError(f"{source}: found {at}, expected text") from error
    return facts_from_json(text, source), digest
