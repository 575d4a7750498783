"""Channel paths and zHPF of mainframe disks, and the ports by which SCSI disks are reached, as /sys has them.

The layout is that of s390-tools' lsdasd and lszfcp, and of Documentation/arch/s390/driver-model.rst.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collected import collected, make
from disk_stack import DATA, Stack, disks
from tunewiz.collect.machine import read_machine
from tunewiz.collect.storage.channel_paths import read_channel_paths
from tunewiz.core.facts.dasd import ChannelPaths
from tunewiz.core.facts.machine import Disk
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

SUBCHANNEL = "sys/devices/css0/0.0.0005"
DEVICE = f"{SUBCHANNEL}/0.0.c28a"
FOUR = "48 49 4a 4b 00 00 00 00 \n"
FCP = "sys/devices/css0/0.0.0010/0.0.3c00/host0"
RPORT = "rport-0:0-1/target0:0:1/0:0:1:1074085900/block"


def eckd(
    masks: str = "f0 00 00 00 00 00\n", hpf: str = "1\n", discipline: str = "ECKD\n", block: str = "4096"
) -> Stack:
    """A volume over four channel paths."""
    made = Stack()
    folder = made.disk("dasda", "94:0", way="css0/0.0.0005/0.0.c28a/block", logical_block_size=block)
    made.links[f"{folder}/device"] = f"/{DEVICE}"
    made.files |= {
        f"{SUBCHANNEL}/chpids": FOUR,
        f"{SUBCHANNEL}/pimpampom": "f0 f0 ff\n",
        f"{DEVICE}/discipline": discipline,
        f"{DEVICE}/hpf": hpf,
        f"{DEVICE}/path_masks": masks,
        f"{DEVICE}/uid": "IBM.7500.c280.0a\n",
    }
    made.mount("94:0", "/pg", "xfs", "/dev/dasda")
    return made


def scsi(port_type: str | None = "NPIV VPORT", way: str = FCP) -> Stack:
    made = Stack()
    made.disk("sda", "8:0", way=f"{way.removeprefix('sys/devices/')}/{RPORT}", logical_block_size="512")
    if port_type is not None:
        made.files[f"{way}/fc_host/host0/port_type"] = f"{port_type}\n"
    made.mount("8:0", "/pg", "xfs", "/dev/sda")
    return made


def the_disk(made: Stack) -> Disk:
    (storage,) = made.storage()
    (disk,) = disks(storage)
    return disk


def value(fact: MaybeFact[ChannelPaths]) -> ChannelPaths:
    assert isinstance(fact, Known), fact
    return fact.value


def test_every_path_of_a_healthy_volume_is_usable() -> None:
    disk = the_disk(eckd())
    four = ("48", "49", "4a", "4b")
    assert value(disk.channel_paths) == ChannelPaths(installed=four, usable=four, without_hpf=())
    assert disk.hpf == Known(value=True, how="/sys/devices/css0/0.0.0005/0.0.c28a/block/dasda/device/hpf")
    assert disk.block_size == Known(
        4096, "/sys/devices/css0/0.0.0005/0.0.c28a/block/dasda/queue/logical_block_size"
    )


def test_a_path_that_the_driver_left_out_is_not_usable() -> None:
    paths = value(the_disk(eckd("80 00 00 00 30 00\n")).channel_paths)
    assert paths.usable == ("48",)
    assert paths.without_hpf == ("4a", "4b")


@given(st.integers(1, 255), st.integers(0, 255), st.integers(0, 255))
def test_each_bit_stands_for_the_path_at_its_place(used: int, installed: int, without: int) -> None:
    made = eckd(f"{used:02x} 00 00 00 {without:02x} 00\n")
    made.files[f"{SUBCHANNEL}/chpids"] = "10 11 12 13 14 15 16 17 \n"
    made.files[f"{SUBCHANNEL}/pimpampom"] = f"{installed:02x} ff ff\n"
    paths = value(
        read_channel_paths(made.system(), "dasda", "/sys/devices/css0/0.0.0005/0.0.c28a/block/dasda")
    )
    expected = [f"1{bit}" for bit in range(8) if f"{installed:08b}"[bit] == "1"]
    assert list(paths.installed) == expected
    assert set(paths.usable) == {name for name in expected if f"{used:08b}"[int(name[1])] == "1"}
    assert set(paths.without_hpf) == {name for name in expected if f"{without:08b}"[int(name[1])] == "1"}


@pytest.mark.parametrize("masks", ["", "0\n", "00 00 00 00 00 00\n", "f0\n", "zz 00 00 00 00 00\n"])
def test_masks_that_say_nothing_are_unknown(masks: str) -> None:
    assert isinstance(the_disk(eckd(masks)).channel_paths, Unknown)


def test_without_the_subchannel_paths_are_unknown_and_hpf_is_not() -> None:
    made = eckd()
    del made.files[f"{SUBCHANNEL}/chpids"]
    disk = the_disk(made)
    assert isinstance(disk.channel_paths, Unknown)
    assert isinstance(disk.hpf, Known)


@pytest.mark.parametrize("discipline", ["FBA\n", "DIAG\n"])
def test_disks_that_are_not_eckd_have_neither(discipline: str) -> None:
    """Their `hpf` is the module's parameter, not the disk's."""
    disk = the_disk(eckd(hpf="0\n", discipline=discipline))
    assert isinstance(disk.hpf, Absent)
    assert isinstance(disk.channel_paths, Absent)


@pytest.mark.parametrize(("hpf", "expected"), [("1\n", True), ("0\n", False)])
def test_hpf_is_as_the_driver_says(hpf: str, *, expected: bool) -> None:
    fact = the_disk(eckd(hpf=hpf)).hpf
    assert isinstance(fact, Known)
    assert fact.value is expected


@pytest.mark.parametrize("hpf", ["", "2\n", "yes\n"])
def test_another_hpf_is_unknown(hpf: str) -> None:
    assert isinstance(the_disk(eckd(hpf=hpf)).hpf, Unknown)


@pytest.mark.parametrize(
    ("way", "adapter"), [(FCP, "0.0.3c00"), ("sys/devices/pci0000:3a/0000:3b:00.0/host0", "0000:3b:00.0")]
)
@pytest.mark.parametrize("port", ["NPIV VPORT", "NPort (fabric via point-to-point)"])
def test_a_scsi_disk_has_an_adapter_and_a_port(way: str, adapter: str, port: str) -> None:
    disk = the_disk(scsi(port, way))
    assert isinstance(disk.adapter, Known)
    assert disk.adapter.value == adapter
    assert disk.port_type == Known(port, f"/{way}/fc_host/host0/port_type")


def test_a_port_that_was_not_read_is_unknown() -> None:
    assert isinstance(the_disk(scsi(None)).port_type, Unknown)


def test_a_local_disk_has_no_port() -> None:
    made = Stack()
    made.disk("vda", "252:0")
    made.mount("252:0", "/pg", "xfs", "/dev/vda")
    disk = the_disk(made)
    for fact in (disk.adapter, disk.port_type, disk.hpf, disk.channel_paths):
        assert isinstance(fact, Absent)


@pytest.mark.parametrize("made", [eckd("80 00 00 00 30 00\n", hpf="0\n"), scsi()], ids=["dasd", "zfcp"])
def test_the_collector_says_the_same(made: Stack, tmp_path: Path) -> None:
    links = {path: "../" * path.count("/") + target.lstrip("/") for path, target in made.links.items()}
    make(tmp_path, {**made.files, "proc/self/mountinfo": made.mounts}, links)
    (storage,) = read_machine(collected(tmp_path), DATA).storage
    (recorded,), live = disks(storage), the_disk(made)
    for name in ("hpf", "channel_paths", "adapter", "port_type", "block_size"):
        assert getattr(recorded, name) == getattr(live, name), name
