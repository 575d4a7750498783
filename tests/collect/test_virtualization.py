"""Hypervisors and containers, from the files that tell them."""

import pytest

from recorded_machines import facts
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

DMI = "sys/class/dmi/id"
CLOCKS = "sys/devices/system/clocksource/clocksource0/available_clocksource"
UPPER = "upperdir=/var/lib/docker/overlay2/x"

GUEST = {"proc/cpuinfo": "processor\t: 0\nflags\t\t: lm hypervisor\n\n"}
METAL = {"proc/cpuinfo": "processor\t: 0\nflags\t\t: lm\n\n"}
POWER = "processor : 0\ncpu : POWER9\n\ntimebase : 1\nplatform : pSeries\nmachine : CHRP {}\n"


def bound(point: str, root: str) -> dict[str, str]:
    """One file or folder that is mounted from another place of the same disk."""
    return {"proc/self/mountinfo": f"1 1 8:1 {root} {point} rw - ext4 /dev/sda1 rw\n"}


def hypervisor(files: dict[str, str]) -> str | None:
    ended = {path: text if text.endswith(("\n", "\0")) else f"{text}\n" for path, text in files.items()}
    fact = facts(ended).virtualization.hypervisor
    return fact.value if isinstance(fact, Known) else None


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
    fact = container(files)
    assert isinstance(fact, Known)
    assert fact.value == name


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
