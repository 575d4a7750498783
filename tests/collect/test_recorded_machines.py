"""Facts of recorded machines held against what those machines' own tools said."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from recorded_machines import (
    foreign_captures,
    leaves,
    load,
    our_captures,
    recorded,
    recorded_with,
    unpack,
    with_file_system,
)
from tunewiz.collect import file_values
from tunewiz.collect.captured import RootedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.collect.storage.file_systems import Directories
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.machine import CoreKind, Disk
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import KIB, MIB, Bytes

HYPERVISORS = {
    "kvm": {"kvm", "qemu"},
    "qemu": {"qemu", "kvm"},
    "xen": {"xen"},
    "vmware": {"vmware"},
    "hyperv": {"hyperv"},
    "ibm_systemz-zvm": {"zvm"},
    "ibm_power-lpar_shared": {"powervm"},
}
"""virt-what's words; KVM and plain QEMU cannot be told apart in every capture."""

MODELS = {"ARMv7 Processor rev 1 (v7l": "Cortex-A9"}
"""Arm's architecture says less than its part."""

OURS = {
    "qemu-aarch64-virt-offline-memless": {
        "cpu.model": "Neoverse-N1", "cpu.online": 7, "cpu.cores": 4, "cpu.threads_per_core": 2,
        "cpu.numa_nodes": 3, "cpu.smt": "on", "cpu.offline": 1, "memory.page_size": Bytes(4 * KIB),
        "virtualization.hypervisor": "qemu", "host.kernel": "6.1.0-50-arm64",
    },
    "qemu-ppc64le-p10-offline": {
        "cpu.vendor": "IBM", "cpu.online": 4, "cpu.cores": 4, "cpu.threads_per_core": 1, "cpu.sockets": 3,
        "memory.page_size": Bytes(64 * KIB), "memory.huge_page_size": Bytes(2 * MIB),
        "limits.cgroup_version": 2, "limits.memory": Bytes(768 * MIB), "limits.cpus": 2.5,
        "host.architecture": "ppc64le",
    },
    "qemu-ppc64le-p8-hash-memless": {
        "cpu.sockets": 1, "cpu.cores": 6, "cpu.numa_nodes": 3, "memory.page_size": Bytes(64 * KIB),
        "memory.huge_page_size": Bytes(16 * MIB), "memory.huge_pages_total": 4,
    },
    "qemu-s390x-kvm-6of8-offline": {
        "cpu.vendor": "IBM/S390", "cpu.model": "z15 (8561)", "cpu.online": 4, "cpu.numa_nodes": 1,
        "virtualization.hypervisor": "kvm", "memory.swap_total": Bytes(524284 * KIB),
    },
    "qemu-s390x-kvm-cgroup": {
        "limits.memory": Bytes(512 * MIB), "limits.cpus": 1.5, "host.architecture": "s390x",
        "kernel.settings.vm.swappiness": 60,
    },
    "qemu-x86_64-cgroupv1": {
        "cpu.vendor": "GenuineIntel", "cpu.model": "Intel Core Processor (Haswell)",
        "limits.cgroup_version": 1, "limits.memory": Bytes(768 * MIB), "limits.cpus": 2.5,
        "memory.transparent_huge_pages": "never", "virtualization.container": "docker",
        "kernel.clocksources": ("tsc", "hpet", "acpi_pm"),
    },
}  # fmt: skip


def by_name(paths: list[Path]) -> list[Any]:
    return [pytest.param(path, id=path.stem) for path in paths]


def every_capture() -> list[Any]:
    foreign = by_name(foreign_captures())
    if not foreign:
        why = "TUNEWIZ_CAPTURES names no folder: the captured machines of other projects are not tested"
        foreign = [pytest.param(Path(), id="other-projects", marks=pytest.mark.skip(reason=why))]
    return by_name(our_captures()) + foreign


def value(fact: Known[Any] | Absent | Unknown) -> Any:  # noqa: ANN401 - facts are of every type
    return fact.value if isinstance(fact, Known) else None


