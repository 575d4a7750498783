"""Pretend roots seen behind mounts that nobody else sees; needs root."""

import dataclasses

from pretend_root import PretendRoot
from tools_here import need


def behind(machine: PretendRoot, mounts: str) -> PretendRoot:
    """The machine whose scripts see some mounts that nobody else sees."""
    need("unshare", "mount")
    command = f'mount --make-rprivate / && {mounts} && exec sh "$@"'
    shell = ("unshare", "-m", "sh", "-c", command, "sh")
    return dataclasses.replace(machine, shell=shell)


def read_only(machine: PretendRoot, inside: str) -> str:
    """What mounts a directory of the machine over itself, read-only."""
    place = machine.path(inside)
    return f"mount --bind '{place}' '{place}' && mount -o remount,ro,bind '{place}'"
