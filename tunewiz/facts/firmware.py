"""What the firmware says about a hypervisor: DMI tables on x86 and servers with Arm, else the device tree."""

from __future__ import annotations

from tunewiz.core.known import Fact, Known, Unknown
from tunewiz.facts import reading
from tunewiz.system import System

DMI = "/sys/class/dmi/id"
TREE = "/proc/device-tree"

_DMI_FILES = ("product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version", "bios_version")
_OF_DMI = (
    ("KVM", "kvm"),
    ("OpenStack", "kvm"),
    ("RHEV Hypervisor", "kvm"),
    ("oVirt", "kvm"),
    ("Nutanix", "kvm"),
    ("Google Compute Engine", "kvm"),
    ("Alibaba Cloud", "kvm"),
    ("DigitalOcean", "kvm"),
    ("Hetzner", "kvm"),
    ("Scaleway", "kvm"),
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
)
"""How names begin, as systemd-detect-virt(1) and virt-what(1) know them; the more exact ones first."""

_METAL = ".metal"
_OF_TREE = (("linux,kvm", "kvm"), ("xen", "xen"), ("vmware", "vmware"))


def read_dmi(system: System) -> Fact[str]:
    """The hypervisor that the DMI tables name; unknown where they name none."""
    found = [reading.word(system, f"{DMI}/{name}") for name in _DMI_FILES]
    known = [fact for fact in found if isinstance(fact, Known)]
    for fact in known:
        if fact.value.startswith("Amazon EC2"):
            return _amazon(known, fact)
    for beginning, name in _OF_DMI:
        for fact in known:
            if fact.value.startswith(beginning):
                return Known(name, f"{fact.how}: {fact.value}")
    return Unknown(f"no hypervisor is named: {DMI}") if known else reading.first(found)


def _amazon(known: list[Known[str]], vendor: Known[str]) -> Fact[str]:
    """Amazon's instances are guests of KVM, older ones of Xen; whole machines have names ending in .metal."""
    values = {fact.how.rpartition("/")[2]: fact.value for fact in known}
    how = f"{vendor.how}: {vendor.value}"
    if _METAL in values.get("product_name", ""):
        return Known("none", f"{DMI}/product_name: {values['product_name']}")
    xen = "xen" in f"{values.get('bios_vendor', '')} {values.get('product_name', '')}".lower()
    return Known("xen" if xen else "kvm", how)


def read_device_tree(system: System) -> Fact[str]:
    """The hypervisor that the device tree names, and the signs by which QEMU and PowerVM are known."""
    hypervisor = reading.text(system, f"{TREE}/hypervisor/compatible")
    if isinstance(hypervisor, Known):
        for beginning, name in _OF_TREE:
            if hypervisor.value.startswith(beginning):
                return Known(name, f"{hypervisor.how}: {beginning}")
    if system.exists(f"{TREE}/ibm,partition-name"):
        return Known("powervm", f"{TREE}/ibm,partition-name")
    return _emulated(system)


def _emulated(system: System) -> Fact[str]:
    entries = reading.names(system, TREE)
    if not isinstance(entries, Known):
        return entries
    for name in entries.value:
        if name.startswith("fw-cfg@"):
            return Known("qemu", f"{TREE}/{name}")
    for name in ("model", "compatible"):
        content = reading.text(system, f"{TREE}/{name}")
        if isinstance(content, Known) and ("qemu" in content.value or "dummy-virt" in content.value):
            return Known("qemu", content.how)
        if isinstance(content, Known) and "powernv" in content.value:
            return Known("none", content.how)
    return Unknown(f"no hypervisor is named: {TREE}")
