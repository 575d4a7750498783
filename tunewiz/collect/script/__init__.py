"""The script that collects a host's facts without tunewiz: one file, assembled from its parts."""

from __future__ import annotations

from tunewiz.package_files import package_file

_HEAD = "head"
"""What an administrator reads first; it runs nothing."""
_PARTS = (
    "records",
    "kernel",
    "surroundings",
    "disks",
    "boot_loader",
    "owners",
    "servers",
    "clusters",
    "main",
)


def collector() -> str:
    """The script, plain ASCII.

    A shell runs nothing of a group before it has read its end: a script that was cut on its way does nothing.
    """
    group = "\n".join(map(_part, _PARTS))
    return f'{_part(_HEAD)}\n{{\n{group}}}\n\nmain "$@"\n'


def _part(name: str) -> str:
    return package_file(__name__, f"{name}.sh").read_text(encoding="utf-8")
