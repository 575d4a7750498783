"""Processors of odd machines: what is counted, and what is not known."""

import pytest

from odd_processors import CPU, S390, X86, counted, cpu_of, online, paired, topology
from recorded_machines import machine
from tunewiz.collect import file_values
from tunewiz.collect.machine import read_machine
from tunewiz.core.values.known import Absent, Known, Unknown


def test_an_offline_thread_is_not_counted_and_its_core_stays() -> None:
    cpu = cpu_of(online("0-2"), paired(range(4)))
    assert (counted(cpu.online), counted(cpu.cores), counted(cpu.threads_per_core)) == (3, 2, 2)


def test_a_core_whose_threads_are_all_offline_is_not_counted() -> None:
    cpu = cpu_of(online("0-1"), paired(range(4)))
    assert (counted(cpu.online), counted(cpu.cores)) == (2, 1)


def test_sysfs_wins_over_a_cpuinfo_that_still_lists_removed_processors() -> None:
    listed = "".join(f"processor\t: {number}\nsiblings\t: 8\nflags\t\t: lm\n\n" for number in range(8))
    assert counted(cpu_of(online("0-3"), paired(range(4)), {"proc/cpuinfo": listed}).online) == 4


def test_without_a_list_the_folders_of_processors_tell_who_is_online() -> None:
    offline = {f"{CPU}/cpu3/online": "0\n", f"{CPU}/cpu2/online": "1\n"}
    cpu = cpu_of(paired(range(3)), offline)
    assert cpu.online == Known(3, "/sys/devices/system/cpu/cpu*/online")


def test_without_sysfs_the_accounted_processors_are_online() -> None:
    cpu = cpu_of({"proc/stat": "cpu  1 2\ncpu0 1 2\ncpu2 1 2\nintr 5\n"})
    assert cpu.online == Known(2, "/proc/stat")


def test_hybrid_cores_have_one_or_two_threads() -> None:
    small = [topology(number, thread_siblings_list=number, physical_package_id=0) for number in (2, 3)]
    cpu = cpu_of(online("0-3"), paired(range(2)), *small)
    assert (counted(cpu.cores), counted(cpu.threads_per_core)) == (3, 2)
    assert cpu.smt == Known("on", "/sys/devices/system/cpu/cpu*/topology/thread_siblings_list")


