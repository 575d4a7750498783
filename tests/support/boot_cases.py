"""What may be otherwise around a boot loader: cases in which it takes a second entry, and others."""

from collections.abc import Callable

from boot_machines import (
    ENTRY,
    GRUB_CFG,
    GRUB_ENV,
    ID,
    MACHINE,
    OPTIONS,
    TITLE,
    ZIPL_CONF,
    BootMachine,
    put_variable,
)

ENTRIES = "/boot/loader/entries"


def writes(path: str, content: str) -> Callable[[BootMachine], None]:
    return lambda booted: booted.machine.write(path, content)


def variable(name: str, value: str) -> Callable[[BootMachine], None]:
    return lambda booted: put_variable(booted.machine, name, value)


def without_entries(booted: BootMachine) -> None:
    booted.machine.path("/boot/loader").rename(booted.machine.path("/boot/kept"))


def linked(booted: BootMachine) -> None:
    booted.machine.path("/boot/loader").rename(booted.machine.path("/boot/loader.0"))
    booted.machine.path("/boot/loader").symlink_to("loader.0")


def entry_is_a_link(booted: BootMachine) -> None:
    booted.machine.path(booted.entry).rename(booted.machine.path("/boot/elsewhere"))
    booted.machine.path(booted.entry).symlink_to("../../elsewhere")


def petitboot(booted: BootMachine) -> None:
    booted.machine.path("/sys/firmware/opal").mkdir(parents=True)


def without_zipl(booted: BootMachine) -> None:
    booted.machine.path("/usr/bin/zipl").unlink()


def in_two_places(booted: BootMachine) -> None:
    booted.machine.write(f"/boot/loader/entries/{ID}.conf", ENTRY)


def name_with_a_blank(booted: BootMachine) -> None:
    booted.machine.path(booted.entry).rename(booted.machine.path(f"{ENTRIES}/my own.conf"))
    booted.machine.write("/boot/grub2/grubenv", GRUB_ENV.replace("503", "427"))


def default_is(name: str) -> Callable[[BootMachine], None]:
    """An entry of that name, which is the default."""

    def change(booted: BootMachine) -> None:
        booted.machine.write(f"{ENTRIES}/{name}.conf", ENTRY.replace("quiet", "single"))
        booted.machine.write("/boot/grub2/grubenv", f"saved_entry={name}\n")

    return change


