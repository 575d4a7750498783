"""Processors of odd machines: what is counted, and what is not known."""

from collections.abc import Iterable, Mapping

import pytest

from recorded_machines import machine
from tunewiz.core.facts_machine import Cache, Cpu
from tunewiz.core.known import Absent, Known, Unknown
from tunewiz.core.units import KIB, MIB, Bytes
from tunewiz.facts import reading
from tunewiz.facts.collect import read_machine

CPU = "sys/devices/system/cpu"
X86 = {"proc/cpuinfo": "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: lm\n\n"}
S390 = "vendor_id       : IBM/S390\n"


def topology(cpu: int, **files: object) -> dict[str, str]:
    return {f"{CPU}/cpu{cpu}/topology/{name}": f"{content}\n" for name, content in files.items()}


def cache(cpu: int, index: int, **files: object) -> dict[str, str]:
    return {f"{CPU}/cpu{cpu}/cache/index{index}/{name}": f"{content}\n" for name, content in files.items()}


def cpu_of(*parts: Mapping[str, str]) -> Cpu:
    files = {path: content for part in parts for path, content in part.items()}
    return read_machine(machine(files)).cpu


def online(listed: str) -> dict[str, str]:
    return {f"{CPU}/online": f"{listed}\n"}


def paired(cpus: Iterable[int]) -> dict[str, str]:
    """Cores of two threads each, 0-1, 2-3 and so on, on one socket."""
    files = dict[str, str]()
    for cpu in cpus:
        files |= topology(
            cpu,
            thread_siblings_list=f"{cpu // 2 * 2}-{cpu // 2 * 2 + 1}",
            physical_package_id=0,
            core_id=cpu // 2,
        )
    return files


def counted(fact: Known[int] | Absent | Unknown) -> int | None:
    return fact.value if isinstance(fact, Known) else None


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
    cpu = cpu_of(online("0-3"), *parts)
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
    up = sorted(reading.as_list(listed) or ())
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


def test_arm_parts_have_names_and_their_threads_are_known() -> None:
    listed = "".join(
        f"processor : {number}\nCPU implementer : 0x41\nCPU part : {part}\n\n"
        for number, part in enumerate(("0xd0c", "0xd49"))
    )
    cpu = cpu_of({"proc/cpuinfo": listed})
    assert cpu.vendor == Known("ARM", "/proc/cpuinfo: CPU implementer")
    assert cpu.model == Known("Neoverse-N1 + Neoverse-N2", "/proc/cpuinfo: CPU part")
    assert counted(cpu.cores) == 2


def test_an_arm_part_that_may_have_threads_has_unknown_cores_without_sysfs() -> None:
    listed = "".join(
        f"processor : {number}\nCPU implementer : 0x42\nCPU part : 0x516\n\n" for number in range(4)
    )
    assert isinstance(cpu_of({"proc/cpuinfo": listed}).cores, Unknown)


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


def test_a_shared_cache_is_counted_once_and_its_kinds_are_kept_apart() -> None:
    parts = [
        {
            **cache(number, 0, level=1, type="Data", size="32K", shared_cpu_list=number),
            **cache(number, 1, level=3, type="Unified", size="16M", shared_cpu_list="0-3"),
        }
        for number in range(4)
    ]
    found = cpu_of(online("0-3"), *parts).caches
    assert isinstance(found, Known)
    assert found.value == (
        Cache(level=1, type="data", size=Bytes(32 * KIB), instances=4, shared_by=1),
        Cache(level=3, type="unified", size=Bytes(16 * MIB), instances=1, shared_by=4),
    )


def test_an_offline_processor_does_not_add_to_a_caches_sharing() -> None:
    found = cpu_of(online("0-1"), cache(0, 0, level=2, type="Unified", shared_cpu_map="0f")).caches
    assert isinstance(found, Known)
    assert found.value[0].shared_by == 2


def test_s390x_tells_caches_in_cpuinfo_and_not_how_many_share_the_outer_ones() -> None:
    listed = (
        S390
        + "cache0          : level=1 type=Data scope=Private size=128K line_size=256 associativity=8\n"
        + "cache5          : level=4 type=Unified scope=Shared size=688128K line_size=256 associativity=42\n"
        + "processor 0: version = 00,  identification = FFFFFF,  machine = 3906\n"
    )
    found = cpu_of({"proc/cpuinfo": listed}).caches
    assert isinstance(found, Known)
    assert found.value == (
        Cache(level=1, type="data", size=Bytes(128 * KIB), instances=1, shared_by=None),
        Cache(level=4, type="unified", size=Bytes(672 * MIB), instances=None, shared_by=None),
    )


