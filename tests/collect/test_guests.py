"""Guests that no list names, whole machines of clouds, containers of unknown engines."""

from pathlib import Path

import pytest

from collected import SHELLS, collected, make
from recorded_machines import facts, machine
from tunewiz.collect.captured import RecordedSystem, RootedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.collect.platform.smbios import read_virtual_bit
from tunewiz.core.facts.storage_kind import kind_of
from tunewiz.core.values.known import Absent, Known, MaybeFact, MissingFact, Unknown

DMI = "sys/class/dmi/id"
ENTRY = "sys/firmware/dmi/entries/0-0/raw"
TABLES = "sys/firmware/dmi/tables/DMI"
ARM = "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\nFeatures : fp asimd\n\n"
X86 = "processor : 0\nvendor_id : GenuineIntel\nmodel name : Xeon\nflags : fpu lm{}\nbugs : spectre_v1\n\n"
SECRET = b"serial-hunter2"


def bios(*, virtual: bool) -> bytes:
    """The structure about the firmware with the texts after it."""
    extended = bytes([0x03, 0x1C if virtual else 0x0C])
    return bytes([0, 24, 0, 0]) + bytes(14) + extended + bytes(4) + b"EDK II\x001.0\x00\x00"


def other(kind: int, *texts: bytes) -> bytes:
    return bytes([kind, 10, 1, 0]) + bytes(6) + b"".join(text + b"\0" for text in texts or (b"",)) + b"\0"


def hypervisor(cpuinfo: str, dmi: dict[str, str], bit: bytes | None = None) -> MaybeFact[str]:
    files = {f"{DMI}/{name}": f"{content}\n".encode() for name, content in dmi.items()}
    firmware = {} if bit is None else {ENTRY: bit}
    recorded_system = RecordedSystem({"proc/cpuinfo": cpuinfo.encode(), **files, **firmware}, complete=True)
    return read_machine(recorded_system).virtualization.hypervisor


def value(fact: MaybeFact[str]) -> str | None:
    return fact.value if isinstance(fact, Known) else None


NAMELESS = {"sys_vendor": "Small Cloud Ltd", "product_name": "Standard M", "bios_vendor": "Small Cloud Ltd"}


def test_a_guest_on_arm_that_no_list_names_is_known_by_its_firmware_s_bit() -> None:
    fact = hypervisor(ARM, NAMELESS, bios(virtual=True))
    assert fact == Known("other", f"/{ENTRY}: a virtual machine")


def test_a_machine_on_arm_whose_firmware_lacks_the_bit_is_none() -> None:
    assert value(hypervisor(ARM, NAMELESS, bios(virtual=False))) == "none"


def test_a_machine_on_arm_whose_bit_may_not_be_read_is_unknown() -> None:
    fact = hypervisor(ARM, NAMELESS)
    assert isinstance(fact, Unknown)
    assert ENTRY in fact.why


@pytest.mark.parametrize(
    ("vendor", "expected"),
    [
        ("EFI Development Kit II / OVMF", "other"),
        ("Debian distribution of EDK II", "other"),
        ("Ubuntu distribution of EDK II", "other"),
        ("EDK II", None),
        ("Ampere(R)", None),
        ("https://github.com/pftf/RPi4", None),
    ],
)
def test_builds_of_edk_ii_for_guests_are_known_and_plain_ones_are_not(
    vendor: str, expected: str | None
) -> None:
    assert value(hypervisor(ARM, {**NAMELESS, "bios_vendor": vendor})) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("KubeVirt", "kvm"), ("CloudStack KVM Hypervisor", "kvm"), ("OpenStack Nova", "kvm"), ("KVM", "kvm"),
     ("Harvester", "kvm"), ("QEMU KVM Virtual Machine", "qemu"), ("VMware20,1", "vmware"),
     ("BHYVE", "bhyve"), ("Apple Virtualization Generic Platform", "apple"), ("Parallels ARM", "parallels")],
)  # fmt: skip
def test_names_of_guests_are_known_on_arm(name: str, expected: str) -> None:
    assert value(hypervisor(ARM, {"product_name": name, "sys_vendor": "x"})) == expected


