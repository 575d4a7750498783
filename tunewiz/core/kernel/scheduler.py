"""Where this kernel has the scheduler's settings, and whether all processors share one chip."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, MissingFact, known_or, needed

Place: TypeAlias = Literal["sysctl", "debugfs"]

DEBUGFS = "/sys/kernel/debug/sched"
MOVED = (5, 13)
"""The kernel in which these settings moved from sysctl to debugfs."""

_RELEASE = re.compile(r"(\d+)\.(\d+)")

NO_SCHEDULER = ""
OFF = "disabled"
"""What /sys/kernel/sched_ext/state says where no other scheduler is loaded."""


def loaded_scheduler(situation: Situation) -> str | None:
    """The name of the scheduler that was loaded; NO_SCHEDULER if none was, None if this kernel cannot.

    Raises:
        MissingFact: This kernel could, and whether it did could not be read.
    """
    settings = situation.facts.kernel.settings
    if "sched.ext" not in settings:
        return None
    if needed(settings["sched.ext"], "whether another scheduler is loaded (sched_ext)") == OFF:
        return NO_SCHEDULER
    name = settings.get("sched.ext_ops")
    return str(name.value) if isinstance(name, Known) else "of an unknown name"


def place_of(situation: Situation, knob: str) -> Place:
    """Where a knob such as `sched.migration_cost_ns` is; raises MissingFact.

    Distributions backport the move: where the setting was read counts more than the version.
    """
    kernel = situation.kernel(knob)
    read_from = kernel.how if isinstance(kernel, Known) else ""
    if read_from.startswith("/proc/sys/"):
        return "sysctl"
    if read_from.startswith(DEBUGFS):
        return "debugfs"
    release = needed(situation.facts.host.kernel, "the kernel's version")
    matched = _RELEASE.match(release)
    if matched is None:
        raise MissingFact("the kernel's version", f"found {release}")
    return "sysctl" if (int(matched[1]), int(matched[2])) < MOVED else "debugfs"


def on_one_chip(situation: Situation) -> bool:
    """Whether all processors share the last-level cache and the memory; raises MissingFact."""
    sockets = needed(situation.facts.cpu.sockets, "the number of sockets")
    nodes = known_or(situation.facts.cpu.numa_nodes, 1)
    drawers = known_or(situation.facts.cpu.drawers, 1)
    caches = known_or(situation.facts.cpu.caches, ())
    last = max((cache.level for cache in caches), default=0)
    shared = all(cache.instances in (None, 1) for cache in caches if cache.level == last)
    return sockets == nodes == drawers == 1 and shared
