"""On which processors a control group lets its members run."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.cpu.topology import read_topology
from tunewiz.collect.limits.cgroup_paths import ControlGroup
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

_FILES = {2: ("cpuset.cpus.effective",), 1: ("cpuset.effective_cpus", "cpuset.cpus")}
"""What a group may really use, by version; the first version's second file is what was asked for it."""

Allowed = MaybeFact[frozenset[int]]


def read_allowed(
    system: System, path: str, group: ControlGroup | None, online: Fact[frozenset[int]]
) -> Allowed:
    """The online processors of the deepest group that says so; absent where these are all.

    Args:
        system: The machine.
        path: The file that named the group.
        group: Of the controller cpuset; None where there is none.
        online: The processors that are online.
    """
    if group is None:
        return Absent(f"no cpuset controller: {path}")
    if not isinstance(online, Known):
        return online
    for folder in reversed(group.folders):
        fact = _of_folder(system, folder, group)
        if isinstance(fact, Unknown):
            return fact
        if isinstance(fact, Known):
            left = fact.value & online.value
            return Known(left, fact.how) if left < online.value else Absent(f"all processors: {fact.how}")
    return Absent(f"no cpuset up to {group.folders[0]}")


def _of_folder(system: System, folder: str, group: ControlGroup) -> Allowed:
    if not system.exists(folder):
        return file_values.absent(system, folder, f"no {folder}")
    result = [file_values.processors(system, f"{folder}/{name}") for name in _FILES[group.version]]
    results = [fact for fact in result if isinstance(fact, Known) and fact.value]
    if results:
        return results[0]
    if group.version == 1 or not _is_off(system, folder, group):
        return next(
            (fact for fact in result if isinstance(fact, Unknown)), Unknown(f"no processors: {folder}")
        )
    return Absent(f"the controller is off at {folder}")


def _is_off(system: System, folder: str, group: ControlGroup) -> bool:
    controllers = file_values.text(system, f"{folder}/cgroup.controllers")
    is_root = group.whole and folder == group.folders[0]
    return is_root or (isinstance(controllers, Known) and "cpuset" not in controllers.value.split())


def cores_of(system: System, allowed: Allowed) -> MaybeFact[int]:
    """How many physical cores the processors are."""
    if not isinstance(allowed, Known):
        return allowed
    topology = read_topology(system, allowed.value, {}, Unknown("the ids alone are looked at"))
    return (
        Known(len(topology.value.cores), f"{allowed.how} and {topology.how}")
        if isinstance(topology, Known)
        else topology
    )


def count_of(allowed: Allowed) -> MaybeFact[int]:
    """How many processors they are."""
    return Known(len(allowed.value), allowed.how) if isinstance(allowed, Known) else allowed
