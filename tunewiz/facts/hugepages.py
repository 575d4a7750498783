"""Which sizes of huge pages the kernel offers, and whether it makes them by itself."""

from __future__ import annotations

import re

from tunewiz.core.known import Absent, Known, MaybeFact, Unknown
from tunewiz.core.units import KIB, Bytes
from tunewiz.facts import reading
from tunewiz.system import System

PARENT = "/sys/kernel/mm"
FOLDER = f"{PARENT}/hugepages"
TRANSPARENT = (f"{PARENT}/transparent_hugepage", f"{PARENT}/redhat_transparent_hugepage")
"""Where the switches stand; the second is Red Hat's before version 7."""

_SIZE = re.compile(r"hugepages-([0-9]{1,12})kB")


def read_sizes(system: System, default: MaybeFact[Bytes]) -> MaybeFact[tuple[Bytes, ...]]:
    """All sizes, smallest first; the default alone where sysfs does not list them."""
    listing = reading.names(system, FOLDER)
    if isinstance(listing, Known):
        matches = (_SIZE.fullmatch(name) for name in listing.value)
        sizes = sorted(Bytes(int(matched[1]) * KIB) for matched in matches if matched)
        if sizes:
            return Known(tuple(sizes), f"{FOLDER}/hugepages-*")
    match default:
        case Known(size, how):
            return Known((size,), how)
        case Absent(how):
            return Absent(how)
        case Unknown(why):
            return Unknown(f"{listing.why}; {why}" if isinstance(listing, Unknown) else why)


def transparent_folder(system: System) -> str:
    """The folder of the switches for transparent huge pages."""
    return next((path for path in TRANSPARENT if system.exists(path)), TRANSPARENT[0])


def read_transparent(system: System) -> MaybeFact[str]:
    """The active word for transparent huge pages; absent where the kernel was built without them."""
    found = reading.active(system, f"{transparent_folder(system)}/enabled")
    siblings = reading.names(system, PARENT)
    switches = {path.rpartition("/")[2] for path in TRANSPARENT}
    if isinstance(found, Unknown) and isinstance(siblings, Known) and not switches & set(siblings.value):
        return Absent(f"no {TRANSPARENT[0]}: this kernel has no transparent huge pages")
    return found
