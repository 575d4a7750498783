"""What people call a target, and how they write its values."""

from __future__ import annotations

from typing import assert_never

from tunewiz.core.model import AdviceTarget, HostTarget, PgTarget, SysctlTarget, SysfsTarget, Target
from tunewiz.core.units import Bytes


def name_of(target: Target) -> str:
    """What a DBA calls it."""
    match target:
        case PgTarget(name=name) | SysctlTarget(name=name) | HostTarget(name=name) | AdviceTarget(name=name):
            return name
        case SysfsTarget(fact=fact):
            return fact
        case _:
            assert_never(target)


def value_in_words(target: Target, value: str) -> str:
    """A value with its unit, as short as it can be."""
    if not (isinstance(target, SysctlTarget) and value.isdecimal()):
        return value
    match target.unit:
        case "bytes":
            return Bytes(int(value)).pg() if int(value) else "0"
        case "percent":
            return f"{value}%"
        case "huge pages":
            return f"{int(value):,} pages"
        case "":
            return value
        case _:
            assert_never(target.unit)