@pytest.mark.parametrize("lost", ["level", "type"])
def test_a_cache_of_which_level_or_type_is_lost_makes_the_list_unknown(lost: str) -> None:
    files = cache(0, 0, level=1, type="Data", shared_cpu_list=0) | cache(
        0, 1, level=2, type="Unified", size="1M"
    )
    files.pop(f"{CPU}/cpu0/cache/index1/{lost}")
    assert isinstance(cpu_of(online("0"), files).caches, Unknown)


def test_a_cache_of_which_only_the_level_was_ever_taken_is_left_out() -> None:
    files = cache(0, 0, level=1) | cache(0, 1, level=2, type="Unified", shared_cpu_list=0)
    found = cpu_of(online("0"), files).caches
    assert isinstance(found, Known)
    assert [each.level for each in found.value] == [2]


def test_a_cache_whose_sharing_alone_is_lost_makes_the_list_unknown() -> None:
    files = cache(0, 0, level=1, type="Data", shared_cpu_list=0) | cache(0, 1, level=2, type="Unified")
    assert isinstance(cpu_of(online("0"), files).caches, Unknown)


def test_the_caches_of_s390x_are_unknown_without_the_file_that_has_all_of_them() -> None:
    files = cache(0, 0, level=1, type="Data", size="128K", shared_cpu_list=0)
    assert isinstance(cpu_of(online("0"), files, {"proc/sysinfo": "Type: 8561\n"}).caches, Unknown)


def test_siblings_that_the_first_processor_lost_are_not_replaced_by_ids() -> None:
    parts = [topology(number, core_cpus_list=number, core_id=0, physical_package_id=0) for number in range(3)]
    parts[0].pop(f"{CPU}/cpu0/topology/core_cpus_list")
    assert isinstance(cpu_of(online("0-2"), *parts).cores, Unknown)


def test_a_cache_that_one_processor_does_not_tell_about_makes_the_count_unknown() -> None:
    whole = [cache(number, 0, level=1, type="Data", shared_cpu_list=number) for number in range(2)]
    whole[1].pop(f"{CPU}/cpu1/cache/index0/type")
    assert isinstance(cpu_of(online("0-1"), *whole).caches, Unknown)


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


def listed(count: int, stanza: str, end: str = "") -> dict[str, str]:
    return {"proc/cpuinfo": "".join(f"processor\t: {n}\n{stanza}\n" for n in range(count)) + end}


EMULATED = "platform\t: pSeries\nmodel\t\t: IBM pSeries (emulated by qemu)\n"


def test_a_guest_of_which_only_cpuinfo_is_kept_is_counted_one_core_a_processor() -> None:
    cpu = cpu_of(listed(16, "cpu\t\t: POWER9 (architected)\n", EMULATED))
    assert (counted(cpu.cores), counted(cpu.threads_per_core), counted(cpu.sockets)) == (16, 1, 1)
    assert isinstance(cpu.cores, Known)
    assert "counted as lscpu does" in cpu.cores.how
    assert cpu.books == Absent("only s390x machines have books and drawers")


@pytest.mark.parametrize(
    "end",
    ["platform\t: PowerNV\nmachine\t: PowerNV 8247-22L\n", "platform\t: pSeries\nmodel\t: IBM,8247-21L\n"],
)
def test_threads_of_power_hardware_are_never_counted_as_cores(end: str) -> None:
    cpu = cpu_of(listed(24, "cpu\t\t: POWER8 (architected)\n", end))
    assert isinstance(cpu.cores, Unknown)
    assert isinstance(cpu.threads_per_core, Unknown)


def test_an_arm_part_that_may_have_threads_is_not_counted() -> None:
    threaded = listed(4, "CPU implementer\t: 0x43\nCPU part\t: 0x0af\n")
    plain = listed(4, "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n")
    assert isinstance(cpu_of(threaded).cores, Unknown)
    assert (counted(cpu_of(plain).cores), counted(cpu_of(plain).sockets)) == (4, 1)


def test_nothing_is_counted_where_sysfs_was_to_tell() -> None:
    cpu = cpu_of(online("0-1"), listed(2, "cpu\t\t: POWER9 (architected)\n", EMULATED))
    assert isinstance(cpu.cores, Unknown)
