"""Machines of every size: no value jumps without a word, no findings contradict, no peak is silent."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from cliffs import cliffs, jumps
from situations import situation
from swept_machines import STEPS, machines
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.server.recovery import recovery_time
from tunewiz.core.server.shared_memory import WORTH_HUGE_PAGES
from tunewiz.knowledge.loading import load_knowledge


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def contradictions(plan: Plan) -> Iterator[str]:
    """Findings whose outcomes cannot both be right."""
    end, states = plan.end, {finding.recommendation.id: finding.state for finding in plan.findings}
    for small, large in (
        ("min_wal_size", "max_wal_size"),
        ("shared_buffers", "effective_cache_size"),
    ):
        if end.will_be_size(small) > end.will_be_size(large):
            yield f"{small} {end.will_be(small)} exceeds {large} {end.will_be(large)}"
    for few, many in (
        ("max_parallel_workers_per_gather", "max_parallel_workers"),
        ("max_parallel_workers", "max_worker_processes"),
    ):
        raised = few in end.chosen and end.settings.has(few) and end.settings.has(many)
        if raised and int(end.will_be(few)) > int(end.will_be(many)):
            yield f"{few} {end.will_be(few)} exceeds {many} {end.will_be(many)}"
    if "vm.nr_hugepages" in end.chosen and end.will_be_size("shared_buffers") < WORTH_HUGE_PAGES:
        yield "huge pages are reserved for small buffers"
    if "checkpoint_timeout" in end.chosen and "max_wal_size" in end.chosen:
        takes, accepted = recovery_time(end, end.will_be_size("max_wal_size")), end.answers.risk.recovery_time
        if takes > accepted:
            yield f"recovery takes {takes.pg()}, accepted are {accepted.pg()}"
    if states["host.connection_pool"] == "advise" and "max_connections" in end.chosen:
        yield "a pool is advised, and more slots are ticked"
    yield from (clash.text for clash in clashes(end))


def silent_peak(plan: Plan) -> Iterator[str]:
    """A limit below the expected peak without its warning."""
    warned = "connections_refused" in {warning.code for warning in plan.warnings}
    if warned is (int(plan.end.will_be("max_connections")) >= plan.start.connections):
        yield f"{plan.end.will_be('max_connections')} for {plan.start.connections}: warned {warned}"


def faults(count: int, seed: int) -> list[str]:
    """Whatever is wrong with so many machines, each with one of its inputs a little larger."""
    result = list[str]()
    for index, (one, name) in enumerate(zip(machines(count, seed), [*STEPS] * count, strict=False)):
        before, after = planned(one), planned(STEPS[name](one))
        wrong = (*cliffs(before, after), *contradictions(after), *silent_peak(after))
        result += [f"machine {index} of seed {seed}, {name}: {text}" for text in wrong]
    return result


def test_a_few_machines_of_every_size_get_sound_plans() -> None:
    assert faults(18, seed=0) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 43))
def test_two_thousand_machines_of_every_size_get_sound_plans(seed: int) -> None:
    assert faults(48, seed) == []


@pytest.mark.parametrize(
    ("one", "other", "is_jump"),
    [(3, 4, False), (100, 125, False), (100, 126, True), (126, 100, True), (0, 2, True), (0, 0, False)],
)
def test_a_jump_is_more_than_a_quarter_and_more_than_one(one: int, other: int, *, is_jump: bool) -> None:
    assert jumps(Fraction(one), Fraction(other)) is is_jump


def test_a_jump_without_a_word_is_found() -> None:
    small, large = (planned(Given(memory=memory, available=memory)) for memory in ("64GB", "128GB"))
    assert any("pg.shared_buffers" in cliff for cliff in cliffs(small, large))
