"""Which driver puts idle processors to sleep (cpuidle), and how long waking from the deepest state takes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import IdleState
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_OF_ALL = f"{FOLDER}/cpuidle"
_FIRST = f"{FOLDER}/cpu0/cpuidle"
"""Of the first processor: the others differ only in machines with several kinds of cores."""
_STATE = re.compile(r"state[0-9]{1,2}")
_NO_DRIVER = "none"
"""What the kernel writes where no driver registered (drivers/cpuidle/sysfs.c)."""


def read_idle_driver(system: System) -> MaybeFact[str]:
    """`intel_idle`, `acpi_idle`, `powernv_idle` …; absent on most virtual machines and on s390x."""
    path = f"{_OF_ALL}/current_driver"
    kernel_name = file_values.kernel_name(system, path)
    if isinstance(kernel_name, Known):
        return Absent(f"no driver: {path}") if kernel_name.value == _NO_DRIVER else kernel_name
    beside = file_values.names(system, FOLDER)
    if isinstance(beside, Known) and "cpuidle" not in beside.value:
        return file_values.absent(system, _OF_ALL, f"no {_OF_ALL}: this kernel has no sleeping states")
    return kernel_name


def read_deepest_idle(system: System, driver: MaybeFact[str]) -> MaybeFact[IdleState]:
    """The enabled state that takes longest to wake from; none without a driver."""
    if isinstance(driver, Absent):
        return driver
    listed = file_values.names(system, _FIRST)
    if not isinstance(listed, Known):
        beside = file_values.names(system, f"{FOLDER}/cpu0")
        if isinstance(beside, Known) and "cpuidle" not in beside.value:
            return file_values.absent(system, _FIRST, f"no {_FIRST}: this processor never sleeps")
        return listed
    names = [name for name in listed.value if _STATE.fullmatch(name)]
    return _deepest([_state(system, f"{_FIRST}/{name}") for name in names])


def _deepest(results: list[MaybeFact[IdleState]]) -> MaybeFact[IdleState]:
    """A state that could not be read may have been the deepest."""
    unread = next((fact for fact in results if isinstance(fact, Unknown)), None)
    if unread:
        return unread
    states = [fact for fact in results if isinstance(fact, Known)]
    return max(states, key=lambda entry: entry.value.wakes_after, default=Absent(f"no state is on: {_FIRST}"))


def _state(system: System, folder: str) -> MaybeFact[IdleState]:
    disabled = file_values.number(system, f"{folder}/disable")
    if isinstance(disabled, Known) and disabled.value:
        return Absent(f"{disabled.how}: {disabled.value}")
    name = file_values.word(system, f"{folder}/name")
    latency = file_values.converted(file_values.text(system, f"{folder}/latency"), _count, "microseconds")
    for entry in _unread(disabled, name, latency):
        return entry
    match name, latency:
        case Known(called), Known(wakes_after, how):
            return Known(IdleState(name=called, wakes_after=wakes_after), how)
        case _:
            return Unknown(f"not read: {folder}")


def _unread(*facts: Fact[int] | Fact[str]) -> Iterator[Unknown]:
    yield from (fact for fact in facts if isinstance(fact, Unknown))


def _count(content: str) -> int | None:
    number = file_values.as_integer(content)
    return number if number is not None and number >= 0 else None
