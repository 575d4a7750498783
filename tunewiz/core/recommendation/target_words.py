"""Names of targets and the form of their values, for people."""

from __future__ import annotations

import re
from typing import assert_never

from tunewiz.core.recommendation.targets import (
    AdviceTarget,
    HostTarget,
    PgTarget,
    SysctlTarget,
    SysfsTarget,
    Target,
)
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes

_LONG_SIZE = re.compile(r"\d{5,}(?:B|kB|MB)")
EMPTY = "''"
"""How postgresql.conf has a value of no letters."""
MAX_LENGTH = len("9999kB")
"""A size with more digits is rounded: nobody reads 38272kB."""


def target_name(target: Target) -> str:
    """What a DBA calls it."""
    match target:
        case PgTarget(name=name) | SysctlTarget(name=name) | HostTarget(name=name) | AdviceTarget(name=name):
            return name
        case SysfsTarget(fact=fact):
            return fact
        case _:
            assert_never(target)


def target_path(target: Target) -> str:
    """The path of a target that is a file; otherwise empty."""
    return target.name if isinstance(target, SysfsTarget) else ""


def value_in_words(target: Target, value: str) -> str:
    """A value with its unit, as short as possible; a size of too many digits is rounded."""
    if isinstance(target, PgTarget):
        return _size_in_words(Bytes.parse(value).count) if _LONG_SIZE.fullmatch(value) else value or EMPTY
    if not (isinstance(target, SysctlTarget) and value.isdecimal()):
        return value
    match target.unit:
        case "bytes":
            return _size_in_words(int(value))
        case "percent":
            return f"{value}%"
        case "huge pages":
            return f"{int(value):,} pages"
        case "":
            return value
        case _:
            assert_never(target.unit)


def _size_in_words(count: int) -> str:
    if count < KIB:
        return f"{count} bytes" if count else "0"
    if count % KIB == 0 and len(Bytes(count).pg()) <= MAX_LENGTH:
        return Bytes(count).pg()
    if count >= GIB:
        return f"~{count / GIB:.1f}GB"
    return f"~{round(count / MIB)}MB" if count >= MIB else f"~{round(count / KIB)}kB"


def exact_value(target: Target, value: str) -> str:
    """What a size in words stands for, in bytes or as PostgreSQL has it; empty for other values."""
    if isinstance(target, PgTarget):
        return value if _LONG_SIZE.fullmatch(value) else ""
    is_size = isinstance(target, SysctlTarget) and target.unit == "bytes" and value.isdecimal()
    return f"{value} bytes" if is_size and int(value) >= KIB else ""
