"""Pages, plan and review say the same of one machine: of storage, memory, connections and values."""

import re
from collections.abc import Iterator
from typing import get_args

import pytest

from every_page import TWO_SERVERS, journey_of, machine_names, machines, pages_of
from tunewiz.core.answers.answers import Posture, WorkloadKind
from tunewiz.core.planning.budget import MemoryBudget
from tunewiz.core.planning.plan import Plan
from tunewiz.core.recommendation.targets import PgTarget
from tunewiz.core.recommendation.verdicts import Proposal
from tunewiz.core.server.sessions import slots
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.rounding import close
from tunewiz.core.values.units import Bytes
from tunewiz.core.words.memory import parts_without_sums
from tunewiz.knowledge.profiles import demo_names
from tunewiz.text.machine import fact_lines
from tunewiz.text.server_choice import storages
from tunewiz.wizard.journey import Journey

FEW: tuple[tuple[WorkloadKind, Posture], ...] = (("oltp", "balanced"), ("analytics", "bold"))
TOLD_BY = ("plan", "review", "REVIEW.md")
"""Where every warning of a plan stands."""
KINDS = {"spinning disks": "hdd", "SSD": "ssd", "NVMe": "nvme", "SAN": "san"}


def contradictions(journey: Journey) -> Iterator[str]:
    """Every pair of statements about this machine that cannot both be true, in words."""
    pages, plan = pages_of(journey), journey.plan
    yield from _memory(plan, pages["memory"])
    yield from _caches(plan)
    yield from _connections(plan)
    yield from _computations(plan)
    yield from _storage(journey)
    for warning in plan.warnings:
        said = " ".join(warning.text.split())
        yield from (f"not in {name}: {said}" for name in TOLD_BY if said not in _plain(pages[name]))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[`*\\]", "", text).split())


def _memory(plan: Plan, page: str) -> Iterator[str]:
    for budget in (plan.before, plan.after):
        if isinstance(budget, MemoryBudget):
            shares = sum((size for _, size in parts_without_sums(budget)), Bytes(0))
            if shares != max(budget.total, budget.claimed):
                yield f"the parts are {shares.human()}, the memory is {budget.total.human()}"
            if budget.total != plan.start.memory and not _is_limited_by_commits(plan, budget):
                yield f"{budget.total.human()} are divided, the server may use {plan.start.memory.human()}"
    if isinstance(plan.after, MemoryBudget) and f"Where {plan.after.total.short()} of memory" not in page:
        yield "the memory page divides another memory than the plan"
    machine = known_or(plan.start.facts.memory.total, Bytes(0))
    reasons = {"several_servers", "memory_high", "address_space"} & {
        warning.code for warning in plan.warnings
    }
    is_limited = isinstance(plan.start.facts.limits.memory, Known)
    if machine and plan.start.memory != machine and not reasons and not is_limited:
        yield f"{plan.start.memory.human()} of {machine.human()} are used, and nothing says why"


def _is_limited_by_commits(plan: Plan, budget: MemoryBudget) -> bool:
    """Whether the kernel promises less than there is, and the plan says so."""
    codes = {warning.code for warning in plan.warnings}
    return "commit_limit" in codes and budget.total < plan.start.memory


def _caches(plan: Plan) -> Iterator[str]:
    if not isinstance(plan.after, MemoryBudget):
        return
    left = plan.after.buffers + plan.after.page_cache
    assumed = plan.end.will_be_size("effective_cache_size")
    because = _because(plan, "pg.effective_cache_size")
    if assumed > left and not close(assumed, left) and f"shrinks to {left.short()} if" not in because:
        yield f"effective_cache_size is {assumed.pg()}, {left.short()} are left for caches: {because}"


def _because(plan: Plan, name: str) -> str:
    return next(finding.because for finding in plan.findings if finding.recommendation.id == name)


def _connections(plan: Plan) -> Iterator[str]:
    is_warned = any(warning.code == "connections_refused" for warning in plan.warnings)
    if is_warned != (plan.start.connections > slots(plan.end)):
        yield f"{plan.start.connections} clients are expected, {slots(plan.end)} are let in"


def _computations(plan: Plan) -> Iterator[str]:
    """A size that is computed is the last one of its computation, but for what follows from it."""
    for finding in plan.findings:
        match finding.recommendation.target, finding.verdict:
            case PgTarget(name=name), Proposal(value=value, computed=computed) if re.fullmatch(
                r"\d+[kMGT]?B", value
            ):
                sizes = re.findall(r"\d+(?:\.\d+)? ?[kMGT]i?B", computed.partition(", recovery about")[0])
                spelled = (value, plan.start.settings[name].size(value).short())
                if sizes and "= " in computed and sizes[-1] not in spelled:
                    yield f"{name}: {computed}, but the value is {value}"
            case _:
                pass


def _storage(journey: Journey) -> Iterator[str]:
    storage = next(iter(storages(journey)))
    warned = [warning for warning in journey.plan.warnings if warning.code == "storage_unknown"]
    if (storage.title == "Not known") != bool(warned):
        yield f"the server page says {storage.title!r}, the plan warns: {warned}"
    kind = next((KINDS[words] for words in KINDS if storage.about == f"the kernel says {words}"), "unknown")
    if kind != known_or(journey.plan.start.storage_told, "unknown"):
        yield f"the server page says {storage.about!r}, the plan takes {journey.plan.start.storage_told}"
    yield from _storage_of_machine(journey, kind)


def _storage_of_machine(journey: Journey, kind: str) -> Iterator[str]:
    """The machine's page, where the kernel says the kind."""
    lines = [line for line in fact_lines(journey.facts) if line.key.startswith("storage ")]
    if kind != "unknown" and any(line.value.startswith("not known") for line in lines):
        yield f"the machine page knows no storage, the server page says {kind}"
    if kind == "san" and not any("SAN" in line.value or "(dasd" in line.value for line in lines):
        yield f"the server page says SAN, the machine page {[line.value for line in lines]}"


@machines(*machine_names())
def test_no_page_contradicts_another(machine: str) -> None:
    for kind, posture in FEW:
        assert [*contradictions(journey_of(machine, kind, posture))] == []


@pytest.mark.slow
@pytest.mark.parametrize("posture", get_args(Posture))
@pytest.mark.parametrize("kind", get_args(WorkloadKind))
@machines(*demo_names(), TWO_SERVERS)
def test_no_page_contradicts_another_with_other_answers(
    machine: str, kind: WorkloadKind, posture: Posture
) -> None:
    assert [*contradictions(journey_of(machine, kind, posture))] == []


@pytest.mark.parametrize(
    ("directory", "about", "value"),
    [
        ("/var/lib/pgsql/16/data", "the kernel says NVMe", "1.1"),
        ("/srv/second/data", "the kernel says spinning disks", "4"),
    ],
)
def test_each_of_two_servers_is_told_its_own_storage(directory: str, about: str, value: str) -> None:
    journey = journey_of(TWO_SERVERS, directory=directory)
    assert next(iter(storages(journey))).about == about
    assert journey.plan.end.will_be("random_page_cost") == value
    assert [*contradictions(journey)] == []
