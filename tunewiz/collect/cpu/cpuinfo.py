"""Parses /proc/cpuinfo, which every architecture writes in its own way.

Most print a stanza `processor : N` for each processor. s390x prints what all share, then either lines
`processor N: version = …` alone or stanzas `cpu number : N` beside them. POWER and old ARM kernels end
with lines about the machine, 32-bit ARM also begins with one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

PATH = "/proc/cpuinfo"

_S390_LINE = re.compile(r"processor ([0-9]{1,5}): (.*)")
_NUMBERED = frozenset({"processor", "cpu number"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CpuInfo:
    """The stanzas by processor number, and the lines that belong to the whole machine."""

    processors: Mapping[int, Mapping[str, str]]
    machine: Mapping[str, str]
    whole: bool = True
    """Whether all processors are in it: of a truncated file the last one is left out."""

    def first(self, *keys: str) -> str:
        """The first of the keys that has a value, looked up in the machine's lines and then in any stanza."""
        for key in keys:
            for fields in (self.machine, *self.processors.values()):
                if value := fields.get(key):
                    return value
        return ""

    def values(self, key: str) -> tuple[str, ...]:
        """The different values of a key over all processors, in order of appearance."""
        result = (fields.get(key, "") for fields in (*self.processors.values(), self.machine))
        return tuple(value for value in dict.fromkeys(result) if value)


def read_cpuinfo(system: System) -> Fact[CpuInfo]:
    """Read and parse /proc/cpuinfo."""
    content = file_values.lines(system, PATH)
    if not isinstance(content, Known):
        return content
    parsed = parse(content.value)
    if not parsed.processors and not parsed.machine:
        return Unknown(f"expected lines `key : value`, found none: {PATH}")
    if content.how == PATH and not _is_cut(parsed):
        return Known(parsed, PATH)
    return Known(_without_last(parsed), f"{PATH} (cut: its last processor is left out)")


def _is_cut(info: CpuInfo) -> bool:
    """The last stanza ends before the first does, and is like it until then."""
    stanzas = [tuple(fields) for fields in info.processors.values()]
    if not stanzas:
        return False
    first, last = stanzas[0], stanzas[-1]
    return len(last) < len(first) and first[: len(last)] == last


def _without_last(info: CpuInfo) -> CpuInfo:
    left = dict(list(info.processors.items())[:-1])
    return CpuInfo(processors=left, machine=info.machine, whole=False)


def parse(content: str) -> CpuInfo:
    """Parse the text; lines that are not understood are left out."""
    machine = dict[str, str]()
    processors = dict[int, dict[str, str]]()
    current = machine
    for line in content.splitlines():
        if matched := _S390_LINE.fullmatch(line):
            processors.setdefault(int(matched[1]), {}).update(_assignments(matched[2]))
            continue
        key, colon, value = line.partition(":")
        key, value = key.strip(), value.strip()
        if not key and not colon:
            current = machine
        elif key in _NUMBERED and (number := file_values.as_integer(value)) is not None:
            current = processors.setdefault(number, {})
        elif colon:
            current.setdefault(key, value)
    return CpuInfo(processors=_without_machine(processors, machine), machine=machine)


def _assignments(content: str) -> dict[str, str]:
    parts = (part.partition("=") for part in content.split(","))
    return {key.strip(): value.strip() for key, _, value in parts}


def _without_machine(
    processors: dict[int, dict[str, str]], machine: dict[str, str]
) -> Mapping[int, Mapping[str, str]]:
    """POWER writes the machine's lines after the last stanza, sometimes without an empty line between."""
    for fields in processors.values():
        for key in ("timebase", "platform", "machine"):
            if key in fields and "cpu" in fields:
                machine.setdefault(key, fields.pop(key))
    return processors
