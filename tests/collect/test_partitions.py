"""Logical partitions of IBM Z and Power, and how their processors are dispatched: files of real machines.

Excerpts of /proc/sysinfo: util-linux (z13 partition), virt-what (z10 under z/VM); of lparcfg: virt-what
(POWER8 with shared processors). What those lack is made up by the kernel's source or lparcfg(5).
"""

import pytest

from recorded_machines import OURS, machine, recorded
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.partition import Partition, Polarization
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

CPU = "sys/devices/system/cpu"
Z_CPUS = "vendor_id       : IBM/S390\nprocessor 0: version = FF,  machine = 2964\n"
POWER_CPUS = """processor : 0
cpu : POWER8 (architected), altivec supported

platform : pSeries
model : IBM,8247-21L
machine : CHRP IBM,8247-21L
"""
Z13 = """Manufacturer:         IBM
LPAR Number:          71
LPAR Characteristics: Shared
LPAR Name:            S35LP67
LPAR CPUs Total:      8
LPAR CPUs Configured: 8
LPAR CPUs Dedicated:  0
LPAR CPUs Shared:     8
"""
UNDER_ZVM = """LPAR Number:          21
LPAR Characteristics: Shared
LPAR CPUs Configured: 4

VM00 Name:            DEVEL1
VM00 Control Program: z/VM    5.3.0
VM00 CPUs Configured: 2
"""
POWER8 = """lparcfg 1.9
serial_number=IBM,0210
partition_id=5
partition_entitled_capacity=10
pool_num_procs=10
capacity_weight=128
capped=0
partition_active_processors=1
shared_processor_mode=1
"""
SHARED = Partition(shared=True, capped=False, processors=8, entitled=None, weight=None, potential=8)


def facts(files: dict[str, str]) -> Facts:
    return read_machine(machine(files))


def partition(files: dict[str, str]) -> MaybeFact[Partition]:
    return facts(files).virtualization.partition


def value(fact: MaybeFact[Partition]) -> Partition | None:
    return fact.value if isinstance(fact, Known) else None


def of_power(**changed: str) -> MaybeFact[Partition]:
    lines = [line for line in POWER8.splitlines() if line.partition("=")[0] not in changed]
    lines += [f"{key}={text}" for key, text in changed.items() if text]
    return partition({"proc/cpuinfo": POWER_CPUS, "proc/powerpc/lparcfg": "\n".join(lines) + "\n"})


def test_a_z_partition_tells_that_its_processors_are_shared() -> None:
    assert partition({"proc/sysinfo": Z13}) == Known(SHARED, "/proc/sysinfo: LPAR Characteristics")


def test_a_limited_partition_is_capped() -> None:
    limited = value(partition({"proc/sysinfo": Z13.replace("Shared\n", "Shared Limited\n", 1)}))
    assert limited is not None
    assert (limited.shared, limited.capped) == (True, True)


def test_dedicated_processors_are_told() -> None:
    dedicated = value(partition({"proc/sysinfo": Z13.replace("Shared\n", "Dedicated\n", 1)}))
    assert dedicated is not None
    assert not dedicated.shared


def test_under_zvm_it_is_the_partition_that_zvm_runs_in() -> None:
    under = value(partition({"proc/sysinfo": UNDER_ZVM}))
    assert under is not None
    assert (under.shared, under.processors) == (True, 4)


@pytest.mark.parametrize(
    "content",
    [
        Z13.replace("LPAR Characteristics: Shared\n", ""),
        Z13.replace("LPAR CPUs Configured: 8\n", ""),
        Z13.replace("LPAR CPUs Configured: 8", "LPAR CPUs Configured: many"),
    ],
)
def test_what_sysinfo_lacks_is_not_made_up(content: str) -> None:
    assert isinstance(partition({"proc/sysinfo": content}), Unknown)


def test_the_partition_that_qemu_makes_up_is_none() -> None:
    path = OURS / "qemu-s390x-kvm-cgroup.json"
    assert isinstance(read_machine(recorded(path)).virtualization.partition, Absent)


def test_power_tells_what_is_guaranteed_in_processors() -> None:
    assert value(of_power()) == Partition(
        shared=True, capped=False, processors=1, entitled=0.1, weight=128, potential=None, pool=10
    )


def test_power_tells_how_many_processors_may_be_added() -> None:
    more = value(of_power(partition_potential_processors="16"))
    assert more is not None
    assert more.potential == 16


def test_a_partition_with_dedicated_processors_is_in_no_pool() -> None:
    dedicated = value(of_power(shared_processor_mode="0"))
    assert dedicated is not None
    assert dedicated.pool is None


def test_a_capped_partition_of_power_has_no_more_than_that() -> None:
    capped = value(of_power(capped="1", partition_entitled_capacity="250", partition_active_processors="8"))
    assert capped is not None
    assert (capped.capped, capped.entitled, capped.processors) == (True, 2.5, 8)


def test_dedicated_processors_of_power_are_not_called_capped() -> None:
    dedicated = value(of_power(shared_processor_mode="0", capped="1"))
    assert dedicated is not None
    assert (dedicated.shared, dedicated.capped, dedicated.weight) == (False, False, None)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("shared_processor_mode", ""),
        ("shared_processor_mode", "2"),
        ("capped", "yes"),
        ("partition_active_processors", "0"),
        ("partition_active_processors", "-4"),
        ("partition_entitled_capacity", "x"),
    ],
)
def test_what_lparcfg_does_not_tell_is_not_made_up(key: str, text: str) -> None:
    assert isinstance(of_power(**{key: text}), Unknown)


def test_other_machines_are_no_partition() -> None:
    metal = {"proc/cpuinfo": "processor : 0\nflags : fpu\nbugs :\n", "sys/class/dmi/id/product_name": "X1\n"}
    metal["sys/class/dmi/id/sys_vendor"] = "Maker\n"
    assert isinstance(partition(metal), Absent)


def polarized(*kinds: str) -> dict[str, str]:
    files = {f"{CPU}/cpu{cpu}/polarization": f"{kind}\n" for cpu, kind in enumerate(kinds)}
    return {**files, "proc/cpuinfo": Z_CPUS, f"{CPU}/online": f"0-{len(kinds) - 1}\n"}


def test_vertical_processors_are_counted_by_kind() -> None:
    high, medium, low = "vertical:high", "vertical:medium", "vertical:low"
    cpu = facts(polarized(high, high, medium, low, low, low)).cpu
    assert isinstance(cpu.polarization, Known)
    assert cpu.polarization.value == Polarization(high=2, medium=1, low=3)


def test_horizontal_processors_have_no_kinds() -> None:
    assert isinstance(facts(polarized("horizontal", "horizontal")).cpu.polarization, Absent)


@pytest.mark.parametrize("other", ["unknown", "horizontal", ""])
def test_kinds_that_do_not_agree_are_unknown(other: str) -> None:
    assert isinstance(facts(polarized("vertical:high", other)).cpu.polarization, Unknown)


def test_an_offline_processor_does_not_count() -> None:
    files = polarized("vertical:high", "vertical:low") | {f"{CPU}/online": "0\n"}
    cpu = facts(files).cpu
    assert isinstance(cpu.polarization, Known)
    assert cpu.polarization.value == Polarization(high=1, medium=0, low=0)


def test_other_architectures_have_no_polarization() -> None:
    assert isinstance(facts({"proc/cpuinfo": POWER_CPUS, f"{CPU}/online": "0\n"}).cpu.polarization, Absent)
