"""How POWER translates addresses, and whether IBM Z has EDAT: what the kernel and its huge pages tell.

Two machines of POWER and one of s390x were recorded in QEMU; the files of the others are made up.
"""

import pytest

from recorded_machines import OURS, facts, machine, recorded
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.machine import Memory, Translation
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

POWER = "processor : 0\ncpu : POWER9 (architected)\n\nplatform : pSeries\nmachine : CHRP IBM\n"
Z = "vendor_id : IBM/S390\nfeatures\t: {} \nprocessor 0: machine = 3931\n"
X86 = "processor : 0\nvendor_id : GenuineIntel\nflags : fpu lm\n"
WITHOUT = "MemTotal: 1024 kB\nSwapTotal: 0 kB\n"
WITH = f"{WITHOUT}HugePages_Total: 0\nHugePages_Free: 0\nHugepagesize: 1024 kB\n"
MM = "sys/kernel/mm"


def of_power(line: str = "", *sizes: int) -> MaybeFact[Translation]:
    folders = {f"{MM}/hugepages/hugepages-{size}kB/nr_hugepages": "0\n" for size in sizes}
    return facts({"proc/cpuinfo": POWER + line, "proc/meminfo": WITHOUT} | folders).memory.translation


def of_z(features: str, meminfo: str = WITHOUT) -> Memory:
    files = {"proc/cpuinfo": Z.format(features), "proc/meminfo": meminfo, f"{MM}/ksm/run": "0\n"}
    return facts(files).memory


@pytest.mark.parametrize(("line", "word"), [("MMU : Radix\n", "radix"), ("MMU : Hash\n", "hash")])
def test_the_kernel_names_the_translation(line: str, word: str) -> None:
    assert of_power(line) == Known(word, "/proc/cpuinfo: MMU")


@pytest.mark.parametrize(
    ("sizes", "word"),
    [((2048, 1048576), "radix"), ((2048,), "radix"), ((16384, 16777216), "hash"), ((16384,), "hash")],
)
def test_an_older_kernel_shows_it_by_its_huge_pages(sizes: tuple[int, ...], word: str) -> None:
    fact = of_power("", *sizes)
    assert isinstance(fact, Known)
    assert fact.value == word
    assert "hugepages" in fact.how


@pytest.mark.parametrize("sizes", [(), (64,), (2048, 16384), (16384, 1024)])
def test_huge_pages_that_tell_nothing_leave_it_unknown(sizes: tuple[int, ...]) -> None:
    assert isinstance(of_power("", *sizes), Unknown)


def test_a_word_that_is_neither_leaves_it_to_the_huge_pages() -> None:
    assert isinstance(of_power("MMU : Other\n"), Unknown)
    fact = of_power("MMU : Other\n", 16384)
    assert isinstance(fact, Known)
    assert fact.value == "hash"


@pytest.mark.parametrize("cpuinfo", [X86, Z.format("zarch edat")])
def test_other_architectures_have_one_way_only(cpuinfo: str) -> None:
    memory = facts({"proc/cpuinfo": cpuinfo, f"{MM}/hugepages/hugepages-2048kB/nr_hugepages": "0\n"}).memory
    assert isinstance(memory.translation, Absent)


def test_without_cpuinfo_nothing_is_known() -> None:
    assert isinstance(facts({"proc/meminfo": WITHOUT}).memory.translation, Unknown)


@pytest.mark.parametrize(
    ("name", "word"), [("qemu-ppc64le-p10-offline", "radix"), ("qemu-ppc64le-p8-hash-memless", "hash")]
)
def test_our_machines_of_power_tell_it(name: str, word: str) -> None:
    memory = read_machine(recorded(OURS / f"{name}.json")).memory
    assert memory.translation == Known(word, "/proc/cpuinfo: MMU")


def all_without(memory: Memory) -> list[str]:
    found = (
        memory.huge_page_size,
        memory.huge_page_sizes,
        memory.huge_pages_total,
        memory.huge_pages_free,
        memory.transparent_huge_pages,
    )
    return [fact.how for fact in found if isinstance(fact, Absent)]


def test_a_machine_without_edat_says_why_it_has_no_huge_pages() -> None:
    why = "no edat (enhanced DAT) among the features in /proc/cpuinfo"
    assert all_without(of_z("esan3 zarch msa")) == [why] * 5


@pytest.mark.parametrize("features", ["esan3 zarch edat", ""])
def test_a_kernel_that_lacks_them_for_another_reason_says_that(features: str) -> None:
    reasons = all_without(of_z(features))
    assert len(reasons) == 5
    assert not any("edat" in reason for reason in reasons)


def test_other_architectures_never_speak_of_edat() -> None:
    memory = facts({"proc/cpuinfo": X86, "proc/meminfo": WITHOUT, f"{MM}/ksm/run": "0\n"}).memory
    assert not any("edat" in reason for reason in all_without(memory))


def test_huge_pages_that_are_there_are_believed_whatever_the_features_say() -> None:
    """Kernels before 4.3 made them of small ones where EDAT was missing."""
    memory = of_z("esan3 zarch", WITH)
    assert memory.huge_page_size == of_z("esan3 zarch edat", WITH).huge_page_size
    assert isinstance(memory.huge_page_size, Known)


def test_what_a_capture_lacks_is_not_said_to_be_absent() -> None:
    files = {"proc/cpuinfo": Z.format("zarch"), "proc/meminfo": "MemTotal: 1024 kB\nMemFree: 5 kB\n"}
    memory = read_machine(machine(files)).memory
    assert isinstance(memory.huge_page_size, Unknown)


def test_our_guest_of_kvm_has_no_edat() -> None:
    memory = read_machine(recorded(OURS / "qemu-s390x-kvm-cgroup.json")).memory
    assert isinstance(memory.huge_page_size, Absent)
    assert "edat" in memory.huge_page_size.how
