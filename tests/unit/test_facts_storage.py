"""From a directory through mounts, volumes and partitions down to the disks."""

import pytest

from recorded_machines import contents, foreign_captures, load, machine
from tunewiz.capture import RecordedSystem
from tunewiz.core.facts_machine import Disk, Storage
from tunewiz.core.known import Absent, Known, MaybeFact, Unknown
from tunewiz.facts.collect import read_machine
from tunewiz.facts.storage import Directories

DATA: Directories = {"data": ["/pg"]}


class Stack:
    """A machine's block devices and mounts, as they are built up."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.mounts = ""

    def disk(self, name: str, number: str, way: str = "virtual/block", **queue: str) -> str:
        """Adds a disk, or another device; gives its folder."""
        folder = f"sys/devices/{way}/{name}"
        self.links[f"sys/block/{name}"] = "/" + folder
        self.files[f"{folder}/dev"] = f"{number}\n"
        read = {"rotational": "0", "scheduler": "[none] mq-deadline", "read_ahead_kb": "128"} | queue
        self.files |= {f"{folder}/queue/{file}": f"{content}\n" for file, content in read.items()}
        return folder

    def partition(self, folder: str, name: str, number: str) -> None:
        """Adds a partition of a disk."""
        self.files |= {f"{folder}/{name}/dev": f"{number}\n", f"{folder}/{name}/partition": "1\n"}

    def volume(self, name: str, number: str, *slaves: str, mapped: str = "") -> None:
        """Adds a device on other devices."""
        folder = self.disk(name, number, scheduler="none")
        for slave in slaves:
            self.links[f"{folder}/slaves/{slave}"] = f"../../{slave}"
        if mapped:
            self.files[f"{folder}/dm/name"] = f"{mapped}\n"

    def mount(self, number: str, point: str, kind: str, source: str, options: str = "rw") -> None:
        """Mounts a device."""
        self.mounts += f"25 1 {number} / {point} rw,relatime - {kind} {source} {options}\n"

    def system(self) -> RecordedSystem:
        """The machine that was built."""
        return machine(self.files | {"proc/self/mountinfo": self.mounts}, self.links)

    def storage(self, directories: Directories = DATA) -> tuple[Storage, ...]:
        """What is found under the directories."""
        return read_machine(self.system(), directories).storage


def disks(storage: Storage) -> tuple[Disk, ...]:
    assert isinstance(storage.disks, Known), storage.disks
    return storage.disks.value


def names(storage: Storage) -> list[str]:
    return [disk.name for disk in disks(storage)]


def told(fact: MaybeFact[str]) -> str | None:
    return fact.value if isinstance(fact, Known) else None


def test_a_partition_belongs_to_its_disk() -> None:
    stack = Stack()
    folder = stack.disk("sda", "8:0", "pci0/ata1/host0/block", rotational="1", scheduler="noop [cfq]")
    stack.partition(folder, "sda4", "8:4")
    stack.mount("8:4", "/", "ext4", "/dev/sda4", "rw,data=ordered")
    (found,) = stack.storage()
    (disk,) = disks(found)
    assert (found.mount, told(found.device), told(found.filesystem)) == ("/", "/dev/sda4", "ext4")
    assert told(found.options) == "rw,relatime,data=ordered"
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
    (found,) = stack.storage()
    assert names(found) == ["nvme0n1", "nvme1n1"]
    assert [told(disk.transport) for disk in disks(found)] == ["nvme", "nvme"]


def test_the_paths_of_a_multipath_device_are_its_disks() -> None:
    stack = Stack()
    way = "css0/0.0.0020/0.0.1900/host0/rport-0:0-0/target0:0:0/0:0:0:0/block"
    for place, name in enumerate(("sda", "sdb")):
        stack.disk(name, f"8:{place * 16}", way)
    stack.volume("dm-0", "253:0", "sda", "sdb", mapped="mpatha")
    stack.mount("253:0", "/pg", "xfs", "/dev/mapper/mpatha")
    (found,) = stack.storage()
    assert [(disk.name, told(disk.transport)) for disk in disks(found)] == [("sda", "zfcp"), ("sdb", "zfcp")]


def test_a_disk_that_is_reached_twice_is_listed_once() -> None:
    stack = Stack()
    folder = stack.disk("vda", "252:0")
    for place in (1, 2):
        stack.partition(folder, f"vda{place}", f"252:{place}")
    stack.volume("dm-0", "253:0", "vda1", "vda2", mapped="vg-pg")
    stack.mount("253:0", "/pg", "ext4", "/dev/mapper/vg-pg")
    (found,) = stack.storage()
    assert names(found) == ["vda"]


def test_devices_that_hold_each_other_end_the_search() -> None:
    stack = Stack()
    stack.volume("dm-0", "253:0", "dm-1")
    stack.volume("dm-1", "253:1", "dm-0")
    stack.mount("253:0", "/pg", "ext4", "/dev/mapper/x")
    (found,) = stack.storage()
    assert names(found) == []


def test_without_a_number_the_source_names_the_device() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.volume("dm-0", "253:0", "vda", mapped="vg-pg")
    files = stack.files | {"proc/mounts": "/dev/mapper/vg-pg /pg ext4 rw 0 0\n"}
    (found,) = read_machine(machine(files, stack.links), DATA).storage
    assert names(found) == ["vda"]


def test_btrfs_is_found_by_its_source_with_all_its_devices() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.files |= {f"sys/fs/btrfs/0-0/devices/{name}/x": "" for name in ("vda", "vdb")}
    stack.mount("0:45", "/pg", "btrfs", "/dev/vdb", "rw,subvol=/pg")
    (found,) = stack.storage()
    assert names(found) == ["vda", "vdb"]


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
    (found,) = stack.storage()
    assert isinstance(found.disks, Unknown)
    assert words in found.disks.why


def test_memory_has_no_disks() -> None:
    stack = Stack()
    stack.mount("0:50", "/pg", "tmpfs", "tmpfs")
    (found,) = stack.storage()
    assert names(found) == []


def test_the_deepest_mount_wins_and_of_equals_the_last() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    stack.mount("252:0", "/pg", "ext4", "/dev/vda")
    stack.mount("252:16", "/pg", "xfs", "/dev/vdb")
    stack.mount("252:0", "/pgother", "ext4", "/dev/vda")
    (found,) = stack.storage()
    assert names(found) == ["vdb"]


def test_links_lead_a_directory_to_its_mount() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.disk("vdb", "252:16")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    stack.mount("252:16", "/fast", "ext4", "/dev/vdb")
    stack.links["pg/pg_wal"] = "/fast/wal"
    found = stack.storage({"data": ["/pg"], "wal": ["/pg/pg_wal"]})
    assert [(storage.mount, storage.roles) for storage in found] == [("/", ("data",)), ("/fast", ("wal",))]


def test_one_file_system_with_several_roles_is_listed_once() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.mount("252:0", "/", "ext4", "/dev/vda")
    (found,) = stack.storage({"data": ["/pg", "/pg2"], "wal": ["/pg/pg_wal"], "tablespace": ["/ts"]})
    assert found.roles == ("data", "wal", "tablespace")


def test_a_mount_point_with_a_space_is_found() -> None:
    stack = Stack()
    stack.disk("vda", "252:0")
    stack.mount("252:0", r"/my\040data", "ext4", "/dev/vda")
    (found,) = stack.storage({"data": ["/my data/pg"]})
    assert found.mount == "/my data"


def test_a_disk_without_a_choice_of_schedulers_has_none() -> None:
    stack = Stack()
    folder = stack.disk("zram0", "251:0", scheduler="none")
    stack.mount("251:0", "/pg", "ext4", "/dev/zram0")
    assert told(disks(stack.storage()[0])[0].scheduler) == "none"
    del stack.files[f"{folder}/queue/scheduler"]
    assert isinstance(disks(stack.storage()[0])[0].scheduler, Absent)


def test_an_nvme_disk_behind_a_fabric_names_it() -> None:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0")
    stack.files[f"{folder}/device/transport"] = "tcp\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    assert told(disks(stack.storage()[0])[0].transport) == "nvme-tcp"


def test_an_nvme_disk_with_several_paths_is_asked_through_its_controllers() -> None:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0", "virtual/nvme-subsystem/nvme-subsys0")
    stack.files[f"{folder}/device/nvme3/transport"] = "fc\n"
    stack.mount("259:0", "/pg", "xfs", "/dev/nvme0n1")
    assert told(disks(stack.storage()[0])[0].transport) == "nvme-fc"


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


@pytest.mark.parametrize(
    ("name", "way", "transport"),
    [
        ("vda", "pci0/virtio0/block", "virtio"),
        ("sda", "pci0/virtio1/host0/target0:0:0/0:0:0:0/block", "virtio"),
        ("sda", "platform/host3/session1/target3:0:0/3:0:0:0/block", "iscsi"),
        ("sda", "pci0/host0/port-0:0/end_device-0:0/target0:0:0/block", "sas"),
        ("sda", "pci0/host0/rport-0:0-1/target0:0:0/block", "fc"),
        ("sda", "vio/30000003/host0/target0:0:1/block", "vscsi"),
        ("dasda", "css0/0.0.0001/0.0.0200/block", "dasd"),
        ("sda", "LNXSYSTM:00/ACPI0004:00/VMBUS:00/f8b3781a/host0/target0:0:0/0:0:0:0/block", "hyperv"),
        ("sda", "css0/0.0.0020/0.0.1900/host0/rport-0:0-0/target0:0:0/0:0:0:0/block", "zfcp"),
        ("pmem0", "LNXSYSTM:00/ndbus0/region0/block", "pmem"),
        ("xvda", "vbd-51712/block", "xen"),
        ("loop0", "virtual/block", "loop"),
    ],
)
def test_a_transport_is_known_by_name_or_by_the_way(name: str, way: str, transport: str) -> None:
    stack = Stack()
    stack.disk(name, "8:0", way)
    stack.mount("8:0", "/pg", "ext4", f"/dev/{name}")
    assert told(disks(stack.storage()[0])[0].transport) == transport


def stable(links: dict[str, str]) -> MaybeFact[str]:
    stack = Stack()
    stack.disk("sda", "8:0")
    stack.mount("8:0", "/pg", "ext4", "/dev/sda")
    stack.links |= {f"dev/disk/{name}": target for name, target in links.items()}
    return disks(stack.storage()[0])[0].stable


def test_a_disk_is_known_by_a_name_that_stays() -> None:
    links = {
        "by-path/pci-0000:00:1f.2-ata-1": "../../sda",
        "by-id/ata-DISK_1234": "../../sda",
        "by-id/wwn-0x5000": "../../sda",
        "by-id/nvme-other": "../../nvme0n1",
    }
    assert stable(links) == Known("/dev/disk/by-id/wwn-0x5000", "the links in /dev/disk/by-id")


def test_where_it_is_attached_names_a_disk_that_has_no_name_of_its_own() -> None:
    links = {"by-path/ccw-0.0.0200": "../../sda", "by-id/wwn-0x5000-part1": "../../sda1"}
    assert told(stable(links)) == "/dev/disk/by-path/ccw-0.0.0200"


def test_a_disk_without_links_has_no_name_that_stays() -> None:
    assert isinstance(stable({}), Absent)


def test_without_directories_no_storage_is_read() -> None:
    assert read_machine(Stack().system()).storage == ()


def test_a_file_system_that_is_read_only_anyhow_is_read_only() -> None:
    stack = Stack()
    stack.mounts = (
        "25 1 0:50 / /a ro,relatime - tmpfs tmpfs rw,size=1k\n26 1 0:51 / /b rw - tmpfs tmpfs ro\n"
        "27 1 0:52 / /c rw,noatime - tmpfs tmpfs rw,size=1k\n"
    )
    found = stack.storage({"data": ["/a"], "wal": ["/b"], "tablespace": ["/c"]})
    assert [told(storage.options) for storage in found] == ["ro,relatime,size=1k", "ro", "rw,noatime,size=1k"]


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
