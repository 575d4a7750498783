"""Processors that are off, of several kinds, lent by a hypervisor: what is said of them, and what is not."""

import pytest

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import CoreKind, Cpu
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

CPU = "sys/devices/system/cpu"
S390 = "vendor_id       : IBM/S390\nprocessor 0: version = FF,  machine = 8561\n"
FOUR = {f"{CPU}/online": "0-3\n"}


def cpu_of(*parts: dict[str, str]) -> Cpu:
    return read_machine(machine({path: content for part in parts for path, content in part.items()})).cpu


def value(fact: MaybeFact[object]) -> object:
    return fact.value if isinstance(fact, Known) else None


@pytest.mark.parametrize(
    ("online", "present", "offline"),
    [("0-3", "0-3", 0), ("0-3", "0-7", 4), ("0,8,16", "0-23", 21), ("0,2-3", "0-3,96", 2)],
)
def test_processors_that_are_there_and_off_are_counted(online: str, present: str, offline: int) -> None:
    cpu = cpu_of({f"{CPU}/online": f"{online}\n", f"{CPU}/present": f"{present}\n"})
    assert cpu.offline == Known(offline, "/sys/devices/system/cpu/present")


def test_possible_processors_that_are_not_there_are_not_off() -> None:
    files = {f"{CPU}/online": "0-3\n", f"{CPU}/present": "0-3\n", f"{CPU}/possible": "0-255\n"}
    assert value(cpu_of(files).offline) == 0


def test_a_list_of_those_present_that_lacks_some_online_is_not_believed() -> None:
    assert isinstance(cpu_of({f"{CPU}/online": "0-3\n", f"{CPU}/present": ""}).offline, Unknown)


def test_folders_of_processors_do_not_tell_which_are_there() -> None:
    folders = {f"{CPU}/cpu{number}/online": f"{number % 2}\n" for number in range(1, 6)}
    assert isinstance(cpu_of({f"{CPU}/online": "1,3,5\n"}, folders).offline, Unknown)


def test_without_a_list_the_processors_that_are_off_are_unknown() -> None:
    assert isinstance(cpu_of({"proc/cpuinfo": S390}).offline, Unknown)


def test_intels_two_kinds_of_cores_are_told_apart() -> None:
    cpu = cpu_of(
        {f"{CPU}/online": "0-7\n", "sys/devices/cpu_core/cpus": "0-3\n", "sys/devices/cpu_atom/cpus": "4-9\n"}
    )
    assert cpu.kinds == Known(
        (CoreKind(name="core", online=4), CoreKind(name="atom", online=4)), "/sys/devices/cpu_*/cpus"
    )


def parts(*numbers: str) -> dict[str, str]:
    stanzas = (
        f"processor : {place}\nCPU implementer : 0x41\nCPU part : {number}\n\n"
        for place, number in enumerate(numbers)
    )
    return {"proc/cpuinfo": "".join(stanzas)}


def test_arms_different_parts_are_different_kinds() -> None:
    cpu = cpu_of(FOUR, parts("0xd46", "0xd46", "0xd47", "0xd48"))
    assert isinstance(cpu.kinds, Known)
    assert [(kind.name, kind.online) for kind in cpu.kinds.value] == [
        ("Cortex-A510", 2),
        ("Cortex-A710", 1),
        ("Cortex-X2", 1),
    ]


def rated(*rates: int) -> dict[str, str]:
    return {f"{CPU}/cpu{cpu}/acpi_cppc/nominal_perf": f"{rate}\n" for cpu, rate in enumerate(rates)}


def test_cores_that_firmware_rates_differently_are_different_kinds() -> None:
    kinds = cpu_of(FOUR, rated(19, 24, 24, 24)).kinds
    assert kinds == Known(
        (CoreKind(name="performance 24", online=3), CoreKind(name="performance 19", online=1)),
        "/sys/devices/system/cpu/cpu*/acpi_cppc/nominal_perf",
    )
    assert isinstance(cpu_of(FOUR, rated(24, 24, 24, 24)).kinds, Absent)
    assert isinstance(cpu_of(FOUR, rated(24, 24, 24)).kinds, Unknown)


@pytest.mark.parametrize("listed", [parts("0xd0c", "0xd0c", "0xd0c", "0xd0c"), parts("0xd0c", "0xd46")])
def test_equal_cores_and_cores_that_are_not_all_told_have_no_kinds(listed: dict[str, str]) -> None:
    assert isinstance(cpu_of(FOUR, listed).kinds, Absent)


@pytest.mark.parametrize(
    ("content", "mode"), [("0\n", "horizontal"), ("1\n", "vertical"), ("2\n", None), ("", None)]
)
def test_the_dispatching_of_s390x_has_a_name(content: str, mode: str | None) -> None:
    cpu = cpu_of({"proc/cpuinfo": S390, f"{CPU}/dispatching": content})
    assert value(cpu.dispatching) == mode
    assert not isinstance(cpu.dispatching, Absent)


def test_other_machines_are_not_dispatched() -> None:
    assert isinstance(cpu_of(FOUR, parts("0xd0c")).dispatching, Absent)


def test_whether_a_machine_is_dispatched_is_not_known_where_nothing_says_what_it_is() -> None:
    assert isinstance(cpu_of(FOUR).dispatching, Unknown)


def test_stolen_time_is_a_share_of_all_time() -> None:
    cpu = cpu_of({"proc/stat": "cpu  400 0 200 300 50 0 25 25 100 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n"})
    assert cpu.steal == Known(0.025, "/proc/stat")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "cpu  1 2 3\n",
        "cpu  4 0 2 3 5 0 2 2",
        "cpu0 4 0 2 3 5 0 2 25 1 0\n",
        "cpu  4 0 2 3 x 0 2 25 1 0\n",
    ],
)
def test_a_line_of_times_that_is_cut_or_another_gives_no_share(content: str) -> None:
    assert isinstance(cpu_of({"proc/stat": content}).steal, Unknown)


def test_a_machine_that_has_just_begun_has_lost_nothing() -> None:
    assert value(cpu_of({"proc/stat": f"cpu {' 0' * 10}\n"}).steal) == 0.0


def test_who_chooses_the_frequency_is_read_from_the_first_processor() -> None:
    first = f"{CPU}/cpu0/cpufreq"
    cpu = cpu_of(
        FOUR, {f"{first}/scaling_governor": "powersave\n", f"{first}/scaling_driver": "acpi-cpufreq\n"}
    )
    assert (value(cpu.governor), value(cpu.frequency_driver)) == ("powersave", "acpi-cpufreq")


def test_a_kernel_that_does_not_choose_the_frequency_is_told_from_one_that_was_not_captured() -> None:
    assert isinstance(cpu_of(FOUR, {f"{CPU}/cpu0/online": "1\n"}).governor, Absent)
    assert isinstance(cpu_of(FOUR).governor, Unknown)


@pytest.mark.parametrize("content", ["", "power save\n", "x" * 4000, "\x1b[2J\n"])
def test_a_governor_without_a_name_is_not_known(content: str) -> None:
    assert isinstance(cpu_of(FOUR, {f"{CPU}/cpu0/cpufreq/scaling_governor": content}).governor, Unknown)
