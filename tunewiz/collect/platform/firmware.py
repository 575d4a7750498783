"""What the firmware says about a hypervisor: DMI tables on x86 and servers with Arm, else the device tree."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.platform.smbios import read_virtual_bit
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

DMI = "/sys/class/dmi/id"
TREE = "/proc/device-tree"

_DMI_FILES = ("product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version", "bios_version")
_OF_DMI = (
    ("KVM", "kvm"),
    ("OpenStack", "kvm"),
    ("KubeVirt", "kvm"),
    ("Harvester", "kvm"),
    ("CloudStack", "kvm"),
    ("Apache CloudStack", "kvm"),
    ("Apache Software Foundation", "kvm"),
    ("RHEV Hypervisor", "kvm"),
    ("oVirt", "kvm"),
    ("VMware", "vmware"),
    ("VMW", "vmware"),
    ("innotek GmbH", "virtualbox"),
    ("VirtualBox", "virtualbox"),
    ("HVM domU", "xen"),
    ("Xen", "xen"),
    ("Bochs", "qemu"),
    ("BOCHS", "qemu"),
    ("QEMU", "qemu"),
    ("Parallels", "parallels"),
    ("BHYVE", "bhyve"),
    ("Apple Virtualization", "apple"),
    ("Virtual Machine", "hyperv"),
    ("Hyper-V", "hyperv"),
)
"""How names of guests begin, as systemd-detect-virt(1) and virt-what(1) know them; exact ones first."""

_OF_MAKERS = (
    ("Google", "kvm"),
    ("Alibaba Cloud", "kvm"),
    ("DigitalOcean", "kvm"),
    ("Hetzner", "kvm"),
    ("Scaleway", "kvm"),
    ("Nutanix", "kvm"),
    ("Tencent Cloud", "kvm"),
    ("Huawei Cloud", "kvm"),
    ("Exoscale", "kvm"),
    ("UpCloud", "kvm"),
    ("Vultr", "kvm"),
    ("Linode", "kvm"),
    ("Akamai", "kvm"),
    ("Yandex", "kvm"),
    ("Oracle Corporation", "virtualbox"),
)
"""Makers of guests who let or sell whole machines under the same name."""

_GUEST_FIRMWARE = ("EFI Development Kit II / OVMF", "distribution of EDK II")
"""Builds of EDK II for guests alone, by the vendor that they name; plain `EDK II` is on boards too."""

_METAL = ".metal"
_COMPATIBLE = f"{TREE}/hypervisor/compatible"
_OF_TREE = (("linux,kvm", "kvm"), ("xen", "xen"), ("vmware", "vmware"))


def read_dmi(system: System, *, metal: bool) -> Fact[str]:
    """The hypervisor that the DMI tables name; unknown where they name none.

    Args:
        system: The machine.
        metal: Whether the processor shows that no hypervisor is under it, whatever the maker's name.
    """
    result = [file_values.word(system, f"{DMI}/{name}") for name in _DMI_FILES]
    known = [fact for fact in result if isinstance(fact, Known)]
    if guest := _named(known, _OF_DMI):
        return guest
    for fact in known:
        if fact.value.startswith("Amazon EC2"):
            return _amazon(known, fact, metal=metal)
    if not metal and (maker := _named(known, _OF_MAKERS)):
        return maker
    return Unknown(f"no hypervisor is named: {DMI}") if known else file_values.first(result)


def _named(known: list[Known[str]], names: tuple[tuple[str, str], ...]) -> Known[str] | None:
    for beginning, name in names:
        for fact in known:
            if fact.value.startswith(beginning):
                return Known(name, f"{fact.how}: {fact.value}")
    return None


def read_guest_firmware(system: System) -> Fact[str]:
    """A guest whose hypervisor nothing names: its firmware says so, or is one that only guests have."""
    bit = read_virtual_bit(system)
    if isinstance(bit, Known) and bit.value:
        return Known("other", f"{bit.how}: a virtual machine")
    vendor = file_values.word(system, f"{DMI}/bios_vendor")
    if isinstance(vendor, Known) and any(name in vendor.value for name in _GUEST_FIRMWARE):
        return Known("other", f"{vendor.how}: {vendor.value}")
    return Unknown("the firmware is not known for a guest's")


def _amazon(known: list[Known[str]], vendor: Known[str], *, metal: bool) -> Fact[str]:
    """Amazon's instances are guests of KVM, older ones of Xen; whole machines have names ending in .metal."""
    values = {fact.how.rpartition("/")[2]: fact.value for fact in known}
    how = f"{vendor.how}: {vendor.value}"
    if metal or _METAL in values.get("product_name", ""):
        return Known("none", f"{DMI}/product_name: {values.get('product_name', '')}")
    xen = "xen" in f"{values.get('bios_vendor', '')} {values.get('product_name', '')}".lower()
    return Known("xen" if xen else "kvm", how)


def read_device_tree(system: System) -> Fact[str]:
    """The hypervisor that the device tree names, and the signs by which QEMU and PowerVM are known."""
    if system.exists(_COMPATIBLE):
        return _of_tree(system)
    if system.exists(f"{TREE}/ibm,partition-name"):
        return Known("powervm", f"{TREE}/ibm,partition-name")
    return _emulated(system)


def _of_tree(system: System) -> Fact[str]:
    hypervisor = file_values.first_string(system, _COMPATIBLE)
    if not isinstance(hypervisor, Known):
        return hypervisor
    for beginning, name in _OF_TREE:
        if hypervisor.value.startswith(beginning):
            return Known(name, f"{_COMPATIBLE}: {beginning}")
    return Known("other", f"{_COMPATIBLE}: {hypervisor.value}")


def _emulated(system: System) -> Fact[str]:
    entries = file_values.names(system, TREE)
    if not isinstance(entries, Known):
        return entries
    for name in entries.value:
        if name.startswith("fw-cfg@"):
            return Known("qemu", f"{TREE}/{name}")
    for name in ("model", "compatible"):
        content = file_values.text(system, f"{TREE}/{name}")
        if isinstance(content, Known) and ("qemu" in content.value or "dummy-virt" in content.value):
            return Known("qemu", content.how)
        if isinstance(content, Known) and "powernv" in content.value:
            return Known("none", content.how)
    return Unknown(f"no hypervisor is named: {TREE}")
