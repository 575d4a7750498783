"""Kernel arguments: whether a second boot entry can add them, and how to do it by hand elsewhere."""

from __future__ import annotations

import re

from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.values.known import Known, known_or

_RED_HAT = re.compile(r"red hat|fedora|centos|rocky|alma|oracle linux", re.IGNORECASE)
_DEBIAN = re.compile(r"debian|ubuntu|mint", re.IGNORECASE)
_SUSE = re.compile(r"suse", re.IGNORECASE)
_DEBIAN_FILE = "/etc/default/grub.d/90-tunewiz.cfg"


def allows_second_entry(situation: Situation) -> bool:
    """Whether the boot loader allows a second entry that leaves its default alone."""
    return isinstance(situation.facts.kernel.loader, Known) and not situation.in_container


def commands_to_add(situation: Situation, arguments: str) -> tuple[str, ...]:
    """This distribution's commands to add the kernel arguments for every boot."""
    name, ibm_z = _distribution(situation), known_or(situation.facts.host.architecture, "") == "s390x"
    then_zipl = ("zipl",) if ibm_z else ()
    if _RED_HAT.search(name):
        return (f'grubby --update-kernel=DEFAULT --args="{arguments}"', *then_zipl)
    if _SUSE.search(name):
        return (
            f"In /etc/default/grub, add {arguments} between the quotes of GRUB_CMDLINE_LINUX_DEFAULT.",
            "update-bootloader --refresh",
        )
    if _DEBIAN.search(name) and not ibm_z:
        line = f'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT {arguments}"'
        return (f"echo '{line}' > {_DEBIAN_FILE}", "update-grub")
    where = "the line parameters= of /etc/zipl.conf" if ibm_z else "the boot loader's line for the kernel"
    return (f"Add {arguments} to {where}.", *then_zipl)


def commands_to_remove(situation: Situation, arguments: str) -> tuple[str, ...]:
    """This distribution's commands to undo it, from the next boot on."""
    name, ibm_z = _distribution(situation), known_or(situation.facts.host.architecture, "") == "s390x"
    then_zipl = ("zipl",) if ibm_z else ()
    if _RED_HAT.search(name):
        return (f'grubby --update-kernel=DEFAULT --remove-args="{arguments}"', *then_zipl)
    if _DEBIAN.search(name) and not ibm_z:
        return (f"rm {_DEBIAN_FILE}", "update-grub")
    return (f"Take {arguments} out again, in the same way, and restart the machine.",)


def _distribution(situation: Situation) -> str:
    return known_or(situation.facts.host.distribution, "")
