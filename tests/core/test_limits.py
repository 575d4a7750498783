"""What cannot be is told by its key, and what can be is left alone."""

import dataclasses

import pytest

from tunewiz.core.answers.bounds import ImpossibleValue
from tunewiz.core.answers.limits import impossible_answers, impossible_facts
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import Cache, CoreKind, HugePool, MemoryNode
from tunewiz.core.recommendation.example_facts import facts_of
from tunewiz.core.recommendation.examples import Given, answers_of
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import Bytes
from tunewiz.knowledge.loading import demo_facts
from tunewiz.knowledge.profiles import demo_names

PLAIN = facts_of(Given(memory="64GB", cores=4), {})


def with_cpu(**changed: object) -> Facts:
    return dataclasses.replace(PLAIN, cpu=dataclasses.replace(PLAIN.cpu, **changed))  # type: ignore[arg-type]


def with_memory(**changed: object) -> Facts:
    return dataclasses.replace(PLAIN, memory=dataclasses.replace(PLAIN.memory, **changed))  # type: ignore[arg-type]


def with_limits(**changed: object) -> Facts:
    return dataclasses.replace(PLAIN, limits=dataclasses.replace(PLAIN.limits, **changed))  # type: ignore[arg-type]


def with_kernel(**changed: int | str) -> Facts:
    known_settings = {name.replace("__", "."): Known(value, "test") for name, value in changed.items()}
    return dataclasses.replace(PLAIN, kernel=dataclasses.replace(PLAIN.kernel, settings=known_settings))


def with_server(**changed: object) -> Facts:
    server = dataclasses.replace(PLAIN.postgres[0], **changed)  # type: ignore[arg-type]
    return dataclasses.replace(PLAIN, postgres=(server,))


def node(*, total: int = 2**30, pages: int = 0) -> MemoryNode:
    pool = HugePool(size=Bytes.parse("2MB"), pages=pages)
    return MemoryNode(node=250, total=Bytes(total), online=0, huge_pages=(pool,))


def first(facts: Facts) -> ImpossibleValue | None:
    return next(impossible_facts(facts), None)


def known(value: object) -> Known[object]:
    return Known(value, "test")


@pytest.mark.parametrize("name", demo_names())
def test_every_example_machine_can_be(name: str) -> None:
    assert first(demo_facts(name)) is None


@pytest.mark.parametrize(
    "facts",
    [
        PLAIN,
        with_cpu(cores=Unknown("no sysfs"), online=Unknown("no sysfs")),
        with_cpu(books=Absent("not on s390x")),
        with_memory(total=Known(Bytes.parse("32TB"), "test"), available=Unknown("old kernel")),
        with_memory(swap_total=known(Bytes(0))),
        with_limits(cpus=known(0.5)),
        with_limits(cpuset=known(1), cpuset_cores=known(1)),
        with_cpu(offline=known(0), steal=known(0.0)),
        with_memory(nodes=known((node(total=0), node()))),
        with_kernel(vm__nr_hugepages=0, thp__enabled="madvise", kernel__numa_balancing=-1),
        with_server(port=Unknown("stopped")),
    ],
)
def test_what_can_be_is_left_alone(facts: Facts) -> None:
    assert first(facts) is None


@pytest.mark.parametrize(
    ("facts", "key", "shown"),
    [
        (with_memory(total=known(Bytes(0))), "memory.total", "0 bytes"),
        (with_memory(total=known(Bytes(10**18))), "memory.total", "1000000000000000000 bytes"),
        (with_memory(available=known(Bytes.parse("65GB"))), "memory.available", "69793218560 bytes"),
        (with_memory(page_size=known(Bytes(5000))), "memory.page_size", "5000 bytes"),
        (with_memory(huge_page_size=known(Bytes(0))), "memory.huge_page_size", "0 bytes"),
        (
            with_memory(huge_page_sizes=known((Bytes(3 * 2**20),))),
            "memory.huge_page_sizes.0",
            "3145728 bytes",
        ),
        (with_memory(huge_pages_total=known(-1)), "memory.huge_pages_total", "-1"),
        (with_memory(huge_pages_total=known(10**9)), "memory.huge_pages_total", "1000000000"),
        (with_memory(huge_pages_free=known(1)), "memory.huge_pages_free", "1"),
        (with_cpu(online=known(0)), "cpu.online", "0"),
        (with_cpu(cores=known(5)), "cpu.cores", "5"),
        (with_cpu(sockets=known(-2)), "cpu.sockets", "-2"),
        (with_cpu(drawers=known(0)), "cpu.drawers", "0"),
        (with_cpu(numa_nodes=known(0)), "cpu.numa_nodes", "0"),
        (with_cpu(offline=known(-1)), "cpu.offline", "-1"),
        (with_cpu(steal=known(1.5)), "cpu.steal", "1.5"),
        (with_cpu(kinds=known((CoreKind(name="atom", online=0),))), "cpu.kinds.0.online", "0"),
        (with_memory(nodes=known((node(total=10**18),))), "memory.nodes.0.total", f"{10**18} bytes"),
        (with_memory(nodes=known((node(pages=-1),))), "memory.nodes.0.huge_pages.0.pages", "-1"),
        (with_limits(cpuset=known(0)), "limits.cpuset", "0"),
        (with_limits(cpuset_cores=known(0)), "limits.cpuset_cores", "0"),
        (
            with_cpu(caches=known((Cache(level=0, type="data", size=None, instances=None, shared_by=None),))),
            "cpu.caches.0.level",
            "0",
        ),
        (with_kernel(vm__nr_hugepages="many"), "kernel.settings.vm.nr_hugepages", "'many'"),
        (with_kernel(vm__nr_hugepages=-1), "kernel.settings.vm.nr_hugepages", "-1"),
        (with_kernel(sched__migration_cost_ns=""), "kernel.settings.sched.migration_cost_ns", "''"),
        (with_limits(memory=known(Bytes(0))), "limits.memory", "0 bytes"),
        (with_limits(cpus=known(-1.5)), "limits.cpus", "-1.5"),
        (with_limits(cgroup_version=known(3)), "limits.cgroup_version", "3"),
        (with_server(port=known(70000)), "postgres.0.port", "70000"),
        (with_server(major=known("banana")), "postgres.0.major", "'banana'"),
    ],
)
def test_what_cannot_be_is_told_by_its_key(facts: Facts, key: str, shown: str) -> None:
    strange = first(facts)
    assert strange is not None
    assert (strange.key, strange.found) == (key, shown)
    assert strange.expected


def test_free_space_beyond_the_file_system_cannot_be() -> None:
    storage = dataclasses.replace(PLAIN.storage[0], free=Known(Bytes.parse("501GB"), "test"))
    strange = first(dataclasses.replace(PLAIN, storage=(storage,)))
    assert strange is not None
    assert strange.key == "storage.0.free"


def test_answers_that_can_be_are_left_alone() -> None:
    assert next(impossible_answers(answers_of(Given(connections=262_143))), None) is None


def test_more_connections_than_any_server_takes_cannot_be() -> None:
    strange = next(impossible_answers(answers_of(Given(connections=10**18))))
    assert strange == ImpossibleValue(
        key="workload.connections", found="1000000000000000000", expected="1 to 262143"
    )
