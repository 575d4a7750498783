"""What a bundle can do to a machine; each kind knows nothing of why.

Rendering, applying, verifying and reverting belong to the kind (tunewiz/bundle), never to a recommendation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, kw_only=True, slots=True)
class PgSetting:
    """A server setting in a configuration file."""

    name: str
    value: str
    """As a person writes it, without quotes: `16GB`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sysctl:
    """A kernel setting under /proc/sys, kept by a file under /etc/sysctl.d."""

    name: str
    """With dots: `vm.dirty_bytes`."""
    value: int
    twin: str = ""
    """The setting that the kernel zeroes when this one is written: `vm.dirty_ratio`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SysfsValue:
    """One word of a choice under /sys, kept by a file under /etc/tmpfiles.d."""

    path: str
    """Absolute: `/sys/kernel/mm/transparent_hugepage/enabled`."""
    value: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ByHand:
    """Something that a person carries out; the bundle only tells it."""

    subject: str
    steps: tuple[str, ...]
    """Commands or deeds, in order."""
    undo: tuple[str, ...]


Action: TypeAlias = PgSetting | Sysctl | SysfsValue | ByHand
