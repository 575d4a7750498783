"""Processors of which /proc/cpuinfo alone tells: what is counted, and what is not."""

import pytest

from odd_processors import S390, counted, cpu_of, online
from tunewiz.core.values.known import Absent, Known, Unknown


def test_s390x_lines_without_stanzas_are_processors() -> None:
    lines = (f"processor {number}: version = 00,  machine = 3931\n" for number in range(4))
    listed = f"{S390}max thread id   : 1\n{''.join(lines)}"
    cpu = cpu_of({"proc/cpuinfo": listed})
    assert (counted(cpu.online), counted(cpu.cores), counted(cpu.threads_per_core)) == (4, 2, 2)
    assert cpu.model == Known("z16 (3931)", "/proc/cpuinfo")


def test_a_list_that_was_cut_between_two_lines_of_a_processor_is_not_taken() -> None:
    stanzas = [f"processor : {n}\nphysical id : {n}\ncore id : 0\nflags : lm\n" for n in range(4)]
    whole, cut = "\n".join(stanzas), "\n".join(stanzas[:3]).removesuffix("core id : 0\nflags : lm\n")
    assert counted(cpu_of({"proc/cpuinfo": whole}).sockets) == 4
    assert isinstance(cpu_of({"proc/cpuinfo": cut}).sockets, Unknown)


def test_power_without_sysfs_has_unknown_cores() -> None:
    listed = "".join(f"processor\t: {number}\ncpu\t\t: POWER8 (raw)\n\n" for number in range(160))
    cpu = cpu_of({"proc/cpuinfo": listed})
    assert counted(cpu.online) == 160
    assert isinstance(cpu.cores, Unknown)
    assert isinstance(cpu.threads_per_core, Unknown)


def test_arm_parts_have_names_but_their_threads_are_told_by_sysfs_alone() -> None:
    listed = "".join(
        f"processor : {number}\nCPU implementer : 0x41\nCPU part : {part}\n\n"
        for number, part in enumerate(("0xd0c", "0xd49"))
    )
    cpu = cpu_of({"proc/cpuinfo": listed})
    assert cpu.vendor == Known("ARM", "/proc/cpuinfo: CPU implementer")
    assert cpu.model == Known("Neoverse-N1 + Neoverse-N2", "/proc/cpuinfo: CPU part")
    assert isinstance(cpu.cores, Unknown)


def test_an_arm_part_that_may_have_threads_has_unknown_cores_without_sysfs() -> None:
    listed = "".join(
        f"processor : {number}\nCPU implementer : 0x42\nCPU part : 0x516\n\n" for number in range(4)
    )
    assert isinstance(cpu_of({"proc/cpuinfo": listed}).cores, Unknown)


def listed(count: int, stanza: str, end: str = "") -> dict[str, str]:
    return {"proc/cpuinfo": "".join(f"processor\t: {n}\n{stanza}\n" for n in range(count)) + end}


EMULATED = "platform\t: pSeries\nmodel\t\t: IBM pSeries (emulated by qemu)\n"


def test_cores_of_a_guest_are_not_counted_where_nothing_tells_its_threads() -> None:
    cpu = cpu_of(listed(16, "cpu\t\t: POWER9 (architected)\n", EMULATED))
    assert counted(cpu.online) == 16
    assert all(isinstance(fact, Unknown) for fact in (cpu.cores, cpu.threads_per_core, cpu.sockets))
    assert cpu.books == Absent("only s390x machines have books and drawers")


@pytest.mark.parametrize(
    "end",
    ["platform\t: PowerNV\nmachine\t: PowerNV 8247-22L\n", "platform\t: pSeries\nmodel\t: IBM,8247-21L\n"],
)
def test_threads_of_power_hardware_are_never_counted_as_cores(end: str) -> None:
    cpu = cpu_of(listed(24, "cpu\t\t: POWER8 (architected)\n", end))
    assert isinstance(cpu.cores, Unknown)
    assert isinstance(cpu.threads_per_core, Unknown)


def test_nothing_is_counted_where_sysfs_was_to_tell() -> None:
    cpu = cpu_of(online("0-1"), listed(2, "cpu\t\t: POWER9 (architected)\n", EMULATED))
    assert isinstance(cpu.cores, Unknown)
