"""Mainframe disks and their alias devices, as the driver lays them out under /sys (IBM: lsdasd -u)."""

from pathlib import Path

import pytest

from collected import collected
from disk_stack import DATA, Stack, disks
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk
from tunewiz.core.values.known import Absent, Known, Unknown

SERVER = "IBM.750000000TH031"
TAIL = ".00000000000075620000000000000000"
DRIVER = "sys/bus/ccw/drivers/dasd-eckd"


class Mainframe(Stack):
    """A machine with volumes and aliases."""

    def device(self, bus: str, uid: str, *, alias: bool) -> str:
        """A device of the driver; gives its folder."""
        folder = f"sys/devices/css0/0.0.{bus}/0.0.{bus}"
        self.files |= {f"{folder}/alias": f"{int(alias)}\n", f"{folder}/uid": f"{uid}\n"}
        self.links[f"{DRIVER}/0.0.{bus}"] = "/" + folder
        return folder

    def volume_of(self, name: str, number: str, bus: str, uid: str, discipline: str = "ECKD") -> None:
        """A volume with its block device."""
        folder = self.device(bus, uid, alias=False)
        self.files[f"{folder}/discipline"] = f"{discipline}\n"
        block = self.disk(name, number, way=f"css0/0.0.{bus}/0.0.{bus}/block", rotational="1")
        self.links[f"{block}/device"] = "/" + folder

    def the_disk(self) -> Disk:
        """The only one under the data."""
        (storage,) = self.storage()
        (disk,) = disks(storage)
        return disk


def one_volume(uid: str = f"{SERVER}.c280.0a{TAIL}", discipline: str = "ECKD") -> Mainframe:
    made = Mainframe()
    made.volume_of("dasda", "94:0", "c28a", uid, discipline)
    made.partition("sys/devices/css0/0.0.c28a/0.0.c28a/block/dasda", "dasda1", "94:1")
    made.mount("94:1", "/pg", "xfs", "/dev/dasda1")
    return made


def test_a_volume_without_aliases_has_its_own_device_alone() -> None:
    dasd = one_volume().the_disk().dasd
    assert isinstance(dasd, Known)
    assert dasd.value == Dasd(discipline="ECKD", control_unit="c280", aliases=0, pooled=False)
    assert dasd.how.endswith(f"block/dasda/device/uid, /{DRIVER}/*/alias")


@pytest.mark.parametrize("aliases", [1, 4, 20])
def test_pooled_aliases_of_its_control_unit_serve_a_volume(aliases: int) -> None:
    made = one_volume()
    for number in range(aliases):
        made.device(f"c2{0xE0 + number:x}", f"{SERVER}.c280.xx.{'0' * 32}", alias=True)
    dasd = made.the_disk().dasd
    assert isinstance(dasd, Known)
    assert dasd.value == Dasd(discipline="ECKD", control_unit="c280", aliases=aliases, pooled=True)


def test_pooled_aliases_of_another_control_unit_do_not() -> None:
    made = one_volume()
    made.device("d2e0", f"{SERVER}.d280.xx", alias=True)
    dasd = made.the_disk().dasd
    assert isinstance(dasd, Known)
    assert dasd.value.aliases == 0


def test_a_fixed_alias_serves_the_volume_whose_address_it_has() -> None:
    made = one_volume()
    made.device("c2e0", f"{SERVER}.c280.0a{TAIL}", alias=True)
    made.device("c2e1", f"{SERVER}.c280.0b{TAIL}", alias=True)
    dasd = made.the_disk().dasd
    assert isinstance(dasd, Known)
    assert dasd.value == Dasd(discipline="ECKD", control_unit="c280", aliases=1, pooled=False)


def test_an_alias_that_is_offline_serves_nothing() -> None:
    made = one_volume()
    made.device("c2e0", "", alias=False)
    made.device("c2e1", "", alias=True)
    dasd = made.the_disk().dasd
    assert isinstance(dasd, Known)
    assert dasd.value.aliases == 0


@pytest.mark.parametrize("discipline", ["FBA", "DIAG"])
def test_other_disciplines_have_no_aliases(discipline: str) -> None:
    dasd = one_volume(uid="", discipline=discipline).the_disk().dasd
    assert isinstance(dasd, Known)
    assert (dasd.value.discipline, dasd.value.aliases) == (discipline, 0)


@pytest.mark.parametrize(
    ("uid", "discipline"), [("", "ECKD"), ("IBM", "ECKD"), ("IBM.1.zz.0a", "ECKD"), ("", "none")]
)
def test_what_the_driver_does_not_tell_is_unknown(uid: str, discipline: str) -> None:
    assert isinstance(one_volume(uid, discipline).the_disk().dasd, Unknown)


def test_a_disk_of_another_kind_is_no_mainframe_disk() -> None:
    made = Stack()
    folder = made.disk("sda", "8:0")
    made.files[f"{folder}/device/queue_depth"] = "32\n"
    made.mount("8:0", "/pg", "xfs", "/dev/sda")
    (storage,) = made.storage()
    (disk,) = disks(storage)
    assert isinstance(disk.dasd, Absent)
    assert disk.queue_depth == Known(32, f"/{folder}/device/queue_depth")


def test_the_collector_tells_the_same_of_a_mainframe(tmp_path: Path) -> None:
    made = one_volume()
    for bus in ("c2e0", "c2e1"):
        made.device(bus, f"{SERVER}.c280.xx", alias=True)
    lparcfg = "capped=0\npartition_active_processors=4\nserial_number=7\nshared_processor_mode=1\n"
    made.files |= {
        "proc/powerpc/lparcfg": f"{lparcfg}partition_entitled_capacity=150\ncapacity_weight=64\n",
        "sys/devices/system/cpu/cpu0/polarization": "vertical:high\n",
        "proc/self/mountinfo": made.mounts,
    }
    for path, content in made.files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    for path, target in made.links.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).symlink_to("../" * path.count("/") + target.lstrip("/"))
    system = collected(tmp_path)
    (storage,) = read_machine(system, DATA).storage
    (disk,) = disks(storage)
    assert isinstance(disk.dasd, Known)
    assert disk.dasd.value == Dasd(discipline="ECKD", control_unit="c280", aliases=2, pooled=True)
    recorded = system.read_text("/proc/powerpc/lparcfg")
    assert set(recorded.split()) == set(made.files["proc/powerpc/lparcfg"].split()) - {"serial_number=7"}
    assert system.read_text("/sys/devices/system/cpu/cpu0/polarization") == "vertical:high\n"
