"""Facts that a person may correct: how each is read, shown, checked and put back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from tunewiz.core.errors import InputError
from tunewiz.core.facts import Facts
from tunewiz.core.known import Absent, Known, MaybeFact
from tunewiz.core.units import Bytes, UnitError

BY_HAND = "corrected by hand"
NONE = "none"
"""What a person types where the machine has no such thing: no limit, no container."""

MOST_CORES = 8192
"""CONFIG_NR_CPUS cannot be larger on any of the architectures (arch/x86/Kconfig, arch/powerpc/Kconfig)."""
MOST_MEMORY = Bytes(2**52)
"""4 PiB: more than any machine can address today (x86_64 with 52 physical bits)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Correctable:
    """One fact that can be corrected."""

    key: str
    """As facts files name it: `cpu.cores`."""
    title: str
    expected: str
    """What may be typed, for a person."""
    read: Callable[[Facts], MaybeFact[object]]
    correct: Callable[[Facts, str], Facts]
    """Facts with the value typed in its place; raises InputError."""

    def shown(self, facts: Facts) -> str:
        """The value as it would be typed; empty where it is unknown."""
        match self.read(facts):
            case Known(Bytes() as size):
                return size.pg()
            case Known(value):
                return str(value)
            case Absent():
                return NONE
            case _:
                return ""


def _number(key: str, text: str, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise InputError(f"{key}: expected a whole number from 1 to {most}, found {text!r}")
    return int(text)


def _size(key: str, text: str, least: Bytes) -> Bytes:
    try:
        size = Bytes.parse(text)
    except UnitError as error:
        raise InputError(f"{key}: {error}") from error
    if not least <= size <= MOST_MEMORY:
        raise InputError(f"{key}: expected {least.pg()} to {MOST_MEMORY.pg()}, found {text!r}")
    return size


def _cpus(key: str, text: str) -> float:
    try:
        cpus = float(text)
    except ValueError as error:
        raise InputError(f"{key}: expected a number of processors or none, found {text!r}") from error
    if not 0 < cpus <= MOST_CORES:
        raise InputError(f"{key}: expected more than 0 and at most {MOST_CORES}, found {text!r}")
    return cpus


def _correct_cores(facts: Facts, text: str) -> Facts:
    cores = Known(_number("cpu.cores", text, MOST_CORES), BY_HAND)
    return dataclasses.replace(facts, cpu=dataclasses.replace(facts.cpu, cores=cores))


def _correct_memory(facts: Facts, text: str) -> Facts:
    total = Known(_size("memory.total", text, Bytes.parse("64MB")), BY_HAND)
    return dataclasses.replace(facts, memory=dataclasses.replace(facts.memory, total=total))


def _correct_swap(facts: Facts, text: str) -> Facts:
    size = Bytes(0) if text in (NONE, "0") else _size("memory.swap_total", text, Bytes.parse("1kB"))
    return dataclasses.replace(
        facts, memory=dataclasses.replace(facts.memory, swap_total=Known(size, BY_HAND))
    )


def _correct_huge_page(facts: Facts, text: str) -> Facts:
    size: MaybeFact[Bytes] = (
        Absent(BY_HAND)
        if text == NONE
        else Known(_size("memory.huge_page_size", text, Bytes.parse("64kB")), BY_HAND)
    )
    return dataclasses.replace(facts, memory=dataclasses.replace(facts.memory, huge_page_size=size))


def _correct_hypervisor(facts: Facts, text: str) -> Facts:
    if not text.isidentifier():
        raise InputError(f"virtualization.hypervisor: expected one word such as kvm or none, found {text!r}")
    virtualization = dataclasses.replace(facts.virtualization, hypervisor=Known(text, BY_HAND))
    return dataclasses.replace(facts, virtualization=virtualization)


def _correct_container(facts: Facts, text: str) -> Facts:
    if not text.isidentifier():
        raise InputError(
            f"virtualization.container: expected one word such as docker or none, found {text!r}"
        )
    container: MaybeFact[str] = Absent(BY_HAND) if text == NONE else Known(text, BY_HAND)
    virtualization = dataclasses.replace(facts.virtualization, container=container)
    return dataclasses.replace(facts, virtualization=virtualization)


def _correct_memory_limit(facts: Facts, text: str) -> Facts:
    limit: MaybeFact[Bytes] = (
        Absent(BY_HAND) if text == NONE else Known(_size("limits.memory", text, Bytes.parse("64MB")), BY_HAND)
    )
    return dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, memory=limit))


def _correct_cpu_limit(facts: Facts, text: str) -> Facts:
    limit: MaybeFact[float] = Absent(BY_HAND) if text == NONE else Known(_cpus("limits.cpus", text), BY_HAND)
    return dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, cpus=limit))


CORRECTABLE = (
    Correctable(
        key="cpu.cores",
        title="Processor cores",
        expected="physical cores that are online, such as 4",
        read=lambda facts: facts.cpu.cores,
        correct=_correct_cores,
    ),
    Correctable(
        key="memory.total",
        title="Memory",
        expected="a size such as 64GB",
        read=lambda facts: facts.memory.total,
        correct=_correct_memory,
    ),
    Correctable(
        key="memory.swap_total",
        title="Swap",
        expected="a size such as 4GB, or none",
        read=lambda facts: facts.memory.swap_total,
        correct=_correct_swap,
    ),
    Correctable(
        key="memory.huge_page_size",
        title="Huge page size",
        expected="the kernel's default size such as 2MB or 1MB, or none",
        read=lambda facts: facts.memory.huge_page_size,
        correct=_correct_huge_page,
    ),
    Correctable(
        key="virtualization.hypervisor",
        title="Hypervisor",
        expected="kvm, vmware, zvm, lpar, powervm …, or none on bare metal",
        read=lambda facts: facts.virtualization.hypervisor,
        correct=_correct_hypervisor,
    ),
    Correctable(
        key="virtualization.container",
        title="Container",
        expected="docker, podman, lxc, kubernetes …, or none",
        read=lambda facts: facts.virtualization.container,
        correct=_correct_container,
    ),
    Correctable(
        key="limits.memory",
        title="Memory limit of the control group",
        expected="a size such as 8GB, or none",
        read=lambda facts: facts.limits.memory,
        correct=_correct_memory_limit,
    ),
    Correctable(
        key="limits.cpus",
        title="Processor limit of the control group",
        expected="processors such as 2.5, or none",
        read=lambda facts: facts.limits.cpus,
        correct=_correct_cpu_limit,
    ),
)


def correctable(key: str) -> Correctable:
    """The correctable fact of that key."""
    return next(each for each in CORRECTABLE if each.key == key)


def corrected(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Key and value of every fact that a person corrected, for the review."""
    return tuple((each.key, each.shown(facts)) for each in CORRECTABLE if _how(each.read(facts)) == BY_HAND)


def _how(fact: MaybeFact[object]) -> str:
    return fact.how if isinstance(fact, Known | Absent) else ""