@pytest.mark.parametrize("vendor", ["Google", "Alibaba Cloud", "Hetzner", "Nutanix", "Tencent Cloud"])
def test_whole_machines_of_a_cloud_are_told_by_the_processor_from_its_guests(vendor: str) -> None:
    names = {"sys_vendor": vendor, "product_name": f"{vendor} Compute", "bios_vendor": vendor}
    assert value(hypervisor(X86.format(""), names)) == "none"
    assert value(hypervisor(X86.format(" hypervisor"), names)) == "kvm"
    assert value(hypervisor(ARM, names, bios(virtual=False))) == "none"
    assert value(hypervisor(ARM, names, bios(virtual=True))) == "kvm"


def test_a_hypervisor_that_hides_its_flag_is_still_named_by_its_firmware() -> None:
    assert (
        value(hypervisor(X86.format(""), {"product_name": "Standard PC (Q35)", "sys_vendor": "QEMU"}))
        == "qemu"
    )


def test_a_kernel_too_old_to_show_the_flag_leaves_the_names() -> None:
    old = X86.format("").replace("bugs : spectre_v1\n", "")
    files = {"proc/cpuinfo": old, f"{DMI}/sys_vendor": "Google\n", f"{DMI}/product_name": "Google C\n"}
    kernel = "proc/sys/kernel/osrelease"
    assert value(facts(files).virtualization.hypervisor) == "kvm"
    assert value(facts({**files, kernel: "2.6.18-398\n"}).virtualization.hypervisor) == "kvm"
    assert value(facts({**files, kernel: "6.1.0-50-amd64\n"}).virtualization.hypervisor) == "none"


POWERNV = "processor : 0\ncpu : POWER9\n\nplatform : PowerNV\nmodel : {}\nmachine : PowerNV {}\n"


@pytest.mark.parametrize(
    ("model", "tree", "expected"),
    [
        ("9006-22P", {}, "none"),
        ("IBM PowerNV (emulated by qemu)", {}, "qemu"),
        ("x", {"proc/device-tree/compatible": "qemu,powernv9\0ibm,powernv\0"}, "qemu"),
        ("x", {"proc/device-tree/compatible": "ibm,powernv\0"}, "none"),
    ],
)
def test_an_emulated_powernv_is_no_bare_metal(model: str, tree: dict[str, str], expected: str) -> None:
    files = {"proc/cpuinfo": POWERNV.format(model, model), **tree}
    assert value(facts(files).virtualization.hypervisor) == expected


def test_a_hypervisor_of_the_device_tree_that_has_no_name_here_is_one() -> None:
    tree = {"proc/device-tree/hypervisor/compatible": "acme,hypervisor-2\0", "proc/cpuinfo": ARM}
    assert value(facts(tree).virtualization.hypervisor) == "other"


@pytest.mark.parametrize("end", range(len("linux,kvm")))
def test_the_beginning_of_a_hypervisor_s_name_is_not_another_hypervisor(end: int) -> None:
    cut = {"proc/device-tree/hypervisor/compatible": "linux,kvm"[:end], "proc/cpuinfo": ARM}
    assert value(facts(cut).virtualization.hypervisor) in {None, "kvm"}


@pytest.mark.parametrize("tables", [(0, 1), (1, 0), (1, 2, 0)])
def test_the_bit_is_found_wherever_its_structure_stands(tables: tuple[int, ...]) -> None:
    content = b"".join(bios(virtual=True) if kind == 0 else other(kind, SECRET) for kind in tables)
    assert read_virtual_bit(RecordedSystem({TABLES: content})) == Known(value=True, how=f"/{TABLES}")


@pytest.mark.parametrize(
    "content", [b"", b"\0", bytes(40), b"\0\x12\0\0" + bytes(14), other(1), bios(virtual=True)[:19]]
)
def test_a_structure_that_is_too_short_for_the_bit_tells_nothing(content: bytes) -> None:
    assert isinstance(read_virtual_bit(RecordedSystem({ENTRY: content})), Unknown)


