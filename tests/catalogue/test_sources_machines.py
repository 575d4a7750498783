"""The example machines read strictly, plan without an error, and retell what the documents did."""

from __future__ import annotations

import dataclasses

import pytest

from tunewiz.core.answers.answers import Posture, Risk
from tunewiz.core.facts.facts import Facts
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.verdicts import Advice, Proposal
from tunewiz.core.values.known import Known, Unknown
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan

OF_THE_DOCUMENTS = ("dl185", "ice-lake", "power10", "talk-m4", "talk-m5", "z13-lpar", "z13-sandbox")
NOT_DESCRIBED = {"talk-lab", "small-group"}
"""The kernel talk says nothing at all of its own machine; a control group of a measurement is none."""


def planned(name: str, posture: Posture = "balanced") -> Plan:
    facts, knowledge = demo_facts(name), load_knowledge()
    answers = default_answers(facts, knowledge)
    return make_plan(facts, dataclasses.replace(answers, risk=Risk(posture=posture)), knowledge)


def values(plan: Plan) -> dict[str, str]:
    """What the plan changes, by recommendation id."""
    verdicts = {change.recommendation.id: change.verdict for change in plan.changes}
    return {name: verdict.value for name, verdict in verdicts.items() if isinstance(verdict, Proposal)}


def test_the_systems_of_the_documents_are_example_machines() -> None:
    assert set(OF_THE_DOCUMENTS) < set(demo_names())
    assert set(OF_THE_DOCUMENTS) < set(load_knowledge().library.systems)


def test_every_system_that_the_documents_measured_and_describe_is_an_example_machine() -> None:
    library = load_knowledge().library
    measured = {
        system
        for claim in library.claims.values()
        if not library.sources[claim.source].address
        for system in claim.measured_on
    }
    assert len(measured) > len(OF_THE_DOCUMENTS)
    assert measured - NOT_DESCRIBED <= set(demo_names())


@pytest.mark.parametrize("name", ["talk-m4", "talk-m5"])
def test_what_only_the_type_of_a_cloud_machine_tells_is_marked_as_assumed(name: str) -> None:
    facts = demo_facts(name)
    assumed = (facts.cpu.cores, facts.memory.total, facts.cpu.model, facts.storage[0].disks)
    assert all(isinstance(fact, Known) and fact.how.startswith("assumed: ") for fact in assumed)
    for said in (facts.virtualization.hypervisor, facts.kernel.clocksource):
        assert isinstance(said, Known)
        assert said.how.startswith("Kernel talk")


@pytest.mark.parametrize("name", demo_names())
def test_an_example_machine_is_named_and_comes_back_as_it_was(name: str) -> None:
    facts = demo_facts(name)
    assert isinstance(facts.host.name, Known)
    assert facts.host.name.value == name
    assert facts_from_json(facts_to_json(facts), name) == facts


@pytest.mark.parametrize("name", demo_names())
@pytest.mark.parametrize("posture", ["cautious", "balanced", "bold"])
def test_an_example_machine_gets_a_plan(name: str, posture: Posture) -> None:
    assert len(planned(name, posture).findings) == len(load_knowledge().catalogue)


@pytest.mark.parametrize("name", OF_THE_DOCUMENTS)
def test_where_a_document_is_silent_the_fact_is_unknown_with_a_reason(name: str) -> None:
    facts = demo_facts(name)
    assert isinstance(facts.memory.swap_total, Unknown)
    assert "document" in facts.memory.swap_total.why


@pytest.mark.parametrize("name", OF_THE_DOCUMENTS)
def test_what_is_known_of_a_measured_system_is_what_was_compared(name: str) -> None:
    system, facts = load_knowledge().library.systems[name], demo_facts(name)
    assert facts.host.architecture == Known(system.architecture, how(facts))
    cores = facts.cpu.cores
    number = 0 if not isinstance(cores, Known) or cores.how.startswith("assumed: ") else cores.value
    assert number == system.cores


def how(facts: Facts) -> str:
    architecture = facts.host.architecture
    return architecture.how if isinstance(architecture, Known) else ""


def test_the_z13_study_is_retold_in_its_own_page_size() -> None:
    changes = values(planned("z13-lpar"))
    assert changes["pg.shared_buffers"] == "16GB"
    assert 16384 < int(changes["kernel.nr_hugepages"]) < 17408
    assert changes["kernel.dirty_background_bytes"] == "67108864"
    assert changes["kernel.dirty_bytes"] == "536870912"
    assert changes["kernel.sched_migration_cost_ns"] == "50000"


def test_the_z13_study_is_advised_to_turn_read_ahead_on_and_to_leave_its_wal() -> None:
    states = {finding.recommendation.id: finding.state for finding in planned("z13-lpar").findings}
    assert states["storage.read_ahead"] == "advise"
    assert states["storage.wal_disk"] == "declined"


def test_the_power10_paper_is_advised_to_pool_its_connections_and_keeps_its_threads() -> None:
    states = {finding.recommendation.id: finding.state for finding in planned("power10").findings}
    assert states["host.connection_pool"] == "advise"
    assert states["host.smt"] == "keep"


def test_the_vxfs_article_meets_the_school_that_the_plan_follows() -> None:
    result = {finding.recommendation.id: finding for finding in planned("dl185").findings}
    assert result["storage.vxfs_direct"].state == "declined"
    assert result["storage.vxfs_direct"].opposing == (
        "z-deck.shared_buffers_half",
        "z-deck.shared_buffers_eighth",
    )
    assert result["storage.wal_disk"].state == "advise"


def test_an_old_tip_for_x86_is_shown_with_the_opposite_effect_and_not_ticked() -> None:
    result = {finding.recommendation.id: finding for finding in planned("hdd-server", "bold").findings}
    tip = result["kernel.sched_autogroup_enabled"]
    assert tip.state == "advise"
    assert [evidence.fit for evidence in tip.evidence] == ["opposite"]


def test_a_kernel_whose_huge_pages_are_512_mb_is_shown_the_way_to_smaller_ones() -> None:
    result = {finding.recommendation.id: finding for finding in planned("aarch64-64k").findings}
    advice = result["pg.huge_page_size"].verdict
    assert isinstance(advice, Advice)
    assert any("hugepages-2048kB/nr_hugepages" in step for step in advice.steps)
    assert result["kernel.nr_hugepages"].state == "declined"
    assert result["pg.huge_pages"].state == "keep"


def test_what_was_measured_on_the_z13_only_is_not_ticked_elsewhere() -> None:
    assert "kernel.dirty_bytes" not in values(planned("small-vm"))
    assert "kernel.dirty_bytes" in values(planned("small-vm", "bold"))


def test_a_container_keeps_its_hands_off_the_host() -> None:
    assert [name for name in values(planned("container", "bold")) if not name.startswith("pg.")] == []
