"""Core ids, packages and lists that tell too little: a second witness is asked, or the fact is unknown."""

import pytest

from odd_processors import CPU, X86, counted, cpu_of, online, topology
from recorded_machines import facts
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Cpu
from tunewiz.core.values.known import Known, Unknown

OPTERON = (
    "processor : {cpu}\nvendor_id : AuthenticAMD\nphysical id : {socket}\nsiblings : 12\ncore id : {core}\n"
    "cpu cores : {cores}\nflags : fpu lm\n\n"
)
"""One of two sockets of twelve processors, whose two dies number their cores alike."""


def opteron(cores: int) -> dict[str, str]:
    """Its /proc/cpuinfo, with as many cores in a socket as it is to say."""
    stanzas = (OPTERON.format(cpu=cpu, socket=cpu // 12, core=cpu % 6, cores=cores) for cpu in range(24))
    return {"proc/cpuinfo": "".join(stanzas)}


def ids(cpus: int) -> list[dict[str, str]]:
    return [topology(cpu, physical_package_id=cpu // 12, core_id=cpu % 6) for cpu in range(cpus)]


def test_core_ids_that_repeat_on_two_dies_are_cores_of_their_own() -> None:
    for cpu in (cpu_of(online("0-23"), opteron(12), *ids(24)), cpu_of(opteron(12))):
        assert (counted(cpu.cores), counted(cpu.threads_per_core), counted(cpu.sockets)) == (24, 1, 2)


def test_core_ids_that_repeat_for_two_threads_are_one_core() -> None:
    for cpu in (cpu_of(online("0-23"), opteron(6), *ids(24)), cpu_of(opteron(6))):
        assert (counted(cpu.cores), counted(cpu.threads_per_core), counted(cpu.sockets)) == (12, 2, 2)


@pytest.mark.parametrize("cores", [4, 7])
def test_core_ids_that_fit_no_count_of_cores_are_not_believed(cores: int) -> None:
    for cpu in (cpu_of(online("0-23"), opteron(cores), *ids(24)), cpu_of(opteron(cores))):
        assert isinstance(cpu.cores, Unknown)


def test_core_ids_that_repeat_and_nothing_else_are_not_believed() -> None:
    assert isinstance(cpu_of(online("0-23"), *ids(24)).cores, Unknown)


def test_siblings_are_believed_whatever_the_ids_say() -> None:
    alone = [topology(cpu, core_id=0, physical_package_id=0, thread_siblings_list=cpu) for cpu in range(4)]
    assert counted(cpu_of(online("0-3"), X86, *alone).cores) == 4


def test_within_numbered_clusters_equal_ids_are_threads_as_the_kernel_has_it() -> None:
    parts = [
        topology(cpu, core_id=cpu // 2, cluster_id=0, physical_package_id=0, thread_siblings_list="")
        for cpu in range(4)
    ]
    assert counted(cpu_of(online("0-3"), *parts).cores) == 2


ARM = {
    "proc/cpuinfo": "".join(
        f"processor : {cpu}\nCPU implementer : 0x41\nCPU part : 0xd07\n\n" for cpu in range(4)
    )
}
CLUSTERS = [
    topology(cpu, core_id=cpu % 2, physical_package_id=cpu // 2, thread_siblings_list=cpu) for cpu in range(4)
]


def arm(**more: str) -> Cpu:
    return cpu_of(
        online("0-3"), ARM, *CLUSTERS, {name.replace("__", "/"): text for name, text in more.items()}
    )


def test_clusters_of_a_device_tree_are_not_counted_as_sockets() -> None:
    cpu = arm(proc__sys__kernel__osrelease="5.10.0-28-arm64\n")
    assert isinstance(cpu.sockets, Unknown)
    assert "clusters" in cpu.sockets.why
    assert counted(cpu.cores) == 4


@pytest.mark.parametrize(
    "more",
    [
        {"proc__sys__kernel__osrelease": "6.1.0-18-arm64\n"},
        {"sys__firmware__acpi__pm_profile": "4\n", "proc__sys__kernel__osrelease": "5.10.0-28-arm64\n"},
    ],
)
def test_with_acpi_or_a_newer_kernel_packages_are_sockets(more: dict[str, str]) -> None:
    assert counted(arm(**more).sockets) == 2


def test_one_package_is_one_socket_on_any_kernel() -> None:
    parts = [topology(cpu, core_id=cpu, physical_package_id=0, thread_siblings_list=cpu) for cpu in range(4)]
    assert counted(cpu_of(online("0-3"), ARM, *parts).sockets) == 1


@pytest.mark.parametrize("damaged", ["", "\n", "0-", "x", "3-0", "0-3,\n", "\ufffd"])
def test_a_damaged_list_is_not_replaced_by_counting(damaged: str) -> None:
    parts = [topology(cpu, core_id=cpu, physical_package_id=0, thread_siblings_list=cpu) for cpu in range(4)]
    cpu = cpu_of({f"{CPU}/online": damaged}, X86, {"proc/stat": "cpu0 1\ncpu1 1\n"}, *parts)
    assert isinstance(cpu.online, Unknown)
    assert "online" in cpu.online.why


def test_without_a_list_folders_are_counted_on_a_host_and_need_a_witness_in_a_capture() -> None:
    parts = [topology(cpu, core_id=cpu, physical_package_id=0) for cpu in range(3)]
    files = {path: text for part in parts for path, text in part.items()}
    stat = {"proc/stat": "cpu  1\ncpu0 1\ncpu1 1\ncpu2 1\ncpu3 1\n"}
    off = {f"{CPU}/cpu3/online": "0\n"}
    assert counted(facts(files).cpu.online) == 3
    assert counted(captured(files | off | stat).online) == 3
    assert isinstance(captured(files).online, Unknown)
    assert isinstance(captured(files | stat).online, Unknown)


def captured(files: dict[str, str]) -> Cpu:
    return read_machine(RecordedSystem({path: text.encode() for path, text in files.items()})).cpu


def test_one_node_needs_a_sign_in_a_capture() -> None:
    one = {f"{CPU}/online": "0-3\n"}
    assert counted(facts(one).cpu.numa_nodes) == 1
    assert isinstance(captured(one).numa_nodes, Unknown)
    without = {"proc/vmstat": "nr_free_pages 7\npgpgin 1\n"}
    assert counted(captured(one | without).numa_nodes) == 1
    assert isinstance(captured(one | {"proc/vmstat": "nr_free_pages 7\n"}).numa_nodes, Unknown)
    counts = {"proc/vmstat": "nr_free_pages 7\nnuma_hit 3\npgpgin 1\n"}
    assert isinstance(facts(one | counts).cpu.numa_nodes, Unknown)


def test_a_node_that_the_list_or_the_distances_name_is_missed_in_a_capture() -> None:
    node = "sys/devices/system/node"
    here = {f"{CPU}/online": "0-3\n", f"{node}/node0/cpulist": "0-3\n"}
    assert counted(captured(here).numa_nodes) == 1
    assert isinstance(captured(here | {f"{node}/online": "0-1\n"}).numa_nodes, Unknown)
    assert isinstance(captured(here | {f"{node}/node0/distance": "10 20\n"}).numa_nodes, Unknown)
    assert (
        counted(captured(here | {f"{node}/online": "0\n", f"{node}/node0/distance": "10\n"}).numa_nodes) == 1
    )


def test_the_models_of_a_hybrid_without_cpuinfo_are_those_of_all_its_processors() -> None:
    register = "regs/identification/midr_el1"
    files = {f"{CPU}/online": "0-1\n", f"{CPU}/cpu0/{register}": "0x00000000410fd461\n"}
    assert isinstance(captured(files).model, Unknown)
    both = captured(files | {f"{CPU}/cpu1/{register}": "0x00000000411fd471\n"})
    assert both.model == Known("Cortex-A510 + Cortex-A710", f"/{CPU}/cpu*/{register}")
