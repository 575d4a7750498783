"""What a recommendation changes: a setting, a kernel value, something on the host; and its effect."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, TypeAlias

from tunewiz.core.values.record import dataclass


class Effect(StrEnum):
    """When a change takes effect."""

    NOW = "now"
    RELOAD = "reload"
    RESTART = "restart"
    REBOOT = "reboot"
    MANUAL = "manual"


@dataclass(frozen=True, kw_only=True, slots=True)
class PgTarget:
    """A PostgreSQL setting."""

    name: str
    kind: Literal["postgres"] = "postgres"


@dataclass(frozen=True, kw_only=True, slots=True)
class SysctlTarget:
    """A kernel setting under /proc/sys."""

    name: str
    fact: str = ""
    """Its key in the kernel facts, if that is not its name: `sched.migration_cost_ns`."""
    twin: str = ""
    """The setting that the kernel zeroes when this one is written."""
    unit: Literal["", "bytes", "percent", "huge pages"] = ""
    minimum: int = 0
    maximum: int = 2**63 - 1
    kind: Literal["sysctl"] = "sysctl"


@dataclass(frozen=True, kw_only=True, slots=True)
class SysfsTarget:
    """A choice of words in a file under /sys."""

    name: str
    """The absolute path."""
    fact: str
    """Its key in the kernel facts: `thp.enabled`."""
    choices: tuple[str, ...]
    kind: Literal["sysfs"] = "sysfs"


@dataclass(frozen=True, kw_only=True, slots=True)
class HostTarget:
    """Something on the host that is not a single value; the recommendation's actions change it."""

    name: str
    effect: Effect = Effect.NOW
    below_sys: bool = False
    """Changed by writing to files below /sys."""
    takes: Literal["", "place of the WAL"] = ""
    """What a person may set as its value; empty if it can only be accepted or declined."""
    usual: str = ""
    """Its state by default, for a target that takes a value."""
    kind: Literal["host"] = "host"


@dataclass(frozen=True, kw_only=True, slots=True)
class AdviceTarget:
    """Something that only a person can change."""

    name: str
    kind: Literal["advice"] = "advice"


Target: TypeAlias = PgTarget | SysctlTarget | SysfsTarget | HostTarget | AdviceTarget