def is_not_captured(fact: Known[Any] | Absent | Unknown) -> bool:
    return isinstance(fact, Unknown) and "not in the capture" in fact.why


def is_one_of(*right: object) -> Callable[[Any], bool]:
    return lambda entry: entry in right


def numbers(listed: str) -> frozenset[int]:
    return file_values.as_list(listed) or frozenset()


def counts_of(kinds: tuple[CoreKind, ...]) -> list[int]:
    return sorted(kind.online for kind in kinds)


def spaced(name: str) -> str:
    """Names in /proc/cpuinfo are filled up with blanks."""
    return " ".join(name.split())


def answers(truth: dict[str, Any], facts: Facts) -> Iterator[tuple[str, Any, Callable[[Any], bool]]]:
    """Key of the makers' answer, our fact, and whether a value is right."""
    cpu = facts.cpu
    yield "cpus_online", cpu.online, is_one_of(truth.get("cpus_online"))
    yield "numa_node_count", cpu.numa_nodes, is_one_of(truth.get("numa_node_count"))
    yield "vendor", cpu.vendor, is_one_of(truth.get("vendor"))
    yield "machine_type", cpu.model, lambda entry: f"({truth['machine_type']})" in entry
    yield "offline_list", cpu.offline, lambda entry: entry == len(numbers(truth["offline_list"]))
    yield "cpus_present", cpu.offline, lambda entry: entry + value(cpu.online) == truth["cpus_present"]
    yield "dispatching_mode", cpu.dispatching, is_one_of(truth.get("dispatching_mode"))
    yield "cpu_kinds_cpus", cpu.kinds, lambda kinds: counts_of(kinds) == sorted(truth["cpu_kinds_cpus"])
    yield (
        "model",
        cpu.model,
        lambda entry: entry == MODELS.get(spaced(truth["model"]), spaced(truth["model"])),
    )
    if truth.get("topology_meaningful", True):
        yield "threads_per_core", cpu.threads_per_core, is_one_of(truth.get("threads_per_core"))
        yield "cores_online", cpu.cores, is_one_of(truth.get("cores_online"))
        yield "books_seen", cpu.books, is_one_of(truth.get("books_seen"))
        yield "drawers_seen", cpu.drawers, is_one_of(truth.get("drawers_seen"))
        if truth.get("sockets_reliable", True):
            yield "sockets_seen", cpu.sockets, is_one_of(truth.get("sockets_seen"))
        if truth.get("packages_reliable", True):
            yield "packages", cpu.sockets, is_one_of(truth.get("packages"), truth.get("sockets_seen"))


NOT_CAPTURED = {
    "ohai-aarch64-graviton2": {"numa_node_count", "threads_per_core", "cores_online", "sockets_seen"},
    "ohai-ppc64le-p9-guest-kvm": {"numa_node_count", "threads_per_core", "cores_online"},
    "ohai-x86-guest-kvm": {"numa_node_count"},
    "ohai-x86-guest-xen": {"numa_node_count"},
    "pycpuinfo-debian_8_7_1_ppc64le": {"numa_node_count", "threads_per_core"},
    "pycpuinfo-rhel_7_3_ppc64le": {"numa_node_count", "threads_per_core"},
}
"""What the makers knew from lscpu, while the directories of nodes and topology are not in their captures."""


def wrong(path: Path, facts: Facts) -> list[str]:
    truth = load(path)["expected"]["truth"]
    untold = NOT_CAPTURED.get(path.stem, set[str]())
    result = [
        f"{key}: expected {truth[key]}, found {fact}"
        for key, fact, is_right in answers(truth, facts)
        if truth.get(key) is not None
        and not (is_not_captured(fact) if key in untold else is_right(value(fact)))
    ]
    return result + wrong_memory(path, facts) + wrong_limits(truth, facts) + wrong_surroundings(truth, facts)


