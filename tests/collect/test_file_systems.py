"""From a directory through mounts, volumes and partitions down to the disks."""

import pytest

from disk_stack import DATA, Stack, disks, names, told
from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.values.known import Known, Unknown


def test_a_partition_belongs_to_its_disk() -> None:
    stack = Stack()
    folder = stack.disk("sda", "8:0", "pci0/ata1/host0/block", rotational="1", scheduler="noop [cfq]")
    stack.partition(folder, "sda4", "8:4")
    stack.mount("8:4", "/", "ext4", "/dev/sda4", "rw,data=ordered")
    (storage,) = stack.storage()
    (disk,) = disks(storage)
    assert (storage.mount, told(storage.device), told(storage.filesystem)) == ("/", "/dev/sda4", "ext4")
    assert told(storage.options) == "rw,relatime,data=ordered"
    assert (disk.name, told(disk.scheduler), told(disk.transport)) == ("sda", "cfq", "sata")
    assert isinstance(disk.rotational, Known)
    assert disk.rotational.value


def test_a_logical_volume_on_an_encrypted_mirror_ends_at_both_disks() -> None:
    stack = Stack()
    for place, name in enumerate(("nvme0n1", "nvme1n1")):
        folder = stack.disk(name, f"259:{place}", "pci0/nvme/block")
        stack.partition(folder, f"{name}p1", f"259:{place + 10}")
    stack.volume("md127", "9:127", "nvme0n1p1", "nvme1n1p1")
    stack.volume("dm-0", "253:0", "md127", mapped="luks")
    stack.volume("dm-1", "253:1", "dm-0", mapped="vg-pg")
    stack.mount("253:1", "/pg", "xfs", "/dev/mapper/vg-pg")
    (storage,) = stack.storage()
    assert names(storage) == ["nvme0n1", "nvme1n1"]
    assert [told(disk.transport) for disk in disks(storage)] == ["nvme", "nvme"]


def test_the_paths_of_a_multipath_device_are_its_disks() -> None:
    stack = Stack()
    way = "css0/0.0.0020/0.0.1900/host0/rport-0:0-0/target0:0:0/0:0:0:0/block"
    for place, name in enumerate(("sda", "sdb")):
        stack.disk(name, f"8:{place * 16}", way)
    stack.volume("dm-0", "253:0", "sda", "sdb", mapped="mpatha")
    stack.mount("253:0", "/pg", "xfs", "/dev/mapper/mpatha")
    (storage,) = stack.storage()
    assert [(disk.name, told(disk.transport)) for disk in disks(storage)] == [
        ("sda", "zfcp"),
        ("sdb", "zfcp"),
    ]


def test_a_disk_that_is_reached_twice_is_listed_once() -> None:
    stack = Stack()
    folder = stack.disk("vda", "252:0")
    for place in (1, 2):
        stack.partition(folder, f"vda{place}", f"252:{place}")
    stack.volume("dm-0", "253:0", "vda1", "vda2", mapped="vg-pg")
    stack.mount("253:0", "/pg", "ext4", "/dev/mapper/vg-pg")
    (storage,) = stack.storage()
    assert names(storage) == ["vda"]


def test_devices_that_hold_each_other_end_the_search() -> None:
    stack = Stack()
    stack.volume("dm-0", "253:0", "dm-1")
    stack.volume("dm-1", "253:1", "dm-0")
    stack.mount("253:0", "/pg", "ext4", "/dev/mapper/x")
    (storage,) = stack.storage()
    assert names(storage) == []


def test_without_a_number_the_source_names_the_device() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.volume("dm-0", "253:0", "vda", mapped="vg-pg")
    files = stack.files | {"proc/mounts": "/dev/mapper/vg-pg /pg ext4 rw 0 0\n"}
    (storage,) = read_machine(machine(files, stack.links), DATA).storage
    assert names(storage) == ["vda"]


def test_btrfs_is_found_by_its_source_with_all_its_devices() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.files |= {f"sys/fs/btrfs/0-0/devices/{name}/x": "" for name in ("vda", "vdb")}
    stack.mount("0:45", "/pg", "btrfs", "/dev/vdb", "rw,subvol=/pg")
    (storage,) = stack.storage()
    assert names(storage) == ["vda", "vdb"]


