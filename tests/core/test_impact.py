"""The order of the changes: the largest expected effect first, and the same order for the same plan."""

import dataclasses
from fractions import Fraction

import pytest

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.impact import (
    GROUP_WEIGHTS,
    OBSERVING,
    NothingMeasured,
    by_impact,
    expected_effect,
    is_safety,
    nearest_evidence,
    percent_of,
    promised,
    weight_of,
)
from tunewiz.core.recommendation.evidence import Fit, Fitted
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.knowledge.profiles import demo_names
from tunewiz.planning import default_answers, make_plan


def findings_of(machine: str) -> tuple[Finding, ...]:
    facts, knowledge = demo_facts(machine), load_knowledge()
    return make_plan(facts, default_answers(facts, knowledge), knowledge).findings


def names(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.recommendation.id for finding in findings]


def finding_of(machine: str, name: str) -> Finding:
    return next(finding for finding in findings_of(machine) if finding.recommendation.id == name)


def with_fit(finding: Finding, fit: Fit) -> Finding:
    return dataclasses.replace(
        finding, evidence=tuple(dataclasses.replace(evidence, fit=fit) for evidence in finding.evidence)
    )


@pytest.mark.parametrize("machine", demo_names())
def test_every_finding_is_listed_once_and_the_order_given_is_no_matter(machine: str) -> None:
    findings = findings_of(machine)
    listed = by_impact(findings)
    assert sorted(names(listed)) == sorted(names(findings))
    assert by_impact(reversed(findings)) == listed


@pytest.mark.parametrize("machine", demo_names())
def test_no_smaller_effect_comes_before_a_larger_one(machine: str) -> None:
    listed = by_impact(findings_of(machine))
    for safe in (True, False):
        effects = [expected_effect(finding) for finding in listed if is_safety(finding) is safe]
        assert effects == sorted(effects, reverse=True)


@pytest.mark.parametrize("machine", demo_names())
def test_what_keeps_data_safe_comes_before_any_gain(machine: str) -> None:
    safe = [is_safety(finding) for finding in by_impact(findings_of(machine))]
    assert safe == sorted(safe, reverse=True)
    assert {True, False} == {*safe}


def test_the_z13_begins_with_its_own_study_s_largest_steps() -> None:
    first = names(by_impact(finding for finding in findings_of("z13-lpar") if finding.changes))[:2]
    assert "pg.shared_buffers" in first


def test_the_least_that_any_system_gained_is_expected_whichever_is_nearest() -> None:
    wal = finding_of("power10", "pg.max_wal_size")
    assert expected_effect(wal) == Fraction("1.5")
    for fit in ("like", "unlike"):
        assert expected_effect(with_fit(wal, fit)) == Fraction("1.5")


def test_where_one_system_gained_nothing_nothing_is_expected() -> None:
    assert expected_effect(finding_of("z13-sandbox", "storage.wal_disk")) == 0


def test_what_had_the_opposite_effect_there_promises_nothing_here() -> None:
    buffers = with_fit(finding_of("z13-lpar", "pg.shared_buffers"), "opposite")
    assert isinstance(nearest_evidence(buffers), NothingMeasured)


@pytest.mark.parametrize("name", ["pg.log_lock_waits", "pg.idle_in_transaction_session_timeout"])
def test_what_was_measured_near_it_promises_nothing(name: str) -> None:
    assert expected_effect(finding_of("power10", name)) == 0


@pytest.mark.parametrize("machine", demo_names())
def test_what_only_makes_things_visible_comes_last_among_equals(machine: str) -> None:
    listed = by_impact(findings_of(machine))
    unmeasured = [entry for entry in listed if expected_effect(entry) == 0 and not is_safety(entry)]
    weights = [weight_of(finding.recommendation) for finding in unmeasured]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] == OBSERVING < min(GROUP_WEIGHTS.values())


@pytest.mark.parametrize(
    ("figure", "percent"),
    [
        ("almost +12 %, together with shared_buffers", Fraction(12)),
        ("ca. -2 %", Fraction(-2)),
        ("Power10 SMT8 +7.4 % (16 pods), +12.2 % (32)", Fraction("7.4")),
        ("part of the ca. +7 % for huge pages", Fraction(0)),
        ("a plot of dirty pages, without numbers", Fraction(0)),
        ("0 % between 1/8 and 1/4", Fraction(0)),
    ],
)
def test_a_figure_is_read_as_a_person_reads_it(figure: str, percent: Fraction) -> None:
    assert percent_of(figure) == percent


@pytest.mark.parametrize(
    ("machine", "system", "percent"),
    [("nvme-server", "ice-lake", Fraction("1.5")), ("power10", "power10", Fraction("7.4"))],
)
def test_of_a_study_on_several_systems_the_figure_of_the_closest_counts(
    machine: str, system: str, percent: Fraction
) -> None:
    found_there = finding_of(machine, "pg.checkpoint_timeout")
    (cited,) = (
        evidence for evidence in found_there.evidence if evidence.claim.id == "power.checkpoint_timeout"
    )
    assert [system.key for system in cited.systems] == [system]
    assert promised(cited) == percent


def test_a_steadier_worst_second_is_no_gain_in_throughput() -> None:
    found_there = finding_of("z13-lpar", "pg.shared_buffers")
    nearest = nearest_evidence(found_there)
    assert isinstance(nearest, Fitted)
    assert promised(nearest) > 0
    assert promised(dataclasses.replace(nearest, figure="worst second +25 % and +52 %")) == 0
