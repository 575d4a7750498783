"""Which sizes of huge pages the kernel offers, and whether it makes them by itself."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown, known_or
from tunewiz.core.values.units import KIB, Bytes

PARENT = "/sys/kernel/mm"
FOLDER = f"{PARENT}/hugepages"
TRANSPARENT = (f"{PARENT}/transparent_hugepage", f"{PARENT}/redhat_transparent_hugepage")
"""Where the switches stand; the second is Red Hat's before version 7."""

NODES = "/sys/devices/system/node"
"""Here each node has a folder like FOLDER for its share of the pages."""
_SIZE = re.compile(r"hugepages-([0-9]{1,12})kB")
_NODE = re.compile(r"node[0-9]{1,5}")


def sizes_in(system: System, folder: str) -> Fact[frozenset[Bytes]]:
    """The sizes for which a folder has one of its own, `hugepages-2048kB`."""
    listing = file_values.names(system, folder)
    if not isinstance(listing, Known):
        return listing
    matches = (_SIZE.fullmatch(name) for name in listing.value)
    return Known(frozenset(Bytes(int(matched[1]) * KIB) for matched in matches if matched), folder)


def read_sizes(system: System, default: MaybeFact[Bytes]) -> MaybeFact[tuple[Bytes, ...]]:
    """All sizes, smallest first; the default alone where the kernel does not list them."""
    sizes = sizes_in(system, FOLDER)
    if isinstance(sizes, Known) and sizes.value:
        return _agreed(system, sizes.value)
    match default:
        case Known(size, how) if system.complete:
            return Known((size,), how)
        case Known():
            return sizes if isinstance(sizes, Unknown) else Unknown(f"expected folders hugepages-*: {FOLDER}")
        case Absent(how):
            return Absent(how)
        case Unknown(why):
            return Unknown(f"{sizes.why}; {why}" if isinstance(sizes, Unknown) else why)


def _agreed(system: System, sizes: frozenset[Bytes]) -> Fact[tuple[Bytes, ...]]:
    """A capture may lack one of the folders: each node has the same ones, and only with those it is sure."""
    if not system.complete:
        of_nodes = [known_or(sizes_in(system, folder), frozenset[Bytes]()) for folder in _of_nodes(system)]
        if not of_nodes or any(row != sizes for row in of_nodes):
            return Unknown(f"the capture may lack some: {NODES}/node*/hugepages does not show the same ones")
    return Known(tuple(sorted(sizes)), f"{FOLDER}/hugepages-*")


def _of_nodes(system: System) -> tuple[str, ...]:
    listing = file_values.names(system, NODES)
    names = listing.value if isinstance(listing, Known) else ()
    return tuple(f"{NODES}/{name}/hugepages" for name in names if _NODE.fullmatch(name))


def transparent_folder(system: System) -> str:
    """The folder of the switches for transparent huge pages."""
    return next((path for path in TRANSPARENT if system.exists(path)), TRANSPARENT[0])


def read_transparent(system: System) -> MaybeFact[str]:
    """The active word for transparent huge pages; absent where the kernel was built without them."""
    fact = file_values.active(system, f"{transparent_folder(system)}/enabled")
    siblings = file_values.names(system, PARENT)
    switches = {path.rpartition("/")[2] for path in TRANSPARENT}
    if isinstance(fact, Unknown) and isinstance(siblings, Known) and not switches & set(siblings.value):
        how = f"no {TRANSPARENT[0]}: this kernel has no transparent huge pages"
        return file_values.absent(system, TRANSPARENT[0], how)
    return fact
