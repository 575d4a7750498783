"""Machines of every size: no value jumps without a word, no findings contradict, no peak is silent."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import pytest

from situations import situation
from swept_machines import STEPS, machines
from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.plan import Plan, plan_of
from tunewiz.core.planning.startup_checks import clashes
from tunewiz.core.recommendation.examples import Given
from tunewiz.core.recommendation.targets import PgTarget, SysctlTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.server.recovery import recovery_time
from tunewiz.core.server.shared_memory import WORTH_HUGE_PAGES
from tunewiz.core.values.pg_settings import SettingError
from tunewiz.knowledge.loading import load_knowledge

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
    "these processors serve up to about",
    "stay cached",
    "to replay max_wal_size may take",
    "in steps of 128kB",
)
"""Thresholds in words: what a finding says when one decides."""

FOLLOWS: Mapping[str, str] = {"-1": "vacuum_cost_limit"}
"""Values that stand for another setting's."""


def planned(one: Given) -> Plan:
    return plan_of(load_knowledge().catalogue, situation(one))


def number(plan: Plan, finding: Finding) -> Fraction | None:
    """What is in force after the plan; None for a word or a setting that this major lacks."""
    target, end = finding.recommendation.target, plan.end
    match target:
        case PgTarget(name=name) if end.settings.has(name):
            shown = end.will_be(name)
            if name == "autovacuum_vacuum_cost_limit" and shown in FOLLOWS:
                name, shown = FOLLOWS[shown], end.will_be(FOLLOWS[shown])
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


def jumps(one: Fraction, other: Fraction) -> bool:
    """More than a quarter; a count may change by one."""
    least, most = sorted((one, other))
    if most.denominator == least.denominator == 1 and most - least <= 1:
        return False
    return most > least * MOST


def told(finding: Finding) -> str:
    """All words about a finding's value."""
    computed = finding.verdict.computed if isinstance(finding.verdict, Proposal) else ""
    return f"{finding.because}; {computed}"


def cliffs(before: Plan, after: Plan) -> Iterator[str]:
    """Values that jumped though neither they nor those that they follow name a threshold."""
    explained = set[str]()
    for one, other in zip(before.findings, after.findings, strict=True):
        values = number(before, one), number(after, other)
        if values[0] is None or values[1] is None or not jumps(values[0], values[1]):
            continue
        known = explained & {*one.recommendation.after}
        if known or any(name in told(each) for name in NAMED for each in (one, other)):
            explained.add(one.recommendation.id)
        else:
            yield f"{one.recommendation.id}: {told(one)} BUT THEN {told(other)}"


def contradictions(plan: Plan) -> Iterator[str]:
    """Findings whose outcomes cannot both be right."""
    end, states = plan.end, {each.recommendation.id: each.state for each in plan.findings}
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
    warned = "connections_refused" in {each.code for each in plan.warnings}
    if warned is (int(plan.end.will_be("max_connections")) >= plan.start.connections):
        yield f"{plan.end.will_be('max_connections')} for {plan.start.connections}: warned {warned}"


def faults(count: int, seed: int) -> list[str]:
    """Whatever is wrong with so many machines, each with one of its inputs a little larger."""
    found = list[str]()
    for index, (one, name) in enumerate(zip(machines(count, seed), [*STEPS] * count, strict=False)):
        before, after = planned(one), planned(STEPS[name](one))
        wrong = (*cliffs(before, after), *contradictions(after), *silent_peak(after))
        found += [f"machine {index} of seed {seed}, {name}: {each}" for each in wrong]
    return found


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
    assert any("pg.shared_buffers" in each for each in cliffs(small, large))
