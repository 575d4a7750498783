"""Hypervisors, containers, kernel settings, memory and names, from the files that tell them."""

import hashlib

import pytest

from recorded_machines import machine
from tunewiz.core.facts import Facts
from tunewiz.core.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.units import GIB, KIB, MIB, Bytes
from tunewiz.facts.collect import read_machine

DMI = "sys/class/dmi/id"
UPPER = "upperdir=/var/lib/docker/overlay2/x"
CLOCKS = "sys/devices/system/clocksource/clocksource0/available_clocksource"
GUEST = {"proc/cpuinfo": "processor\t: 0\nflags\t\t: lm hypervisor\n\n"}
METAL = {"proc/cpuinfo": "processor\t: 0\nflags\t\t: lm\n\n"}
POWER = "processor : 0\ncpu : POWER9\n\ntimebase : 1\nplatform : pSeries\nmachine : CHRP {}\n"


def bound(point: str, root: str) -> dict[str, str]:
    """One file or folder that is mounted from another place of the same disk."""
    return {"proc/self/mountinfo": f"1 1 8:1 {root} {point} rw - ext4 /dev/sda1 rw\n"}


def facts(files: dict[str, str], links: dict[str, str] | None = None) -> Facts:
    return read_machine(machine(files, links))


def hypervisor(files: dict[str, str]) -> str | None:
    ended = {path: text if text.endswith(("\n", "\0")) else f"{text}\n" for path, text in files.items()}
    found = facts(ended).virtualization.hypervisor
    return found.value if isinstance(found, Known) else None


def container(files: dict[str, str], links: dict[str, str] | None = None) -> MaybeFact[str]:
    return facts(files, links).virtualization.container


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (GUEST | {f"{DMI}/sys_vendor": "VMware, Inc.", f"{DMI}/product_name": "VMware7,1"}, "vmware"),
        (GUEST | {f"{DMI}/product_name": "Virtual Machine", f"{DMI}/sys_vendor": "Microsoft"}, "hyperv"),
        (GUEST | {"sys/bus/vmbus/devices/a/x": ""}, "hyperv"),
        (GUEST | {f"{DMI}/sys_vendor": "Acme"}, None),
        (GUEST | {f"{DMI}/sys_vendor": "Acme", f"{DMI}/product_name": "Cloud"}, "other"),
        (GUEST | {f"{DMI}/product_name": "VirtualBox", f"{DMI}/sys_vendor": "innotek GmbH"}, "virtualbox"),
        (GUEST | {f"{DMI}/product_name": "Google Compute Engine", f"{DMI}/sys_vendor": "Google"}, "kvm"),
        (GUEST | {f"{DMI}/sys_vendor": "Amazon EC2", f"{DMI}/product_name": "m5.large"}, "kvm"),
        (METAL | {f"{DMI}/sys_vendor": "Amazon EC2", f"{DMI}/product_name": "m5.metal"}, "none"),
        (GUEST | {f"{DMI}/sys_vendor": "Xen", f"{DMI}/product_name": "HVM domU"}, "xen"),
        (GUEST | {"sys/hypervisor/type": "xen"}, "xen"),
        (GUEST | {f"{DMI}/sys_vendor": "QEMU"}, "qemu"),
        (GUEST | {f"{DMI}/sys_vendor": "QEMU", CLOCKS: "kvm-clock tsc acpi_pm"}, "kvm"),
        (GUEST | {CLOCKS: "tsc kvm-clock"}, "kvm"),
        (GUEST, "other"),
        (METAL | {f"{DMI}/product_name": "PowerEdge R750", f"{DMI}/sys_vendor": "Dell Inc."}, "none"),
        (METAL | {f"{DMI}/product_name": "Standard PC"}, None),
        (METAL | {f"{DMI}/product_name": "Board 7", f"{DMI}/sys_vendor": " \n"}, "none"),
        (METAL, None),
        ({}, None),
        ({"proc/sysinfo": "Type: 8561\nLPAR Number: 4\nVM00 Control Program: z/VM    7.2.0\n"}, "zvm"),
        ({"proc/sysinfo": "VM00 Control Program: KVM/Linux\nVM01 Control Program: z/VM 7\n"}, "kvm"),
        ({"proc/sysinfo": "Type: 8561\nLPAR Number: 4\n"}, "lpar"),
        ({"proc/cpuinfo": POWER.format("IBM,9009-42A")}, "powervm"),
        ({"proc/cpuinfo": POWER.format("IBM pSeries (emulated by qemu)")}, "qemu"),
        (
            {
                "proc/cpuinfo": POWER.format("IBM pSeries (emulated by qemu)"),
                "proc/device-tree/hypervisor/compatible": "linux,kvm\0",
            },
            "kvm",
        ),
        ({"proc/cpuinfo": POWER.replace("pSeries", "PowerNV").format("x")}, "none"),
        ({"proc/device-tree/compatible": "linux,dummy-virt\0"}, "qemu"),
        ({"proc/device-tree/hypervisor/compatible": "xen,xen-4.11\0xen,xen\0"}, "xen"),
        ({"proc/device-tree/model": "Raspberry Pi 5\0"}, "none"),
        ({"proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2\n"}, "hyperv"),
    ],
)  # fmt: skip
def test_the_hypervisor_is_named(files: dict[str, str], name: str | None) -> None:
    assert hypervisor(files) == name


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({".dockerenv": ""}, "docker"),
        ({"run/.containerenv": ""}, "podman"),
        ({"run/systemd/container": "systemd-nspawn\n"}, "systemd-nspawn"),
        ({"proc/1/cgroup": "0::/kubepods.slice/pod1\n"}, "kubernetes"),
        ({"proc/1/cgroup": "5:memory:/lxc/a\n"}, "lxc"),
        ({"proc/1/environ": "A=1\0container=lxc\0"}, "lxc"),
        ({".dockerenv": "", "var/run/secrets/kubernetes.io/x": ""}, "kubernetes"),
        ({"proc/1/sched": "init (4711, #threads: 1)\n"}, "other"),
        ({"proc/vz/veinfo": "1\n"}, "openvz"),
        ({"proc/self/status": "Name: x\nVxID: 40\n"}, "vserver"),
        ({"proc/sys/kernel/osrelease": "5.15.90.1-microsoft-standard-WSL2\n"}, "wsl"),
        (
            {"proc/self/mountinfo": f"1 1 0:5 / / rw - overlay overlay rw,{UPPER}\n"},
            "docker",
        ),
        (bound("/etc/hosts", "/var/lib/kubelet/pods/1/etc-hosts"), "kubernetes"),
        (bound("/etc/hostname", "/var/lib/docker/containers/1/hostname"), "docker"),
        (bound("/etc/resolv.conf", "/containers/storage/overlay-containers/1/resolv.conf"), "podman"),
        ({"proc/self/mountinfo": "1 1 0:9 / /proc/meminfo rw - fuse.lxcfs lxcfs rw\n"}, "lxc"),
    ],
)  # fmt: skip
def test_a_container_is_named(files: dict[str, str], name: str) -> None:
    found = container(files)
    assert isinstance(found, Known)
    assert found.value == name


