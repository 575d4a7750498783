"""The boot loader, if it allows a second entry beside its default (BLS files).

Only if the default is an entry by name: if the first entry is the default, a new one could become it.
A bundle's scripts ask all this again, and which entry the running kernel was booted with.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

ENTRIES = "/boot/loader/entries"
GRUB_CFG = "/boot/grub2/grub.cfg"
GRUB_ENV = "/boot/grub2/grubenv"
FIRMWARE = "/boot/efi/EFI"
"""Where GRUB's configuration is on the firmware's partition, one directory for each vendor."""
ZIPL_CONF = "/etc/zipl.conf"
PLACES = ("/efi", "/boot/efi", "/boot")
"""Where the partitions are mounted that systemd-boot reads."""
_VARIABLE = "/sys/firmware/efi/efivars/{}-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
_ATTRIBUTES = 4
"""Bytes before a variable's value (Documentation/filesystems/efivarfs)."""
_READS_ENTRIES = re.compile(r"^\s*blscfg\s*$", re.MULTILINE)
_PLAIN_NAME = re.compile(r"(?!\d+$)[A-Za-z0-9._+~-]+")
"""Not a number, which GRUB would take as an index, and nothing that needs quotes."""
_BY_NAME = 'set default="${saved_entry}"'


def read_loader(system: System) -> MaybeFact[str]:
    """`grub`, `systemd-boot` or `zipl`; absent if none allows an entry that leaves its default alone."""
    if not system.live and not system.exists("/boot"):
        return Unknown("/boot was not captured")
    try:
        return _loader(system)
    except ReadError as error:
        return Unknown(error.message)


def _loader(system: System) -> MaybeFact[str]:
    if system.exists("/sys/firmware/opal"):
        return Absent("Petitboot starts this machine: it keeps its own order of entries")
    if _is_link(system, "/boot/loader"):
        return Absent("/boot/loader is a link: ostree writes the entries")
    if _variable(system, "LoaderInfo").startswith("systemd-boot"):
        return _systemd_boot(system)
    if system.exists(ZIPL_CONF) and not system.exists(GRUB_CFG):
        return _zipl(system)
    return _grub(system)


def _grub(system: System) -> MaybeFact[str]:
    names = _names(system, ENTRIES)
    if not names:
        return Absent(f"no entries in {ENTRIES}")
    paths = (GRUB_CFG, *(f"{FIRMWARE}/{vendor}/grub.cfg" for vendor in _names(system, FIRMWARE)))
    result = [content for path in paths if _READS_ENTRIES.search(content := _content(system, path))]
    if not result:
        return Absent(f"no grub.cfg reads {ENTRIES} (blscfg)")
    if not all(_BY_NAME in content for content in result):
        return Absent("grub.cfg does not choose the default by name")
    assigned = dict(line.split("=", 1) for line in _content(system, GRUB_ENV).splitlines() if "=" in line)
    saved = assigned.get("saved_entry", "")
    if not _PLAIN_NAME.fullmatch(saved) or f"{saved}.conf" not in names:
        return Absent(
            f"saved_entry of {GRUB_ENV} names no existing entry, so the default depends on their order"
        )
    return Known("grub", GRUB_ENV)


def _zipl(system: System) -> MaybeFact[str]:
    assigned = dict(_default_boot(_content(system, ZIPL_CONF)))
    wanted = assigned.get("default", "")
    paths = (f"{ENTRIES}/{name}" for name in _names(system, ENTRIES))
    titles = [_key(_content(system, path), "title") for path in paths]
    if not wanted or titles.count(wanted) != 1:
        return Absent(
            f"default= of {ZIPL_CONF} names no entry of {ENTRIES}, so the default depends on their order"
        )
    if "defaultauto" not in assigned or system.exists("/run/zipl/zipl.conf"):
        return Absent(f"no defaultauto in {ZIPL_CONF}: its menu has no entries of {ENTRIES}")
    return Known("zipl", ZIPL_CONF)


def _default_boot(content: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in map(str.strip, content.splitlines()):
        if line.startswith("["):
            section = line
        elif section == "[defaultboot]":
            key, _, value = line.partition("=")
            yield key.strip(), value.strip().strip("\"'")


def _systemd_boot(system: System) -> MaybeFact[str]:
    selected = _variable(system, "LoaderEntrySelected")
    folders = [folder for place in PLACES if selected in _names(system, folder := f"{place}/loader/entries")]
    if len(folders) != 1:
        return Absent("systemd-boot started no entry of a file")
    said = (_key(_content(system, f"{place}/loader/loader.conf"), "default") for place in PLACES)
    default = _variable(system, "LoaderEntryDefault") or next(filter(None, said), "")
    if not default or default.startswith("@"):
        return Absent(
            "systemd-boot has no default by name, so the default depends on the order of the entries"
        )
    if not any(_fits(name, default) for name in _names(system, folders[0])) or _fits(
        f"tunewiz-{selected}", default
    ):
        return Absent(f"the default of systemd-boot, {default}, would match a second entry too")
    return Known("systemd-boot", posixpath.dirname(folders[0]))


def _fits(name: str, pattern: str) -> bool:
    return fnmatchcase(name.removesuffix(".conf"), pattern.removesuffix(".conf"))


def _key(content: str, key: str) -> str:
    """The value of the only line with the key; empty if there is none, or several."""
    result = [
        line.split(None, 1) for line in content.splitlines() if line.startswith((f"{key} ", f"{key}\t"))
    ]
    return result[0][1].strip() if len(result) == 1 and len(result[0]) > 1 else ""


def _variable(system: System, name: str) -> str:
    """What systemd-boot left in a firmware variable; empty if there is none."""
    try:
        raw = system.read_bytes(_VARIABLE.format(name))
    except ReadError:
        return ""
    return raw[_ATTRIBUTES:].decode("utf-16-le", "replace").rstrip("\0")


def _content(system: System, path: str) -> str:
    """A file's content, empty if there is none; raises ReadError if it may not be read."""
    try:
        return system.read_text(path)
    except ReadError as error:
        if error.reason == "missing":
            return ""
        raise


def _names(system: System, folder: str) -> tuple[str, ...]:
    try:
        return system.listdir(folder)
    except ReadError as error:
        if error.reason == "missing":
            return ()
        raise


def _is_link(system: System, path: str) -> bool:
    try:
        system.readlink(path)
    except ReadError:
        return False
    return True
