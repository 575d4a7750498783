"""The disks under the directories of a real machine are those that lsblk lists."""

import pytest

from disk_stack import DATA, names
from recorded_machines import contents, foreign_captures, load
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.collect.storage.file_systems import Directories


def real_machine_with_lvm() -> dict[str, bytes]:
    paths = {path.stem: path for path in foreign_captures()}
    if "lsblk-simple-lvm" not in paths:
        pytest.skip("TUNEWIZ_CAPTURES names no folder with lsblk-simple-lvm")
    return contents(load(paths["lsblk-simple-lvm"]))


def real_storage(files: dict[str, bytes], directories: Directories) -> list[list[str]]:
    (path,) = (path for path in foreign_captures() if path.stem == "lsblk-simple-lvm")
    system = RecordedSystem(files, load(path)["links"], tuple(load(path)["dirs"]))
    return [names(storage) for storage in read_machine(system, directories).storage]


def test_the_disks_of_a_real_machine_are_those_that_lsblk_lists() -> None:
    directories: Directories = {"data": ["/home/test"], "wal": ["/"], "tablespace": ["/home/archive/x"]}
    assert real_storage(real_machine_with_lvm(), directories) == [["nvme0n1"], ["sda"], ["sdb"]]


def test_a_real_logical_volume_over_four_devices_ends_at_them() -> None:
    files = real_machine_with_lvm()
    files["proc/self/mountinfo"] += b"99 67 253:0 / /pg rw - ext4 /dev/mapper/vg_foo.4059-lv_foo.4059 rw\n"
    assert real_storage(files, DATA) == [["loop0", "loop1", "loop2", "loop3"]]
