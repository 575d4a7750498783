"""Facts that a person may correct: how each is parsed, shown, checked and stored."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from tunewiz.core.answers.limits import impossible_facts
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import Absent, Known, MaybeFact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes, UnitError

BY_HAND = "corrected by hand"
FAR = 10
"""A value this many times larger or smaller than what was read is more likely a typing error."""
NONE = "none"
"""What a person types if the machine has no such thing: no limit, no container."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Correctable:
    """One fact that can be corrected."""

    key: str
    """Its key in facts files: `cpu.cores`."""
    title: str
    expected: str
    """What can be typed, in words."""
    read: Callable[[Facts], MaybeFact[object]]
    typed: Callable[[Facts, str], Facts]
    """The facts with the typed value, unchecked; raises InputError if it cannot be parsed."""

    def is_corrected(self, facts: Facts) -> bool:
        """Whether a person corrected it."""
        return _how(self.read(facts)) == BY_HAND

    def correct(self, facts: Facts, text: str) -> Facts:
        """The facts with the typed value; raises InputError if it is impossible."""
        corrected_facts = self.typed(facts, text)
        for strange in impossible_facts(corrected_facts):
            raise InputError(f"{title_of(strange.key)}: expected {strange.expected}, found {strange.found}")
        return corrected_facts

    def doubt(self, facts: Facts, text: str) -> str:
        """Why a value is doubtful: it is far from what was read. Empty if it is not."""
        before, after = (_quantity(self.read(facts)) for facts in (facts, self.correct(facts, text)))
        if not before or not after or max(before, after) < FAR * min(before, after):
            return ""
        how_far, way = (after / before, "more") if after > before else (before / after, "less")
        return f"{text} is {how_far:,.0f} times {way} than what was read ({self.shown(facts)})"

    def check_asking_again(self, facts: Facts) -> Callable[[str], None]:
        """A check that refuses a doubtful value once and accepts it when it is entered again."""
        doubted = set[str]()

        def check(text: str) -> None:
            doubt = self.doubt(facts, text)
            if doubt and text not in doubted:
                doubted.add(text)
                raise InputError(f"{doubt}.", "If it is right, enter it again.")

        return check

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


def _quantity(fact: MaybeFact[object]) -> float:
    """As a number; zero if it is unknown or not a quantity."""
    match fact:
        case Known(Bytes(count)):
            return count
        case Known(int() | float() as number):
            return number
        case _:
            return 0


def _number(key: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InputError(f"{title_of(key)}: expected a whole number, found {text!r}")
    return int(text)


def _size(key: str, text: str) -> Bytes:
    try:
        return Bytes.parse(text)
    except UnitError as error:
        raise InputError(f"{title_of(key)}: {error}") from error


def _cpus(key: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InputError(
            f"{title_of(key)}: expected a number of processors or none, found {text!r}"
        ) from error


def _correct_cores(facts: Facts, text: str) -> Facts:
    cores = Known(_number("cpu.cores", text), BY_HAND)
    return dataclasses.replace(facts, cpu=dataclasses.replace(facts.cpu, cores=cores))


def _correct_memory(facts: Facts, text: str) -> Facts:
    total = Known(_size("memory.total", text), BY_HAND)
    available = facts.memory.available
    if isinstance(available, Known) and available.value > total.value:
        available = total
    return dataclasses.replace(
        facts, memory=dataclasses.replace(facts.memory, total=total, available=available)
    )


def _correct_swap(facts: Facts, text: str) -> Facts:
    size = Bytes(0) if text in (NONE, "0") else _size("memory.swap_total", text)
    return dataclasses.replace(
        facts, memory=dataclasses.replace(facts.memory, swap_total=Known(size, BY_HAND))
    )


def _correct_huge_page(facts: Facts, text: str) -> Facts:
    size: MaybeFact[Bytes] = (
        Absent(BY_HAND) if text == NONE else Known(_size("memory.huge_page_size", text), BY_HAND)
    )
    return dataclasses.replace(facts, memory=dataclasses.replace(facts.memory, huge_page_size=size))


def _correct_hypervisor(facts: Facts, text: str) -> Facts:
    if not text.isidentifier():
        raise InputError(
            f"{title_of('virtualization.hypervisor')}: expected one word such as kvm or none, found {text!r}"
        )
    virtualization = dataclasses.replace(facts.virtualization, hypervisor=Known(text, BY_HAND))
    return dataclasses.replace(facts, virtualization=virtualization)


def _correct_container(facts: Facts, text: str) -> Facts:
    if not text.isidentifier():
        title = title_of("virtualization.container")
        raise InputError(f"{title}: expected one word such as docker or none, found {text!r}")
    container: MaybeFact[str] = Absent(BY_HAND) if text == NONE else Known(text, BY_HAND)
    virtualization = dataclasses.replace(facts.virtualization, container=container)
    return dataclasses.replace(facts, virtualization=virtualization)


def _correct_memory_limit(facts: Facts, text: str) -> Facts:
    limit: MaybeFact[Bytes] = (
        Absent(BY_HAND) if text == NONE else Known(_size("limits.memory", text), BY_HAND)
    )
    return dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, memory=limit))


