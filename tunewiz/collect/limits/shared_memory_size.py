"""How large the file system may grow in which parallel queries share memory."""

from __future__ import annotations

import re

from tunewiz.collect.storage.mounts import Mount, covering
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact
from tunewiz.core.values.units import KIB, Bytes

FOLDER = "/dev/shm"  # noqa: S108 - the place that shm_open(3) uses, which is only looked up

_SIZE = re.compile(r"size=([0-9]{1,15})k")
"""As the kernel shows it in a mount table: always in units of 1,024 bytes (shmem_show_options)."""


def read_shared_memory(mounts: Fact[tuple[Mount, ...]]) -> MaybeFact[Bytes]:
    """The size that was set for /dev/shm; absent where none was: half of memory then (kernel: tmpfs.rst)."""
    if not isinstance(mounts, Known):
        return mounts
    mount = covering(mounts.value, FOLDER)
    if mount is None or mount.filesystem != "tmpfs":
        return Absent(f"no tmpfs at {FOLDER}: {mounts.how}")
    sizes = [matched for option in mount.options if (matched := _SIZE.fullmatch(option))]
    if not sizes:
        return Absent(f"no size is set for {FOLDER}: {mounts.how}")
    return Known(Bytes(int(sizes[0][1]) * KIB), f"{FOLDER} in {mounts.how}")