LPAR = "LPAR Number: 4\n"


@pytest.mark.parametrize(
    ("content", "levels"),
    [
        (LPAR, ("lpar",)),
        (f"{LPAR}VM00 Control Program: z/VM    7.2.0\n", ("zvm", "lpar")),
        (
            f"{LPAR}VM00 Control Program: KVM/Linux\nVM01 Control Program: z/VM    7.3.0\n",
            ("kvm", "zvm", "lpar"),
        ),
        ("LPAR Number: 0\nVM00 Control Program: KVM/Linux\n", ("kvm",)),
        ("Type: 8561\n", ()),
    ],
)
def test_hypervisors_in_hypervisors_are_told_from_the_nearest(content: str, levels: tuple[str, ...]) -> None:
    assert facts({"proc/sysinfo": content}).virtualization.levels == Known(levels, "/proc/sysinfo")


def test_only_s390x_tells_of_levels() -> None:
    assert isinstance(facts(METAL).virtualization.levels, Absent)
    assert isinstance(facts({"proc/cpuinfo": "vendor_id : IBM/S390\n"}).virtualization.levels, Unknown)


@pytest.mark.parametrize(
    "files",
    [
        {"proc/1/cgroup": "0::/init.scope\n", "proc/1/sched": "systemd (1, #threads: 1)\n"},
        {"proc/1/cgroup": "0::/\n", "proc/vz/x": "", "proc/bc/0": ""},
        {"proc/1/cgroup": "0::/\n", "proc/self/status": "VxID: 0\n"},
        {"proc/1/cgroup": "0::/\n"} | bound("/var/lib/docker/containers/1/mounts/shm", "/"),
        {"proc/1/cgroup": "0::/\n", "proc/self/mountinfo": "1 1 0:9 / /var/lib/lxcfs rw - fuse.lxcfs l rw\n"},
    ],
)
def test_a_host_is_no_container(files: dict[str, str]) -> None:
    assert isinstance(container(files), Absent)


def test_a_mark_left_over_from_an_image_makes_no_container_of_a_virtual_machine() -> None:
    first = {"pid": 4026531836, "uts": 4026531838, "ipc": 4026531839}
    links = {f"proc/self/ns/{name}": f"{name}:[{number}]" for name, number in first.items()}
    assert isinstance(container({".dockerenv": ""}, links), Absent)
    links["proc/self/ns/pid"] = "pid:[4026532901]"
    assert isinstance(container({".dockerenv": ""}, links), Known)


def test_nothing_readable_leaves_the_container_unknown() -> None:
    assert isinstance(container({}), Unknown)


def test_both_twins_of_a_pair_are_read() -> None:
    names = ("dirty_bytes", "dirty_ratio", "dirty_background_bytes", "dirty_background_ratio")
    files = {f"proc/sys/vm/{name}": f"{value}\n" for value, name in enumerate(names)}
    settings = facts(files).kernel.settings
    assert [settings[f"vm.{name}"] for name in names] == [
        Known(value, f"/proc/sys/vm/{name}") for value, name in enumerate(names)
    ]