EDITED = f"BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.14.0-503.el9.x86_64 {OPTIONS} single\n"
REFUSED = {
    "no directory of entries": ("grub", without_entries, "no /boot/loader/entries"),
    "grub.cfg has its own entries": ("grub", writes("/boot/grub2/grub.cfg", "menuentry\n"), "(blscfg)"),
    "the first entry is the default": (
        "grub",
        writes("/boot/grub2/grub.cfg", GRUB_CFG.replace("${saved_entry}", "0")),
        "does not choose the default by name",
    ),
    "the firmware's own copy chooses otherwise": (
        "grub",
        writes("/boot/efi/EFI/redhat/grub.cfg", "blscfg\n"),
        "/boot/efi/EFI/redhat/grub.cfg does not choose the default by name",
    ),
    "no default is saved": (
        "grub",
        writes("/boot/grub2/grubenv", "# GRUB Environment Block\n"),
        "names no",
    ),
    "the default is a number": ("grub", default_is("0"), "names no"),
    "the default's name needs quotes": ("grub", default_is("my own"), "names no"),
    "the default is gone": (
        "grub",
        writes("/boot/grub2/grubenv", GRUB_ENV.replace("503", "999")),
        "names no",
    ),
    "ostree keeps the entries": ("grub", linked, "/boot/loader is a link"),
    "Petitboot": ("grub", petitboot, "Petitboot"),
    "booted with a word more": (
        "grub",
        writes("/proc/cmdline", EDITED),
        "no entry in /boot/loader/entries matches",
    ),
    "another kernel runs": ("grub", writes("/proc/sys/kernel/osrelease", "6.1.0\n"), "no entry in"),
    "started by kexec, which tells no image": (
        "grub",
        writes("/proc/cmdline", f"{OPTIONS}\n"),
        "no entry in /boot/loader/entries matches",
    ),
    "a name that needs quotes": ("grub", name_with_a_blank, "no entry in /boot/loader/entries matches"),
    "two entries of the same": ("grub", writes(f"{ENTRIES}/copy.conf", ENTRY), "several entries in"),
    "the entry is a link": ("grub", entry_is_a_link, "no entry in /boot/loader/entries matches"),
    "options on two lines": (
        "grub",
        writes(f"{ENTRIES}/{ID}.conf", ENTRY.replace(" ro", "\noptions ro")),
        "no entry in /boot/loader/entries matches",
    ),
    "two titles": (
        "grub",
        writes(f"{ENTRIES}/{ID}.conf", f"title other\n{ENTRY}"),
        "has no title, or several",
    ),
    "something of that name is there": (
        "grub",
        writes(f"{ENTRIES}/{ID}-tunewiz.conf", "title mine\n"),
        "found different content",
    ),
    "systemd-boot has no default": (
        "systemd-boot",
        writes("/efi/loader/loader.conf", "timeout 3\n"),
        "no default by name",
    ),
    "systemd-boot boots what was booted last": (
        "systemd-boot",
        writes("/efi/loader/loader.conf", "default @saved\n"),
        "no default by name",
    ),
    "the pattern fits every entry": (
        "systemd-boot",
        writes("/efi/loader/loader.conf", "default *\n"),
        "would match a second entry too",
    ),
    "the pattern fits none": ("systemd-boot", variable("LoaderEntryDefault", "auto-windows"), "is none of"),
    "it started an image of its own": (
        "systemd-boot",
        variable("LoaderEntrySelected", "linux.efi"),
        "no entry",
    ),
    "the entry lies in two places": ("systemd-boot", in_two_places, "lies in several places"),
    "zipl has no default by name": (
        "zipl",
        writes("/etc/zipl.conf", ZIPL_CONF.replace(f"default={TITLE}\n", "")),
        "default= of /etc/zipl.conf names no",
    ),
    "zipl has a menu of its own": (
        "zipl",
        writes("/etc/zipl.conf", ZIPL_CONF.replace("defaultauto", "defaultmenu=menu")),
        "no defaultauto",
    ),
    "the default stands in another section": (
        "zipl",
        writes("/etc/zipl.conf", ZIPL_CONF.replace("default=", "[other]\ndefault=")),
        "default= of /etc/zipl.conf names no",
    ),
    "two entries of the default's title": (
        "zipl",
        writes(f"{ENTRIES}/{MACHINE}-0.conf", ENTRY.replace("quiet", "single")),
        "names no",
    ),
    "another zipl.conf is read": ("zipl", writes("/run/zipl/zipl.conf", ZIPL_CONF), "/run/zipl/zipl.conf"),
    "zipl is missing": ("zipl", without_zipl, "zipl was not found"),
}


TAKEN = {
    "another entry has all but the image": (
        "grub",
        writes(f"{ENTRIES}/other.conf", ENTRY.replace("linux /vmlinuz-", "linux /other-")),
    ),
    "an entry without its version": (
        "grub",
        writes(f"{ENTRIES}/{ID}.conf", ENTRY.replace("version ", "# version ")),
    ),
    "a copy that was not booted": (
        "systemd-boot",
        writes("/efi/loader/entries/copy.conf", ENTRY),
    ),
    "the default of the firmware wins over loader.conf": (
        "systemd-boot",
        variable("LoaderEntryDefault", f"{ID}.conf"),
    ),
    "a default in quotes": (
        "zipl",
        writes("/etc/zipl.conf", ZIPL_CONF.replace(f"default={TITLE}", f'  default = "{TITLE}"')),
    ),
    "blanks around the default": (
        "zipl",
        writes("/etc/zipl.conf", ZIPL_CONF.replace(f"default={TITLE}", f"default={TITLE} \t")),
    ),
    "a stub in the firmware's partition": (
        "grub",
        writes("/boot/efi/EFI/redhat/grub.cfg", "configfile $prefix/grub.cfg\n"),
    ),
    "another entry is the default": (
        "grub",
        writes("/boot/grub2/grubenv", GRUB_ENV.replace(ID, f"{MACHINE}-5.14.0-427.el9.x86_64")),
    ),
}
