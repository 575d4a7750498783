"""Who puts idle processors to sleep and how long they take to wake up, and which one serves the devices."""

import pytest

from recorded_machines import machine
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Cpu, IdleState, Interrupts
from tunewiz.core.values.known import Absent, Known, Unknown

CPU = "sys/devices/system/cpu"
IDLE = f"{CPU}/cpu0/cpuidle"
INTEL = {f"{CPU}/cpuidle/current_driver": "intel_idle\n"}


def state(number: int, name: str, latency: int, disable: int = 0) -> dict[str, str]:
    folder = f"{IDLE}/state{number}"
    return {
        f"{folder}/name": f"{name}\n",
        f"{folder}/latency": f"{latency}\n",
        f"{folder}/disable": f"{disable}\n",
    }


THREE = {**INTEL, **state(0, "POLL", 0), **state(1, "C1E", 10), **state(2, "C6", 133)}


def cpu_of(*parts: dict[str, str]) -> Cpu:
    return read_machine(machine({path: content for part in parts for path, content in part.items()})).cpu


def test_the_deepest_state_is_the_one_that_takes_longest_to_leave() -> None:
    cpu = cpu_of(THREE)
    assert cpu.idle_driver == Known("intel_idle", f"/{CPU}/cpuidle/current_driver")
    assert cpu.deepest_idle == Known(IdleState(name="C6", wakes_after=133), f"/{IDLE}/state2/latency")


def test_a_state_that_is_switched_off_does_not_count() -> None:
    deepest_idle = cpu_of(THREE, state(2, "C6", 133, disable=1)).deepest_idle
    assert deepest_idle == Known(IdleState(name="C1E", wakes_after=10), f"/{IDLE}/state1/latency")
    none = cpu_of(INTEL, state(0, "POLL", 0, disable=1)).deepest_idle
    assert none == Absent(f"no state is on: /{IDLE}")


def test_a_machine_whose_hypervisor_idles_has_no_states() -> None:
    cpu = cpu_of({f"{CPU}/cpuidle/current_driver": "none\n"})
    assert cpu.idle_driver == Absent(f"no driver: /{CPU}/cpuidle/current_driver")
    assert isinstance(cpu.deepest_idle, Absent)
    assert isinstance(cpu_of({f"{CPU}/online": "0-3\n"}).idle_driver, Absent)


def test_what_was_not_read_of_one_state_may_have_been_the_deepest() -> None:
    for name, content in (("latency", "soon\n"), ("latency", "-3\n"), ("name", "\x1b[2J\n"), ("disable", "")):
        assert isinstance(cpu_of(THREE, {f"{IDLE}/state2/{name}": content}).deepest_idle, Unknown)


TABLE = """\
           CPU0       CPU1       CPU2       CPU3
  0:         12          0          0          0  IR-IO-APIC    2-edge      timer
 24:     900000         10         10         10  PCI-MSI 524288-edge      eth0
 25:      50000      50000          0          0  PCI-MSI 1048576-edge      nvme0q0
 30:    9000000    9000000    9000000    9000000  XIVE-IPI   0 Edge      IPI-0
NMI:          0          0          0          0   Non-maskable interrupts
LOC:    5000000    5000000    5000000    5000000   Local timer interrupts
"""


def interrupts(table: str) -> object:
    return cpu_of({"proc/interrupts": table}).interrupts


def test_only_interrupts_of_devices_are_counted() -> None:
    expected = Interrupts(total=1_000_030, busiest=0, share=0.95)
    assert interrupts(TABLE) == Known(expected, "/proc/interrupts")


def test_the_busiest_is_called_by_its_number_where_some_are_off() -> None:
    table = "           CPU0       CPU8\n 24:   1   3  XICS 4099 Level  lpfc\n"
    assert interrupts(table) == Known(Interrupts(total=4, busiest=8, share=0.75), "/proc/interrupts")


def test_a_machine_that_numbers_none_has_none() -> None:
    table = "           CPU0       CPU1\nEXT:   1   3\nI/O:   5   6\n"
    assert interrupts(table) == Absent("there are no numbered device interrupts: /proc/interrupts")


@pytest.mark.parametrize("table", ["", "\n", "nothing of the kind\n", "CPU0 CPU1"])
def test_a_table_of_another_form_is_unknown(table: str) -> None:
    assert isinstance(interrupts(table), Unknown)


@pytest.mark.parametrize("row", [" 24:   1\n", " 24: -1 5 PCI\n", " 24: x 5 PCI\n", "24 1 2\n"])
def test_a_damaged_row_is_left_out(row: str) -> None:
    assert interrupts(f"  CPU0 CPU1\n{row} 25: 1 1 PCI eth0\n") == Known(
        Interrupts(total=2, busiest=0, share=0.5), "/proc/interrupts"
    )