def test_a_setting_that_this_kernel_lacks_is_left_out() -> None:
    settings = facts({"proc/sys/vm/swappiness": "60\n", "proc/sys/kernel/x": "1\n"}).kernel.settings
    assert "vm.zone_reclaim_mode" not in settings
    assert "kernel.numa_balancing" not in settings
    assert settings["vm.dirty_ratio"] == Unknown("no such file: /proc/sys/vm/dirty_ratio")


def scheduler(files: dict[str, str]) -> dict[str, object]:
    settings = facts(files).kernel.settings
    return {name: fact for name, fact in settings.items() if name.startswith("sched.")}


def test_old_kernels_have_the_schedulers_settings_as_sysctls() -> None:
    old = {
        "proc/sys/kernel/sched_migration_cost_ns": "500000\n",
        "proc/sys/kernel/sched_latency_ns": "24000000\n",
    }
    assert scheduler(old) == {
        "sched.migration_cost_ns": Known(500000, "/proc/sys/kernel/sched_migration_cost_ns"),
        "sched.latency_ns": Known(24000000, "/proc/sys/kernel/sched_latency_ns"),
    }


def test_newer_kernels_have_them_in_debugfs_under_the_names_that_they_have_there() -> None:
    new = {
        "sys/kernel/debug/sched/base_slice_ns": "2800000\n",
        "sys/kernel/debug/sched/migration_cost_ns": "500000\n",
    }
    assert scheduler(new) == {
        "sched.base_slice_ns": Known(2800000, "/sys/kernel/debug/sched/base_slice_ns"),
        "sched.migration_cost_ns": Known(500000, "/sys/kernel/debug/sched/migration_cost_ns"),
    }


def test_debugfs_that_is_not_there_leaves_them_unknown_with_lockdown_named() -> None:
    files = {"sys/kernel/security/lockdown": "none [integrity] confidentiality\n"}
    found = scheduler(files)["sched.base_slice_ns"]
    assert found == Unknown("no such file: /sys/kernel/debug (kernel lockdown: integrity)")
    assert facts(files).kernel.lockdown == Known("integrity", "/sys/kernel/security/lockdown")


def test_a_kernel_without_lockdown_has_none_and_unmounted_securityfs_tells_nothing() -> None:
    assert isinstance(facts({"sys/kernel/security/lsm": "x"}).kernel.lockdown, Absent)
    assert isinstance(facts({}).kernel.lockdown, Unknown)


def writable(mounts: str, **more: str) -> bool | None:
    found = facts({"proc/self/mountinfo": mounts} | more).kernel.writable
    return found.value if isinstance(found, Known) else None


def test_settings_can_be_written_where_proc_sys_is_mounted_for_it() -> None:
    proc = "20 1 0:18 / /proc rw,relatime - proc proc rw\n"
    assert writable(proc) is True
    assert writable(f"{proc}21 20 0:18 /sys /proc/sys ro,relatime - proc proc rw\n") is False
    assert writable("20 1 0:18 / / rw - ext4 /dev/vda rw\n") is None
    assert writable(proc, **{"proc/self/uid_map": "         0     100000      65536\n"}) is False
    assert writable(proc, **{"proc/self/uid_map": "         0          0 4294967295\n"}) is True


def sysfs_writable(mounts: str, **more: str) -> bool | None:
    found = facts({"proc/self/mountinfo": mounts} | more).kernel.sysfs_writable
    return found.value if isinstance(found, Known) else None


def test_knobs_in_sysfs_can_be_written_where_it_is_mounted_for_it() -> None:
    both = "20 1 0:18 / /proc rw - proc proc rw\n21 1 0:19 / /sys {} - sysfs sysfs {}\n"
    assert sysfs_writable(both.format("rw", "rw")) is True
    assert sysfs_writable(both.format("ro,nosuid", "rw")) is False
    assert sysfs_writable(both.format("rw", "ro")) is False
    assert sysfs_writable("20 1 0:18 / / rw - ext4 /dev/vda rw\n") is None
    owned = {"proc/self/uid_map": "         0     100000      65536\n"}
    assert sysfs_writable(both.format("rw", "rw"), **owned) is False


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
    found = facts({path: "always [madvise] never\n"})
    assert found.memory.transparent_huge_pages == Known("madvise", f"/{path}")
    assert found.kernel.settings["thp.enabled"] == Known("madvise", f"/{path}")


def test_a_kernel_without_transparent_huge_pages_has_none() -> None:
    found = facts({"sys/kernel/mm/ksm/run": "0\n"})
    assert isinstance(found.memory.transparent_huge_pages, Absent)


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
    found = facts(files).memory.page_size
    assert isinstance(found, Known)
    assert found.value == Bytes(size * KIB)


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
    found = facts(files).host.architecture
    assert isinstance(found, Known)
    assert found.value == name


def test_the_byte_order_of_power_is_not_guessed() -> None:
    assert isinstance(facts({"proc/cpuinfo": "processor : 0\ncpu : POWER9\n"}).host.architecture, Unknown)
