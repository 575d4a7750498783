"""The control groups of a process, and the folders in which they can be seen.

Version 1 has one hierarchy for each controller, version 2 one for all, and a machine may have both. A
mount may show only a part of a hierarchy, as in a container without a cgroup namespace of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from tunewiz.collect import file_values
from tunewiz.collect.storage.mounts import Mount
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact

Controller = Literal["memory", "cpu", "cpuset", "hugetlb"]

_LINE = re.compile(r"[0-9]+:[^:]*:/")

USUAL = "/sys/fs/cgroup"
"""Where systemd and every container engine mount them."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ControlGroup:
    """A process's group in the hierarchy of one controller."""

    version: Literal[1, 2]
    folders: tuple[str, ...]
    """From the mount point down to the group itself."""
    whole: bool
    """Whether the mount point shows the root of the hierarchy, which has no limits in version 2."""
    whole_path: bool
    """Whether the folders lead to the group itself, not only to the mount point above it."""


def read_membership(system: System, process: str) -> Fact[str]:
    """The lines of /proc/PID/cgroup; unknown where none has the right form."""
    text = file_values.text(system, f"/proc/{process}/cgroup")
    return file_values.converted(text, _as_membership, "lines such as 0::/path")


def _as_membership(content: str) -> str | None:
    return content if any(_LINE.match(line) for line in content.splitlines()) else None


def find_group(
    system: System, membership: str, table: tuple[Mount, ...], controller: Controller
) -> ControlGroup | None:
    """The group of the controller in the lines of /proc/PID/cgroup: `4:memory:/path` or `0::/path`."""
    unified: ControlGroup | None = None
    for line in membership.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controller in controllers.split(","):
            fitting = [m for m in table if m.filesystem == "cgroup" and controller in m.options]
            return _placed(system, 1, path, _tops(fitting, f"{USUAL}/{controllers}", f"{USUAL}/{controller}"))
        if number == "0" and not controllers:
            fitting = [m for m in table if m.filesystem == "cgroup2"]
            unified = _placed(system, 2, path, _tops(fitting, USUAL))
    return unified


def _tops(fitting: list[Mount], *usual: str) -> list[tuple[str, str]]:
    """Mount points with the part of the hierarchy that they show, then the usual ones."""
    return [(mount.point.rstrip("/"), mount.root) for mount in fitting] + [(point, "/") for point in usual]


def _placed(system: System, version: Literal[1, 2], path: str, tops: list[tuple[str, str]]) -> ControlGroup:
    """Follow the path from the first mount point where it exists; else only a mount point is seen."""
    groups = [_below(version, path, point, root) for point, root in tops]
    return next(
        (group for group in groups if group.whole_path and system.exists(group.folders[-1])), groups[0]
    )


def _below(version: Literal[1, 2], path: str, point: str, root: str) -> ControlGroup:
    inside = _is_below(path, root)
    parts = [part for part in path[len(root.rstrip("/")) :].split("/") if part] if inside else []
    folders = ("/".join((point, *parts[:depth])) for depth in range(len(parts) + 1))
    return ControlGroup(version=version, folders=tuple(folders), whole=root == "/", whole_path=inside)


def _is_below(path: str, root: str) -> bool:
    return ".." not in path.split("/") and f"{path.rstrip('/')}/".startswith(f"{root.rstrip('/')}/")
