"""The size of /dev/shm is what was set for it; without one it is half of memory, and no limit of its own."""

import pytest

from recorded_machines import facts
from tunewiz.collect.limits.shared_memory_size import FOLDER
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.values.units import GIB, MIB, Bytes

HOW = f"{FOLDER} in /proc/self/mountinfo"
ROOT = "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
DEV = "23 22 0:5 / /dev rw,nosuid - devtmpfs udev rw,size=8131072k,nr_inodes=2032768,mode=755\n"


def shared_memory(*mounts: str) -> MaybeFact[Bytes]:
    return facts({"proc/self/mountinfo": "".join((ROOT, *mounts))}).limits.shared_memory


def shm(options: str) -> str:
    return f"24 23 0:21 / /dev/shm rw,nosuid,nodev - tmpfs shm {options}\n"


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ("rw,size=65536k", 64 * MIB),
        ("rw,size=1048576k,inode64", GIB),
        ("rw,nr_inodes=10,size=4k", 4096),
        ("rw,size=0k", 0),
    ],
)
def test_a_size_that_was_set_is_read(options: str, size: int) -> None:
    assert shared_memory(DEV, shm(options)) == Known(Bytes(size), HOW)


@pytest.mark.parametrize("mounts", [(), (DEV,), (DEV, shm("rw,inode64")), (DEV, shm("rw,size=50%"))])
def test_without_a_size_of_its_own_nothing_is_taken_for_one(mounts: tuple[str, ...]) -> None:
    assert isinstance(shared_memory(*mounts), Absent)


def test_without_a_mount_table_it_is_unknown() -> None:
    assert isinstance(facts({"proc/meminfo": ""}).limits.shared_memory, Unknown)


def test_what_was_mounted_last_counts() -> None:
    assert shared_memory(DEV, shm("rw,size=65536k"), shm("rw,size=131072k")) == Known(Bytes(128 * MIB), HOW)
