"""Machines with boot entries of their own: GRUB as on Fedora, systemd-boot, zipl as on IBM Z."""

from dataclasses import dataclass
from pathlib import Path

from pretend_root import PretendRoot, make_root
from small_host import put_program

RELEASE = "5.14.0-503.el9.x86_64"
MACHINE = "3f2a6c0d9b1e4f58a7c6d5e4f3a2b1c0"
ID = f"{MACHINE}-{RELEASE}"
OPTIONS = "root=UUID=1 ro quiet"
TITLE = f"Red Hat Enterprise Linux ({RELEASE}) 9.5 (Plow)"
ENTRY = f"""title {TITLE}
version {RELEASE}
linux /vmlinuz-{RELEASE}
initrd /initramfs-{RELEASE}.img
options {OPTIONS}
grub_users $grub_users
grub_class rhel
"""
OLD = ENTRY.replace("5.14.0-503", "5.14.0-427")
CMDLINE = f"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-{RELEASE} {OPTIONS}\n"
GRUB_CFG = """if [ "${next_entry}" ] ; then
   set default="${next_entry}"
else
   set default="${saved_entry}"
fi
insmod blscfg
blscfg
"""
GRUB_ENV = f"# GRUB Environment Block\nsaved_entry={ID}\nboot_success=1\n" + "#" * 40
ZIPL_CONF = f"[defaultboot]\ndefaultauto\nprompt=1\ntimeout=5\ndefault={TITLE}\ntarget=/boot\n"
ZIPL = """#!/bin/sh
# What the machine would boot: a copy of the entries at the time of this run.
[ ! -e "${TUNEWIZ_ROOT%/*}/fail" ] || { echo 'zipl: no space' >&2; exit 1; }
cat "$TUNEWIZ_ROOT"/boot/loader/entries/*.conf >"$TUNEWIZ_ROOT/boot/bootmap"
"""
_VENDOR = "4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"


@dataclass(frozen=True, kw_only=True, slots=True)
class BootMachine:
    """A machine, where it keeps its entries, and the path that a bundle's has there."""

    machine: PretendRoot
    entry: str
    ours: str
    cmdline: str

    def boot_ours(self) -> None:
        """As if it had been booted with the bundle's entry."""
        options = self.machine.read(self.ours).partition("\noptions ")[2].partition("\n")[0]
        self.machine.write("/proc/cmdline", self.cmdline.replace(OPTIONS, options))


def _put_kernel(made: PretendRoot, cmdline: str) -> None:
    made.write("/proc/sys/kernel/osrelease", f"{RELEASE}\n")
    made.write("/proc/cmdline", cmdline)
    made.write(f"/boot/vmlinuz-{RELEASE}", "")


def put_grub(made: PretendRoot) -> BootMachine:
    """Has GRUB boot the machine: it reads its entries from files, and knows its default by name."""
    entries = "/boot/loader/entries"
    _put_kernel(made, CMDLINE)
    made.write(f"{entries}/{ID}.conf", ENTRY)
    made.write(f"{entries}/{MACHINE}-5.14.0-427.el9.x86_64.conf", OLD)
    made.write("/boot/grub2/grub.cfg", GRUB_CFG)
    made.write("/boot/grub2/grubenv", GRUB_ENV)
    return BootMachine(
        machine=made, entry=f"{entries}/{ID}.conf", ours=f"{entries}/{ID}-tunewiz.conf", cmdline=CMDLINE
    )


def grub_machine(directory: Path) -> BootMachine:
    """A machine with GRUB."""
    return put_grub(make_root(directory))


def put_variable(machine: PretendRoot, name: str, value: str) -> None:
    """A variable of the firmware as systemd-boot writes it."""
    path = machine.path(f"/sys/firmware/efi/efivars/{name}-{_VENDOR}")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x06\0\0\0" + f"{value}\0".encode("utf-16-le"))


def systemd_boot_machine(directory: Path) -> BootMachine:
    """systemd-boot, whose default is a pattern."""
    cmdline = f"initrd=\\{MACHINE}\\{RELEASE}\\initrd {OPTIONS}\n"
    made, entries = make_root(directory), "/efi/loader/entries"
    _put_kernel(made, cmdline)
    paths = ENTRY.replace("/vmlinuz-", f"/{MACHINE}/").replace(f"/{RELEASE}\n", f"/{RELEASE}/linux\n")
    made.write(f"{entries}/{ID}.conf", paths)
    made.write("/efi/loader/loader.conf", f"timeout 3\ndefault {MACHINE}-*\n")
    put_variable(made, "LoaderInfo", "systemd-boot 252")
    put_variable(made, "LoaderEntrySelected", f"{ID}.conf")
    return BootMachine(
        machine=made, entry=f"{entries}/{ID}.conf", ours=f"{entries}/tunewiz-{ID}.conf", cmdline=cmdline
    )


def zipl_machine(directory: Path) -> BootMachine:
    """zipl, which boots what it wrote down when it last ran."""
    cmdline = f"{OPTIONS} BOOT_IMAGE=0\n"
    made, entries = make_root(directory), "/boot/loader/entries"
    _put_kernel(made, cmdline)
    made.write(f"{entries}/{ID}.conf", ENTRY)
    made.write(f"{entries}/{MACHINE}-5.14.0-427.el9.x86_64.conf", OLD)
    made.write("/etc/zipl.conf", ZIPL_CONF)
    made.write("/boot/bootmap", OLD + ENTRY)
    put_program(made, "zipl", ZIPL)
    return BootMachine(
        machine=made, entry=f"{entries}/{ID}.conf", ours=f"{entries}/{ID}-tunewiz.conf", cmdline=cmdline
    )


LOADERS = {"grub": grub_machine, "systemd-boot": systemd_boot_machine, "zipl": zipl_machine}
