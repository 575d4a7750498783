"""Beside every recommendation for every example machine: what is called like yours is like it."""

from collections.abc import Iterator

import pytest

from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.evidence import A_GUEST, Fitted, MeasuredSystem
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.versions import Major
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

APART = 4
"""Cores may be so many times more or fewer."""
AGES = 10
"""Majors from which on a measurement is of another time."""


def planned(machine: str) -> Plan:
    knowledge = load_knowledge()
    return make_plan(demo_facts(machine), default_answers(demo_facts(machine), knowledge), knowledge)


def evidence(plan: Plan) -> Iterator[tuple[str, Fitted]]:
    for finding in plan.findings:
        yield from ((finding.recommendation.id, entry) for entry in finding.evidence)


def unlike(system: MeasuredSystem, plan: Plan) -> Iterator[str]:
    """What sets a system apart from this machine, judged anew."""
    situation, facts = plan.start, plan.start.facts
    if not (system.cores and system.memory_gib and system.database_gib and system.storage):
        yield "sizes or storage are not told"
    if system.architecture != known_or(facts.host.architecture, system.architecture):
        yield f"{system.architecture} is another architecture"
    hypervisor = known_or(facts.virtualization.hypervisor, system.hypervisor)
    if system.hypervisor == A_GUEST and hypervisor == "none":
        yield "a virtual machine, this is none"
    if system.hypervisor not in ("", A_GUEST, hypervisor):
        yield f"{system.hypervisor}, this is {hypervisor}"
    if isinstance(facts.cpu.cores, Known) and system.cores:
        few, many = sorted((situation.cores, system.cores))
        if many > APART * few:
            yield f"{system.cores} cores, this has {situation.cores}"
    memory = facts.memory.total
    if isinstance(memory, Known) and system.memory_gib and system.database_gib:
        fits = situation.answers.workload.database_size.count <= memory.value.count
        if fits is not (system.database_gib <= system.memory_gib):
            yield f"{system.database_gib} in {system.memory_gib} GiB, here {fits}"
    if system.postgres and abs(Major.parse(system.postgres).place - situation.major.place) >= AGES:
        yield f"PostgreSQL {system.postgres}, this is {situation.major}"


@pytest.mark.parametrize("machine", demo_names())
def test_what_is_called_like_yours_differs_in_nothing_that_weighs(machine: str) -> None:
    plan = planned(machine)
    for name, fitted in evidence(plan):
        if fitted.fit == "like":
            differences = [list(unlike(system, plan)) for system in fitted.systems]
            assert [] in differences, (name, fitted.claim.id, differences)


@pytest.mark.parametrize("machine", demo_names())
def test_a_figure_is_that_of_the_one_system_that_is_named(machine: str) -> None:
    for name, fitted in evidence(planned(machine)):
        told_apart = fitted.claim.figures
        assert len(fitted.systems) == 1 or not any(map(str.isdigit, fitted.figure)), (name, fitted.claim.id)
        if told_apart:
            assert fitted.figure == told_apart[fitted.systems[0].key], (name, fitted.claim.id)


def test_some_machine_has_a_system_like_it_and_some_figure_is_told_apart() -> None:
    result = [fitted for machine in demo_names() for _, fitted in evidence(planned(machine))]
    assert any(entry.fit == "like" for entry in result)
    assert any(entry.claim.figures for entry in result)


def test_every_claim_of_several_systems_tells_their_figures_apart_or_has_none() -> None:
    claims = load_knowledge().library.claims.values()
    several = [entry for entry in claims if len(entry.measured_on) > 1]
    assert several
    for claim in several:
        tells = {*claim.figures} == {*claim.measured_on}
        assert tells or not any(map(str.isdigit, claim.figure)), claim.id