@pytest.mark.parametrize(
    ("kind", "source", "words"),
    [
        ("nfs4", "server:/export", "a server in the network"),
        ("overlay", "overlay", "whose disks only its host sees"),
        ("zfs", "tank/pg", "zpool status"),
        ("fuse.sshfs", "a@b:/c", "no block device is mounted"),
    ],
)
def test_a_file_system_without_a_block_device_says_where_it_is(kind: str, source: str, words: str) -> None:
    stack = Stack()
    stack.mount("0:50", "/pg", kind, source)
    (storage,) = stack.storage()
    assert isinstance(storage.disks, Unknown)
    assert words in storage.disks.why


def test_memory_has_no_disks() -> None:
    stack = Stack()
    stack.mount("0:50", "/pg", "tmpfs", "tmpfs")
    (storage,) = stack.storage()
    assert names(storage) == []


def test_the_deepest_mount_wins_and_of_equals_the_last() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    stack.mount("252:0", "/pg", "ext4", "/dev/vda")
    stack.mount("252:16", "/pg", "xfs", "/dev/vdb")
    stack.mount("252:0", "/pgother", "ext4", "/dev/vda")
    (storage,) = stack.storage()
    assert names(storage) == ["vdb"]


def test_links_lead_a_directory_to_its_mount() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    stack.mount("252:16", "/fast", "ext4", "/dev/vdb")
    stack.links["pg/pg_wal"] = "/fast/wal"
    result = stack.storage({"data": ["/pg"], "wal": ["/pg/pg_wal"]})
    assert [(storage.mount, storage.roles) for storage in result] == [("/", ("data",)), ("/fast", ("wal",))]


def test_one_file_system_with_several_roles_is_listed_once() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    (storage,) = stack.storage({"data": ["/pg", "/pg2"], "wal": ["/pg/pg_wal"], "tablespace": ["/ts"]})
    assert storage.roles == ("data", "wal", "tablespace")


def test_a_mount_point_with_a_space_is_found() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.mount("252:0", r"/my\040data", "ext4", "/dev/vda")
    (storage,) = stack.storage({"data": ["/my data/pg"]})
    assert storage.mount == "/my data"


def test_a_cached_disk_ends_at_the_disk_and_its_cache() -> None:
    stack = Stack()
    stack.disk("sda", "8:0", "pci0/ata1/host0/block", rotational="1")
    stack.partition(stack.disk("nvme0n1", "259:0"), "nvme0n1p3", "259:3")
    stack.volume("bcache0", "252:0", "sda", "nvme0n1p3")
    stack.mount("252:0", "/pg", "xfs", "/dev/bcache0")
    assert names(stack.storage()[0]) == ["nvme0n1", "sda"]


def test_a_volume_in_a_container_ends_at_the_disk_of_its_host() -> None:
    stack = Stack()
    folder = stack.disk("sda", "8:0", "pci0/ata1/host0/block")
    stack.partition(folder, "sda2", "8:2")
    stack.mounts = "1 0 0:5 / / rw - overlay overlay rw\n"
    stack.mounts += "2 1 8:2 /var/lib/docker/volumes/pg/_data /pg rw - ext4 /dev/sda2 rw\n"
    assert names(stack.storage()[0]) == ["sda"]


def test_without_directories_no_storage_is_read() -> None:
    assert read_machine(Stack().system()).storage == ()


def test_a_file_system_that_is_read_only_anyhow_is_read_only() -> None:
    stack = Stack()
    stack.mounts = (
        "25 1 0:50 / /a ro,relatime - tmpfs tmpfs rw,size=1k\n26 1 0:51 / /b rw - tmpfs tmpfs ro\n"
        "27 1 0:52 / /c rw,noatime - tmpfs tmpfs rw,size=1k\n"
    )
    result = stack.storage({"data": ["/a"], "wal": ["/b"], "tablespace": ["/c"]})
    assert [told(storage.options) for storage in result] == [
        "ro,relatime,size=1k",
        "ro",
        "rw,noatime,size=1k",
    ]
