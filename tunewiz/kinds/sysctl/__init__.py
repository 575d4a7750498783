"""A kernel setting under /proc/sys, made persistent by a file under /etc/sysctl.d."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tunewiz.core.planning.finding import Finding
from tunewiz.core.planning.placed import expect, word_before
from tunewiz.core.recommendation.actions import Row, Sysctl
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.recommendation.targets import SysctlTarget
from tunewiz.core.server.huge_page_pool import neighbours_pages
from tunewiz.core.server.shared_memory import SHARED_FLOOR
from tunewiz.core.values.known import Known

SYSCTL_FILE = "/etc/sysctl.d/90-tunewiz.conf"
PAGES_UNIT = 1000 * 1024
"""Bytes in the unit in which the scripts compare memory: thousands of kB, so that 32-bit shells can."""

_SYSCTL_NAME = re.compile(r"[a-z0-9_]+(\.[a-z0-9_-]+)+")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedSysctl:
    """A kernel setting, with what it was."""

    finding: Finding
    name: str
    value: str
    before: str
    twin: str
    twin_before: str
    memory: str
    """What the change takes in thousands of kB; empty where it takes none."""
    own_pages: tuple[str, ...] = ()
    """Of a pool of huge pages: how many are for the planned server alone; other programs share the pool."""

    @property
    def row(self) -> Row:
        """The step."""
        return (
            "sysctl",
            self.name,
            self.before,
            self.value,
            self.twin,
            self.twin_before,
            self.memory,
            *self.own_pages,
        )

    @property
    def line(self) -> str:
        """In the file that keeps it."""
        return f"{self.name} = {self.value}"


def place_sysctl(finding: Finding, action: Sysctl, start: Situation) -> PlacedSysctl:
    """Raises BundleError for a name that no kernel setting can have."""
    expect(_SYSCTL_NAME, action.name, "a kernel setting")
    if action.twin:
        expect(_SYSCTL_NAME, action.twin, "a kernel setting")
    before = word_before(start.kernel(action.name))
    return PlacedSysctl(
        finding=finding,
        name=action.name,
        value=str(action.value),
        before=before,
        twin=action.twin,
        twin_before=word_before(start.kernel(action.twin)) if action.twin else "",
        memory=_memory(finding, action.value, before, start),
        own_pages=_own_pages(finding, action.value, start),
    )


def _memory(finding: Finding, value: int, before: str, start: Situation) -> str:
    target = finding.recommendation.target
    size = start.facts.memory.huge_page_size
    if not isinstance(target, SysctlTarget) or target.unit != "huge pages" or not isinstance(size, Known):
        return ""
    more = value - (int(before) if before.isdigit() else 0)
    return str(-(-more * size.value.count // PAGES_UNIT)) if more > 0 else ""


def _own_pages(finding: Finding, value: int, start: Situation) -> tuple[str, ...]:
    target = finding.recommendation.target
    size = start.facts.memory.huge_page_size
    if not isinstance(target, SysctlTarget) or target.unit != "huge pages" or not isinstance(size, Known):
        return ()
    return (str(max(0, value - neighbours_pages(start, size.value, SHARED_FLOOR))),)