def wrong_memory(path: Path, facts: Facts) -> list[str]:
    meminfo: dict[str, int] = load(path)["expected"].get("verbatim_meminfo") or {}
    memory = facts.memory
    pairs = [
        ("mem_total_kib", memory.total),
        ("swap_total_kib", memory.swap_total),
        ("hugepage_default_kib", memory.huge_page_size),
    ]
    result = [
        f"{key}: expected {meminfo[key]} KiB, found {fact}"
        for key, fact in pairs
        if key in meminfo and value(fact) != Bytes(meminfo[key] * KIB)
    ]
    sizes = load(path)["expected"]["truth"].get("hugepage_sizes_kib")
    if sizes and value(memory.huge_page_sizes) != tuple(Bytes(size * KIB) for size in sorted(sizes)):
        result.append(f"huge page sizes: expected {sizes}, found {memory.huge_page_sizes}")
    return result


def wrong_limits(truth: dict[str, Any], facts: Facts) -> list[str]:
    cgroup = truth.get("cgroup")
    if not cgroup:
        return []
    right = (Bytes(cgroup["memory_limit_bytes"]), cgroup["cpu_quota"])
    result = (value(facts.limits.memory), value(facts.limits.cpus))
    return [] if result == right else [f"limits: expected {right}, found {result}"]


def wrong_surroundings(truth: dict[str, Any], facts: Facts) -> list[str]:
    words: list[str] = truth.get("virt_what") or []
    right = {name for word in words for name in HYPERVISORS.get(word, ())}
    hypervisor, container = value(facts.virtualization.hypervisor), value(facts.virtualization.container)
    result = (
        [f"hypervisor: expected {right}, found {hypervisor}"] if right and hypervisor not in right else []
    )
    if truth.get("is_virtual_machine") is False and hypervisor not in {None, "none"}:
        result.append(f"hypervisor: expected none, found {hypervisor}")
    if truth.get("container") is not None and truth["container"] != (container is not None):
        result.append(f"container: expected {truth['container']}, found {container}")
    return result


@pytest.mark.parametrize("path", every_capture())
def test_facts_are_what_the_makers_of_the_capture_found(path: Path) -> None:
    assert wrong(path, read_machine(recorded(path))) == []


@pytest.mark.parametrize("path", every_capture())
def test_every_fact_of_a_capture_says_how_or_why_not(path: Path) -> None:
    for name, leaf in leaves(read_machine(recorded(path), {"data": ["/"]})).items():
        text = leaf.why if isinstance(leaf, Unknown) else leaf.how
        assert text, name
        assert "\n" not in text, name


def disk_of(path: Path, name: str) -> Disk:
    """The disk that is found under a file system that is mounted from it."""
    system = recorded_with(path, with_file_system(path, name, "/pg"))
    (storage,) = read_machine(system, {"data": ["/pg"]}).storage
    (disk,) = value(storage.disks)
    assert isinstance(disk, Disk)
    return disk


@pytest.mark.parametrize("path", by_name(our_captures()))
def test_the_disks_of_a_capture_are_what_lsblk_said(path: Path) -> None:
    listed = [entry for entry in load(path)["expected"]["truth"]["block"] if entry["type"] == "disk"]
    result = [(entry["name"], entry["rota"], entry["sched"]) for entry in listed]
    test_the_disks = [disk_of(path, entry["name"]) for entry in listed]
    assert result
    assert [(disk.name, value(disk.rotational), value(disk.scheduler)) for disk in test_the_disks] == result
    assert {value(disk.transport) for disk in test_the_disks} <= {"virtio", "vscsi"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_our_machines_are_known_in_depth(name: str) -> None:
    (path,) = (path for path in our_captures() if path.stem == name)
    result = leaves(read_machine(recorded(path)))
    assert {key: value(result[key]) for key in OURS[name]} == OURS[name]


def test_all_of_our_captures_are_described() -> None:
    assert sorted(OURS) == [path.stem for path in our_captures()]


@pytest.mark.parametrize("path", by_name(our_captures()))
def test_a_root_on_disk_gives_the_same_facts(path: Path, tmp_path: Path) -> None:
    unpack(path, tmp_path)
    directories: Directories = {"data": ["/tmp"]}  # noqa: S108 - a path inside the captured machine
    assert read_machine(RootedSystem(tmp_path), directories) == read_machine(recorded(path), directories)
