"""Memory, pages and names of a machine, from the files that tell them."""

import hashlib

import pytest

from recorded_machines import facts
from tunewiz.core.values.known import Absent, Known, Unknown
from tunewiz.core.values.units import GIB, KIB, MIB, Bytes

METAL = {"proc/cpuinfo": "processor\t: 0\nflags\t\t: lm\n\n"}


def test_sizes_of_huge_pages_are_those_of_this_kernel() -> None:
    sizes = {
        f"sys/kernel/mm/hugepages/hugepages-{size}kB/nr_hugepages": "0\n" for size in (2048, 64, 1048576)
    }
    meminfo = (
        "MemTotal: 1024 kB\nSwapTotal: 0 kB\nHugePages_Total: 7\nHugePages_Free: 3\nHugepagesize: 524288 kB\n"
    )
    memory = facts({"proc/meminfo": meminfo} | sizes).memory
    assert memory.huge_page_size == Known(Bytes(512 * MIB), "/proc/meminfo: Hugepagesize")
    assert memory.huge_page_sizes == Known(
        (Bytes(64 * KIB), Bytes(2 * MIB), Bytes(GIB)), "/sys/kernel/mm/hugepages/hugepages-*"
    )
    assert memory.huge_pages_total == Known(7, "/proc/meminfo: HugePages_Total")
    assert memory.huge_pages_free == Known(3, "/proc/meminfo: HugePages_Free")


def test_a_kernel_without_huge_pages_has_none() -> None:
    memory = facts({"proc/meminfo": "MemTotal: 1024 kB\nSwapTotal: 0 kB\n"}).memory
    for fact in (memory.huge_page_size, memory.huge_page_sizes, memory.huge_pages_total):
        assert isinstance(fact, Absent)


def test_a_cut_meminfo_does_not_make_huge_pages_absent() -> None:
    memory = facts({"proc/meminfo": "MemTotal: 1024 kB\nMemFree: 5 kB\n"}).memory
    assert isinstance(memory.huge_page_size, Unknown)
    assert memory.total == Known(Bytes(1024 * KIB), "/proc/meminfo: MemTotal")


def test_memory_that_is_available_is_unknown_to_kernels_before_it_was_counted() -> None:
    assert facts({"proc/meminfo": "MemTotal: 9 kB\n"}).memory.available == Unknown(
        "no line MemAvailable: /proc/meminfo"
    )


@pytest.mark.parametrize("folder", ["transparent_hugepage", "redhat_transparent_hugepage"])
def test_transparent_huge_pages_are_found_under_both_names(folder: str) -> None:
    path = f"sys/kernel/mm/{folder}/enabled"
    result = facts({path: "always [madvise] never\n"})
    assert result.memory.transparent_huge_pages == Known("madvise", f"/{path}")
    assert result.kernel.settings["thp.enabled"] == Known("madvise", f"/{path}")


def test_a_kernel_without_transparent_huge_pages_has_none() -> None:
    result = facts({"sys/kernel/mm/ksm/run": "0\n"})
    assert isinstance(result.memory.transparent_huge_pages, Absent)


@pytest.mark.parametrize(
    ("files", "size"),
    [
        ({"proc/sys/kernel/arch": "x86_64\n"}, 4),
        ({"proc/sys/kernel/arch": "s390x\n"}, 4),
        ({"proc/sys/kernel/arch": "aarch64\n", "proc/meminfo": "Hugepagesize: 524288 kB\n"}, 64),
        ({"proc/vmstat": "nr_free_pages 45191\n", "proc/meminfo": "MemFree: 2901568 kB\n"}, 64),
    ],
)
def test_the_page_size_of_a_capture_follows_from_its_files(files: dict[str, str], size: int) -> None:
    page_size = facts(files).memory.page_size
    assert isinstance(page_size, Known)
    assert page_size.value == Bytes(size * KIB)


def test_the_page_size_of_power_is_unknown_without_counters() -> None:
    assert isinstance(facts({"proc/sys/kernel/arch": "ppc64le\n"}).memory.page_size, Unknown)


def test_the_identity_is_a_hash_that_does_not_show_the_machine_id() -> None:
    number = "0123456789abcdef0123456789abcdef"
    host = facts({"etc/machine-id": f"{number}\n"}).host
    expected = hashlib.sha256(f"tunewiz:{number}".encode()).hexdigest()
    assert host.identity == Known(expected, "SHA-256 of /etc/machine-id")
    assert isinstance(facts({"etc/machine-id": "uninitialized\n"}).host.identity, Unknown)


@pytest.mark.parametrize(
    ("release", "name"),
    [
        ('NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n', "Debian GNU/Linux 12 (bookworm)"),
        ("NAME=SLES\nVERSION='15-SP6'\n", "SLES 15-SP6"),
    ],
)
def test_the_distribution_has_its_own_name(release: str, name: str) -> None:
    assert facts({"usr/lib/os-release": release}).host.distribution == Known(name, "/usr/lib/os-release")


def test_a_cut_name_of_a_distribution_is_not_taken() -> None:
    assert isinstance(facts({"etc/os-release": 'PRETTY_NAME="Debian GNU'}).host.distribution, Unknown)


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"proc/sys/kernel/osrelease": "6.1.0-50-powerpc64le\n"}, "ppc64le"),
        ({"proc/sys/kernel/osrelease": "5.14.0-427.13.1.el9_4.s390x\n"}, "s390x"),
        ({"proc/cpuinfo": "processor : 0\nFeatures : fp asimd\n"}, "aarch64"),
        ({"proc/cpuinfo": "processor : 0\nfdiv_bug : no\nflags : lm\n"}, "i686"),
        (METAL, "x86_64"),
        ({"proc/sysinfo": "Type: 8561\n"}, "s390x"),
        (
            {"proc/cpuinfo": "processor : 0\ncpu : POWER9\n", "sys/kernel/cpu_byteorder": "little\n"},
            "ppc64le",
        ),
    ],
)
def test_the_architecture_of_a_capture_follows_from_its_files(files: dict[str, str], name: str) -> None:
    architecture = facts(files).host.architecture
    assert isinstance(architecture, Known)
    assert architecture.value == name


def test_the_byte_order_of_power_is_not_guessed() -> None:
    assert isinstance(facts({"proc/cpuinfo": "processor : 0\ncpu : POWER9\n"}).host.architecture, Unknown)
