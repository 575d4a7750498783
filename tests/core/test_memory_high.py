"""memory.high throttles before memory.max kills: the smaller of the two over all ancestors bounds a plan."""

import dataclasses
import json

import pytest

from recorded_machines import facts
from tunewiz.core.facts.machine import Limits
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes
from tunewiz.formats.records import facts_from_json, facts_to_json
from tunewiz.knowledge.loading import demo_facts, load_knowledge
from tunewiz.planning import default_answers, make_plan
from tunewiz.text.machine import fact_lines

GROUPS = "sys/fs/cgroup"
UNIT = "system.slice/postgresql.service"
HERE = {"proc/self/cgroup": f"0::/{UNIT}\n", "proc/1/cgroup": f"0::/{UNIT}\n"}


def limits(**levels: tuple[str, str]) -> Limits:
    """Of memory.max and memory.high by level: slice, unit."""
    folders = {"slice": f"{GROUPS}/system.slice", "unit": f"{GROUPS}/{UNIT}"}
    files = {f"{GROUPS}/cgroup.controllers": "cpu memory\n"}
    for level, (most, high) in levels.items():
        files |= {f"{folders[level]}/memory.max": f"{most}\n", f"{folders[level]}/memory.high": f"{high}\n"}
    return facts(HERE | files).limits


@pytest.mark.parametrize(
    ("of_slice", "of_unit", "most", "high"),
    [
        (("max", "max"), ("max", "max"), None, None),
        (("max", "max"), ("max", f"{GIB}"), None, GIB),
        (("max", f"{512 * MIB}"), ("max", f"{GIB}"), None, 512 * MIB),
        ((f"{4 * GIB}", "max"), (f"{2 * GIB}", f"{GIB}"), 2 * GIB, GIB),
        ((f"{GIB}", f"{2 * GIB}"), ("max", "max"), GIB, 2 * GIB),
    ],
)
def test_the_smallest_of_all_ancestors_is_taken(
    of_slice: tuple[str, str], of_unit: tuple[str, str], most: int | None, high: int | None
) -> None:
    result = limits(slice=of_slice, unit=of_unit)
    assert [_bytes(result.memory), _bytes(result.memory_high)] == [most, high]


def _bytes(fact: MaybeFact[Bytes]) -> int | None:
    return fact.value.count if isinstance(fact, Known) else None


def test_version_1_has_none_and_a_damaged_one_is_unknown() -> None:
    first = {"proc/self/cgroup": "4:memory:/\n", f"{GROUPS}/memory/memory.limit_in_bytes": "1073741824\n"}
    assert isinstance(facts(first).limits.memory_high, Absent)
    assert isinstance(limits(slice=("max", "max"), unit=("max", "much")).memory_high, Unknown)


def with_high(high: MaybeFact[Bytes]) -> tuple[Bytes, list[str]]:
    """What the plan's budget is of, and the codes of its warnings."""
    knowledge, actual = load_knowledge(), demo_facts("nvme-server")
    actual = dataclasses.replace(actual, limits=dataclasses.replace(actual.limits, memory_high=high))
    plan = make_plan(actual, default_answers(actual, knowledge), knowledge)
    assert plan.start.facts == actual
    return plan.start.memory, [warning.code for warning in plan.warnings]


def test_the_plan_stays_below_it_and_says_so() -> None:
    free, without = with_high(Absent("no memory limit"))
    bound, codes = with_high(Known(Bytes(8 * GIB), "/sys/fs/cgroup/x/memory.high"))
    assert free > bound == Bytes(8 * GIB)
    assert "memory_high" in codes
    assert "memory_high" not in without


def test_one_that_is_above_all_memory_changes_nothing() -> None:
    assert with_high(Known(Bytes(2**50), "x")) == with_high(Absent("no memory limit"))


def test_the_machine_s_page_shows_it_where_there_is_one() -> None:
    result = demo_facts("nvme-server")
    assert "limits.memory_high" not in {fact_line.key for fact_line in fact_lines(result)}
    high = Known(Bytes(8 * GIB), "/sys/fs/cgroup/x/memory.high")
    result = dataclasses.replace(result, limits=dataclasses.replace(result.limits, memory_high=high))
    (row,) = [fact_line for fact_line in fact_lines(result) if fact_line.key == "limits.memory_high"]
    assert (row.value, row.how) == ("8.0 GiB", high.how)


def test_facts_of_an_earlier_version_lack_it_and_are_read() -> None:
    document = json.loads(facts_to_json(demo_facts("nvme-server")))
    document["limits"].pop("memory_high")
    document["unknown"].pop("limits.memory_high", None)
    result = facts_from_json(json.dumps(document), "old.json")
    assert isinstance(result.limits.memory_high, Unknown)
    assert facts_from_json(facts_to_json(result), "new.json") == result