def _correct_memory_high(facts: Facts, text: str) -> Facts:
    bound: MaybeFact[Bytes] = (
        Absent(BY_HAND) if text == NONE else Known(_size("limits.memory_high", text), BY_HAND)
    )
    return dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, memory_high=bound))


def _correct_cpu_limit(facts: Facts, text: str) -> Facts:
    limit: MaybeFact[float] = Absent(BY_HAND) if text == NONE else Known(_cpus("limits.cpus", text), BY_HAND)
    return dataclasses.replace(facts, limits=dataclasses.replace(facts.limits, cpus=limit))


CORRECTABLE = (
    Correctable(
        key="cpu.cores",
        title="Processor cores",
        expected="physical cores that are online, such as 4",
        read=lambda facts: facts.cpu.cores,
        typed=_correct_cores,
    ),
    Correctable(
        key="memory.total",
        title="Memory",
        expected="a size, e.g. 64GB",
        read=lambda facts: facts.memory.total,
        typed=_correct_memory,
    ),
    Correctable(
        key="memory.swap_total",
        title="Swap",
        expected="a size, e.g. 4GB, or none",
        read=lambda facts: facts.memory.swap_total,
        typed=_correct_swap,
    ),
    Correctable(
        key="memory.huge_page_size",
        title="Huge page size",
        expected="the kernel's default size such as 2MB or 1MB, or none",
        read=lambda facts: facts.memory.huge_page_size,
        typed=_correct_huge_page,
    ),
    Correctable(
        key="virtualization.hypervisor",
        title="Hypervisor",
        expected="kvm, vmware, zvm, lpar, powervm …, or none on bare metal",
        read=lambda facts: facts.virtualization.hypervisor,
        typed=_correct_hypervisor,
    ),
    Correctable(
        key="virtualization.container",
        title="Container",
        expected="docker, podman, lxc, kubernetes …, or none",
        read=lambda facts: facts.virtualization.container,
        typed=_correct_container,
    ),
    Correctable(
        key="limits.memory",
        title="Memory limit of the control group",
        expected="a size, e.g. 8GB, or none",
        read=lambda facts: facts.limits.memory,
        typed=_correct_memory_limit,
    ),
    Correctable(
        key="limits.memory_high",
        title="Memory above which the control group is throttled",
        expected="a size, e.g. 8GB, or none",
        read=lambda facts: facts.limits.memory_high,
        typed=_correct_memory_high,
    ),
    Correctable(
        key="limits.cpus",
        title="Processor limit of the control group",
        expected="processors such as 2.5, or none",
        read=lambda facts: facts.limits.cpus,
        typed=_correct_cpu_limit,
    ),
)


def correctable(key: str) -> Correctable:
    """The correctable fact of that key."""
    return next(entry for entry in CORRECTABLE if entry.key == key)


def title_of(key: str) -> str:
    """What a person calls a fact; one that cannot be corrected is named by the words of its key."""
    titles = {entry.key: entry.title for entry in CORRECTABLE}
    return titles.get(key, re.sub(r"[._]+", " ", key).capitalize())


def corrected(facts: Facts) -> tuple[tuple[str, str], ...]:
    """Key and value of every fact that a person corrected, for the review."""
    return tuple((entry.key, entry.shown(facts)) for entry in CORRECTABLE if entry.is_corrected(facts))


def _how(fact: MaybeFact[object]) -> str:
    return fact.how if isinstance(fact, Known | Absent) else ""