@pytest.mark.parametrize("shell", SHELLS[:2], ids=lambda shell: shell[0])
@pytest.mark.parametrize("virtual", [True, False])
def test_the_collector_takes_the_bit_and_no_serial_number(
    shell: tuple[str, ...],
    virtual: bool,  # noqa: FBT001 - a parameter of the test
    tmp_path: Path,
) -> None:
    table = other(1, SECRET) + bios(virtual=virtual) + other(2, SECRET)
    for name, content in ((TABLES, table), (ENTRY, bios(virtual=virtual))):
        root = make(tmp_path / name, {name: content, "proc/version": "Linux\n"})
        collected_system = collected(root, shell)
        bit = read_virtual_bit(collected_system)
        assert isinstance(bit, Known)
        assert bit.value is virtual
        assert bit.value == getattr(read_virtual_bit(RootedSystem(root)), "value", None)


def test_a_virtual_disk_that_rotates_is_not_believed_where_the_hypervisor_is_unknown() -> None:
    virtual = {
        "proc/cpuinfo": ARM, "proc/self/mountinfo": "9 1 254:0 / / rw - ext4 /dev/vda rw\n",
        "sys/block/vda/dev": "254:0\n", "sys/block/vda/queue/rotational": "1\n",
        **{f"{DMI}/{name}": f"{content}\n" for name, content in NAMELESS.items()},
    }  # fmt: skip
    with pytest.raises(MissingFact, match="says it rotates; a virtual disk may not know"):
        kind_of(read_machine(machine(virtual), {"data": ["/"]}), Known("/", "test"))


MOUNT = "{number} 1 0:{number} {root} {point} rw,relatime - {kind} {source} rw\n"


def mounted(*points: str, root: str = "/private/{}", kind: str = "9p") -> dict[str, str]:
    lines = [
        MOUNT.format(number=number, root=root.format(point), point=point, kind=kind, source="none")
        for number, point in enumerate(("/", *points), start=20)
    ]
    return {"proc/self/mountinfo": "".join(lines), "proc/self/cgroup": "0::/\n"}


def container(files: dict[str, str]) -> MaybeFact[str]:
    return facts(files).virtualization.container


@pytest.mark.parametrize(
    "points",
    [
        ("/etc/hosts", "/etc/hostname"),
        ("/etc/hostname", "/etc/resolv.conf"),
        ("/etc/hosts", "/etc/resolv.conf"),
    ],
)
def test_files_of_etc_as_mounts_of_their_own_mark_a_container(points: tuple[str, ...]) -> None:
    fact = container(mounted(*points))
    assert isinstance(fact, Known)
    assert fact.value == "other"
    assert all(point in fact.how for point in points)


@pytest.mark.parametrize(
    "points", [(), ("/etc/resolv.conf",), ("/etc/hosts",), ("/etc/passwd", "/etc/group")]
)
def test_one_file_of_etc_that_is_mounted_marks_none(points: tuple[str, ...]) -> None:
    assert isinstance(container(mounted(*points)), Absent)


def test_ip_netns_exec_on_a_host_is_no_container() -> None:
    fact = container(mounted("/etc/hosts", "/etc/resolv.conf", root="/etc/netns/blue{}", kind="ext4"))
    assert isinstance(fact, Absent)


def test_a_group_below_the_root_where_the_root_is_to_be_marks_a_container() -> None:
    assert isinstance(container(mounted()), Absent)
    fact = container({**mounted(), "sys/fs/cgroup/cgroup.type": "domain\n"})
    assert fact == Known("other", "/sys/fs/cgroup/cgroup.type")


@pytest.mark.parametrize(
    ("word", "name"), [("lxc-libvirt", "lxc-libvirt"), ("pouch", "pouch"), ("oci", "other")]
)
def test_what_a_container_s_manager_says_is_taken(word: str, name: str) -> None:
    files = {**mounted(), "run/host/container-manager": f"{word}\n"}
    assert container(files) == Known(name, "/run/host/container-manager")


def test_in_a_capture_nothing_proves_that_there_is_no_container() -> None:
    files = {path: text.encode() for path, text in mounted().items()}
    fact = read_machine(RecordedSystem(files, dirs=("sys/class/dmi/id",))).virtualization.container
    assert isinstance(fact, Unknown)
