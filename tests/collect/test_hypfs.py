"""What PR/SM counted for a partition of IBM Z: made-up files, as IBM's device driver book has them."""

from pathlib import Path

import pytest

from collected import collected, make
from recorded_machines import OURS, machine, recorded
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.partition import ProcessorTime
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

HYPFS = "sys/hypervisor/s390"
SYSINFO = "LPAR Number:          71\nLPAR Name:            S35LP67 \n"
UNDER_ZVM = f"{SYSINFO}VM00 Name:            DEVEL1\nVM00 Control Program: z/VM    7.3.0\n"
NAMES = ("cputime", "mgmtime", "onlinetime")


def core(partition: str, number: int, *times: object) -> dict[str, str]:
    folder = f"{HYPFS}/systems/{partition}/cpus/{number}"
    return {f"{folder}/{name}": f"{time}\n" for name, time in zip(NAMES, times, strict=False)}


MOUNTED = {
    "proc/sysinfo": SYSINFO,
    f"{HYPFS}/hyp/type": "LPAR Hypervisor\n",
    **core("S35LP67", 0, 4_000, 50, 10_000),
    **core("S35LP67", 1, 2_000, 150, 10_000),
    **core("OTHER", 0, 9_000_000, 9_000, 10_000_000),
}
OWN = ProcessorTime(used=6_000, managed=200, online=20_000)


def read(files: dict[str, str]) -> MaybeFact[ProcessorTime]:
    return read_machine(machine(files)).virtualization.firmware_time


def test_the_cores_of_this_partition_are_summed_and_no_others() -> None:
    assert read(MOUNTED) == Known(OWN, f"/{HYPFS}/systems/*/cpus")


def test_the_name_of_the_partition_is_not_kept() -> None:
    assert "S35LP67" not in repr(read(MOUNTED))


def test_a_machine_that_counts_no_time_online_tells_the_rest() -> None:
    files = {path: content for path, content in MOUNTED.items() if not path.endswith("onlinetime")}
    fact = read(files)
    assert isinstance(fact, Known)
    assert (fact.value.used, fact.value.managed, fact.value.online) == (6_000, 200, None)


def test_where_nobody_mounted_it_there_is_none() -> None:
    assert isinstance(read({"proc/sysinfo": SYSINFO}), Absent)


def test_a_capture_without_it_says_that_it_is_not_known() -> None:
    fact = read_machine(recorded(OURS / "qemu-ppc64le-p10-offline.json")).virtualization.firmware_time
    assert not isinstance(fact, Known)


@pytest.mark.parametrize(
    "changed",
    [
        {f"{HYPFS}/hyp/type": "z/VM Hypervisor\n"},
        {"proc/sysinfo": "LPAR Number: 71\nLPAR Name: ../OTHER\n"},
        {"proc/sysinfo": "LPAR Number: 71\n"},
        {"proc/sysinfo": "LPAR Number: 71\nLPAR Name: GONE\n"},
        {f"{HYPFS}/systems/S35LP67/cpus/1/mgmtime": "many\n"},
        {f"{HYPFS}/systems/S35LP67/cpus/0/cputime": "-1\n"},
    ],
)
def test_what_it_does_not_tell_is_not_made_up(changed: dict[str, str]) -> None:
    assert isinstance(read(MOUNTED | changed), Unknown)


def test_a_guest_of_zvm_has_no_time_of_the_firmware() -> None:
    assert isinstance(read(MOUNTED | {"proc/sysinfo": UNDER_ZVM}), Absent)


def test_other_machines_have_none() -> None:
    metal = {"proc/cpuinfo": "processor : 0\nflags : fpu\nbugs :\n", "sys/class/dmi/id/product_name": "X1\n"}
    assert isinstance(read({**metal, "sys/class/dmi/id/sys_vendor": "Maker\n"}), Absent)


def test_the_collector_tells_the_same_and_nothing_of_other_partitions(tmp_path: Path) -> None:
    system = collected(make(tmp_path, dict(MOUNTED)))
    assert read_machine(system).virtualization.firmware_time == Known(OWN, f"/{HYPFS}/systems/*/cpus")
    assert not system.exists(f"/{HYPFS}/systems/OTHER")
