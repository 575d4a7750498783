"""What lies between a file system and its disks, and what the kernel tells of their queues and paths."""

import pytest

from disk_stack import Stack, disks
from recorded_machines import contents, foreign_captures, load, our_captures, recorded_with, with_file_system
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Disk, DiskPath, Layer, Storage
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import Bytes


def layers(storage: Storage) -> tuple[Layer, ...]:
    assert isinstance(storage.layers, Known), storage.layers
    return storage.layers.value


def mapped(stack: Stack, name: str, uuid: str) -> None:
    stack.files[f"sys/devices/virtual/block/{name}/dm/uuid"] = f"{uuid}\n"


def striped() -> Stack:
    """A volume striped over two disks, each reached by two paths."""
    stack = Stack()
    for number, name in enumerate(("sda", "sdb", "sdc", "sdd")):
        folder = stack.disk(name, f"8:{number * 16}", f"pci0/host{number}/rport-{number}:0-0/target/block")
        stack.files[f"{folder}/device/state"] = "offline\n" if name == "sdb" else "running\n"
    stack.volume("dm-0", "253:0", "sda", "sdb", mapped="mpatha")
    stack.volume("dm-1", "253:1", "sdc", "sdd", mapped="mpathb")
    stack.volume("dm-2", "253:2", "dm-0", "dm-1", mapped="vg-pg")
    for name, uuid in (("dm-0", "mpath-36005076"), ("dm-1", "mpath-36005077"), ("dm-2", "LVM-abc")):
        mapped(stack, name, uuid)
    queue = "sys/devices/virtual/block/dm-2/queue"
    stack.files |= {f"{queue}/minimum_io_size": "65536\n", f"{queue}/optimal_io_size": "131072\n"}
    stack.mount("253:2", "/pg", "xfs", "/dev/mapper/vg-pg")
    return stack


def test_a_striped_volume_over_paths_is_told_layer_by_layer() -> None:
    (storage,) = striped().storage()
    assert [(layer.label, layer.kind, layer.below) for layer in layers(storage)] == [
        ("vg-pg", "lvm", ("dm-0", "dm-1")),
        ("mpatha", "multipath", ("sda", "sdb")),
        ("mpathb", "multipath", ("sdc", "sdd")),
    ]
    top = layers(storage)[0]
    assert (top.chunk, top.stripe, top.read_ahead_kb) == (
        Bytes(65536),
        Bytes(131072),
        Known(128, "/sys/devices/virtual/block/dm-2/queue/read_ahead_kb"),
    )
    states = [disk.state.value for disk in disks(storage) if isinstance(disk.state, Known)]
    assert states == ["running", "offline", "running", "running"]


def test_a_file_system_on_its_disk_has_none_between() -> None:
    stack = Stack()
    stack.partition(stack.disk("vda", "252:0"), "vda1", "252:1")
    stack.mount("252:1", "/pg", "ext4", "/dev/vda1")
    (storage,) = stack.storage()
    assert layers(storage) == ()


@pytest.mark.parametrize(
    ("name", "uuid", "kind"),
    [("dm-0", "CRYPT-LUKS2-1", "crypt"), ("md0", "", "raid"), ("dm-0", "x", "other")],
)
def test_the_kind_is_told_by_the_program_that_made_it(name: str, uuid: str, kind: str) -> None:
    stack = Stack()
    stack.disk("sda", "8:0")
    stack.volume(name, "253:0", "sda")
    mapped(stack, name, uuid)
    stack.mount("253:0", "/pg", "ext4", "/dev/x")
    (storage,) = stack.storage()
    assert [layer.kind for layer in layers(storage)] == [kind]


def nvme(*controllers: str) -> Disk:
    stack = Stack()
    folder = stack.disk("nvme0n1", "259:0", nr_requests="1023", wbt_lat_usec="2000")
    for name in controllers:
        stack.files[f"{folder}/device/{name}/state"] = "live\n"
    if controllers:
        stack.files[f"{folder}/device/iopolicy"] = "numa\n"
    else:
        stack.files[f"{folder}/device/model"] = "A disk\n"
    stack.mount("259:0", "/pg", "ext4", "/dev/nvme0n1")
    (storage,) = stack.storage()
    (disk,) = disks(storage)
    return disk


def test_an_nvme_disk_tells_its_paths_and_how_they_are_chosen() -> None:
    disk = nvme("nvme0", "nvme1")
    assert isinstance(disk.paths, Known)
    assert disk.paths.value == (
        DiskPath(name="nvme0", state="live"),
        DiskPath(name="nvme1", state="live"),
    )
    assert isinstance(disk.path_policy, Known)
    assert disk.path_policy.value == "numa"


def test_an_nvme_disk_in_the_machine_has_no_paths_to_choose_from() -> None:
    disk = nvme()
    assert isinstance(disk.paths, Absent)
    assert isinstance(disk.path_policy, Absent)
    assert isinstance(disk.state, Absent)


def test_the_queue_tells_its_length_and_its_throttling() -> None:
    disk = nvme()
    assert isinstance(disk.nr_requests, Known)
    assert isinstance(disk.wbt_lat_usec, Known)
    assert (disk.nr_requests.value, disk.wbt_lat_usec.value) == (1023, 2000)


def test_a_queue_without_them_has_none_and_noise_is_unknown() -> None:
    stack = Stack()
    stack.disk("sda", "8:0", wbt_lat_usec="-1")
    stack.mount("8:0", "/pg", "ext4", "/dev/sda")
    (storage,) = stack.storage()
    (disk,) = disks(storage)
    assert isinstance(disk.nr_requests, Absent)
    assert isinstance(disk.wbt_lat_usec, Unknown)


@pytest.mark.parametrize("path", our_captures(), ids=lambda path: path.stem)
def test_machines_that_were_started_throttle_a_virtual_disk_as_a_rotating_one(path: object) -> None:
    capture = next(our_capture for our_capture in our_captures() if our_capture == path)
    system = recorded_with(capture, with_file_system(capture, "vda", "/pg"))
    (storage,) = read_machine(system, {"data": ["/pg"]}).storage
    (disk,) = disks(storage)
    assert isinstance(disk.wbt_lat_usec, Known)
    assert disk.wbt_lat_usec.value == 75_000
    assert isinstance(disk.nr_requests, Known)
    assert layers(storage) == ()


def test_a_real_volume_over_four_devices_is_one_layer() -> None:
    result = [path for path in foreign_captures() if path.stem == "lsblk-simple-lvm"]
    if not result:
        pytest.skip("TUNEWIZ_CAPTURES names no folder with lsblk-simple-lvm")
    capture, files = load(result[0]), contents(load(result[0]))
    files["proc/self/mountinfo"] += b"99 67 253:0 / /pg rw - ext4 /dev/mapper/vg_foo.4059-lv_foo.4059 rw\n"
    system = RecordedSystem(files, capture["links"], tuple(capture["dirs"]))
    (storage,) = read_machine(system, {"data": ["/pg"]}).storage
    (layer,) = layers(storage)
    assert (layer.label, layer.below) == ("vg_foo.4059-lv_foo.4059", ("loop0", "loop1", "loop2", "loop3"))
    assert {disk.nr_requests for disk in disks(storage)} == {
        Known(256, f"/sys/devices/virtual/block/loop{number}/queue/nr_requests") for number in range(4)
    }