def test_core_ids_that_repeat_in_every_socket_are_different_cores() -> None:
    parts = [topology(number, core_id=number % 2, physical_package_id=number // 2) for number in range(4)]
    cpu = cpu_of(online("0-3"), X86, *parts)
    assert (counted(cpu.cores), counted(cpu.sockets), counted(cpu.threads_per_core)) == (4, 2, 1)


def test_core_ids_that_repeat_in_the_nodes_of_one_socket_are_different_cores() -> None:
    parts = [topology(number, core_id=number % 2, physical_package_id=0) for number in range(4)]
    nodes = {
        "sys/devices/system/node/node0/cpulist": "0-1\n",
        "sys/devices/system/node/node1/cpulist": "2-3\n",
    }
    assert counted(cpu_of(online("0-3"), nodes, *parts).cores) == 4


def test_a_package_number_of_minus_one_is_not_taken_for_a_socket() -> None:
    parts = [
        topology(number, thread_siblings_list=number, physical_package_id=-1, core_siblings_list="0-1")
        for number in range(2)
    ]
    assert cpu_of(online("0-1"), *parts).sockets == Known(
        1, "/sys/devices/system/cpu/cpu*/topology/core_siblings_list"
    )


def test_power_with_smt_off_shows_the_threads_that_its_cores_have() -> None:
    parts = [topology(number, thread_siblings_list=number, physical_package_id=0) for number in (0, 8, 16)]
    listed = {"proc/cpuinfo": "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n\n"}
    cpu = cpu_of(online("0,8,16"), {f"{CPU}/present": "0-23\n"}, listed, *parts)
    assert (counted(cpu.online), counted(cpu.cores), counted(cpu.threads_per_core)) == (3, 3, 8)
    assert isinstance(cpu.smt, Known)
    assert cpu.smt.value == "off"


POWER9 = {"proc/cpuinfo": "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n\n"}


@pytest.mark.parametrize(
    ("smt", "listed", "groups"),
    [
        (8, "0-15", ("0-7", "8-15")),
        (4, "0-3,8-11", ("0-3", "8-11")),
        (2, "0-1,8-9", ("0-1", "8-9")),
    ],
)
def test_power_in_every_mode_of_threads_has_the_same_cores(
    smt: int, listed: str, groups: tuple[str, str]
) -> None:
    up = sorted(file_values.as_list(listed) or ())
    parts = [
        topology(number, thread_siblings_list=groups[number // 8], physical_package_id=0) for number in up
    ]
    cpu = cpu_of(online(listed), {f"{CPU}/present": "0-15\n"}, POWER9, *parts)
    assert (counted(cpu.cores), counted(cpu.threads_per_core), counted(cpu.offline)) == (2, smt, 16 - 2 * smt)


def test_a_container_that_is_shown_two_processors_has_two_though_their_siblings_are_hidden() -> None:
    cpu = cpu_of(online("2-3"), paired((2, 3)), {"proc/stat": "cpu  1 2 3 4 5 6 7 8 9 0\ncpu0 1\ncpu1 1\n"})
    assert (counted(cpu.online), counted(cpu.cores)) == (2, 1)
    whole = cpu_of(online("1,6"), paired(range(8)))
    assert (counted(whole.online), counted(whole.cores), counted(whole.threads_per_core)) == (2, 2, 1)


def test_another_architecture_with_even_numbers_is_not_taken_for_smt_off() -> None:
    parts = [topology(number, thread_siblings_list=number, physical_package_id=0) for number in (0, 2)]
    cpu = cpu_of(online("0,2"), {f"{CPU}/present": "0-3\n"}, X86, *parts)
    assert counted(cpu.threads_per_core) == 1


def test_books_and_drawers_are_counted_by_their_numbers_which_need_not_begin_at_0() -> None:
    parts = [
        topology(number, thread_siblings_list=number, physical_package_id=number % 2, book_id=1 + number // 4,
                 drawer_id=4) for number in range(8)
    ]  # fmt: skip
    cpu = cpu_of(online("0-7"), {"proc/cpuinfo": S390, "proc/sysinfo": "LPAR Number: 4\n"}, *parts)
    assert (counted(cpu.sockets), counted(cpu.books), counted(cpu.drawers)) == (4, 2, 1)


@pytest.mark.parametrize("count", [1, 3])
def test_a_guest_where_each_processor_is_its_own_book_shows_no_topology(count: int) -> None:
    parts = [
        topology(number, thread_siblings_list=number, physical_package_id=number, book_id=number)
        for number in range(count)
    ]
    guest = {"proc/cpuinfo": S390, "proc/sysinfo": "VM00 Control Program: z/VM 7.2.0\nLPAR CPUs Total: 16\n"}
    cpu = cpu_of(online(f"0-{count - 1}"), guest, *parts)
    assert counted(cpu.cores) == count
    assert isinstance(cpu.sockets, Unknown)
    assert isinstance(cpu.books, Unknown)
    assert isinstance(cpu.drawers, Unknown)


def test_other_architectures_have_no_books() -> None:
    assert isinstance(cpu_of(online("0-1"), paired(range(2)), X86).books, Absent)
    assert isinstance(cpu_of(online("0-1"), {"proc/sys/kernel/arch": "aarch64\n"}).drawers, Absent)


def test_a_machine_of_which_nothing_says_what_it_is_may_have_books_and_threads() -> None:
    parts = [topology(number, thread_siblings_list=number, physical_package_id=0) for number in (0, 8)]
    cpu = cpu_of(online("0,8"), *parts)
    assert isinstance(cpu.books, Unknown)
    assert isinstance(cpu.threads_per_core, Unknown)


def test_a_nodes_possible_processors_are_not_counted_as_online() -> None:
    node = {
        "sys/devices/system/node/node0/cpulist": "0-140\n",
        "sys/devices/system/node/node1/cpulist": "141-200\n",
    }
    sizes = {
        "sys/devices/system/node/node0/meminfo": "Node 0 MemTotal: 100 kB\n",
        "sys/devices/system/node/node1/meminfo": "Node 1 MemTotal: 0 kB\n",
    }
    assert counted(cpu_of(online("0-7"), node, sizes).numa_nodes) == 1


def test_a_node_with_memory_and_without_processors_counts() -> None:
    files = {
        "sys/devices/system/node/node0/cpulist": "0-1\n",
        "sys/devices/system/node/node0/meminfo": "Node 0 MemTotal: 0 kB\n",
        "sys/devices/system/node/node250/cpulist": "\n",
        "sys/devices/system/node/node250/meminfo": "Node 250 MemTotal: 1024 kB\n",
    }
    assert counted(cpu_of(online("0-1"), files).numa_nodes) == 2


def test_a_kernel_without_numa_is_one_node() -> None:
    cpu = cpu_of(online("0-1"))
    assert cpu.numa_nodes == Known(1, "no /sys/devices/system/node: one node")


def test_a_capture_without_nodes_of_a_kernel_with_numa_is_unknown() -> None:
    assert isinstance(cpu_of(online("0-1"), {"proc/vmstat": "numa_hit 5\n"}).numa_nodes, Unknown)


def test_siblings_that_the_first_processor_lost_are_not_replaced_by_ids() -> None:
    parts = [topology(number, core_cpus_list=number, core_id=0, physical_package_id=0) for number in range(3)]
    parts[0].pop(f"{CPU}/cpu0/topology/core_cpus_list")
    assert isinstance(cpu_of(online("0-2"), *parts).cores, Unknown)


@pytest.mark.parametrize(
    ("control", "word"),
    [("on", "on"), ("off", "off"), ("forceoff", "off"), ("notsupported", "unsupported"), ("4", "on")],
)
def test_the_kernels_word_for_smt_is_taken(control: str, word: str) -> None:
    cpu = cpu_of(online("0-1"), {f"{CPU}/smt/control": f"{control}\n"})
    assert cpu.smt == Known(word, "/sys/devices/system/cpu/smt/control")


def test_a_strange_word_for_smt_is_not_taken() -> None:
    assert isinstance(cpu_of(online("0-1"), {f"{CPU}/smt/control": "notsup\n"}).smt, Unknown)


def test_nothing_readable_makes_everything_unknown() -> None:
    cpu = read_machine(machine({})).cpu
    for fact in (
        cpu.vendor,
        cpu.model,
        cpu.online,
        cpu.cores,
        cpu.sockets,
        cpu.numa_nodes,
        cpu.caches,
        cpu.smt,
    ):
        assert isinstance(fact, Unknown)
