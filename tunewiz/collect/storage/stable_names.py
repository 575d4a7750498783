"""Persistent names of disks: sda may be sdb after a reboot, but udev keeps its link under /dev/disk."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping

from tunewiz.collect import file_values
from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

_FOLDERS = ("/dev/disk/by-id", "/dev/disk/by-path")
"""What the disk itself is called, then where it is attached."""
_KINDS = ("wwn-", "nvme-", "ccw-", "virtio-", "dm-uuid-", "md-uuid-", "scsi-", "ata-", "mmc-", "usb-")
"""Names by the more general identity first: one disk has several."""


class StableNames:
    """The links under /dev/disk, read once for all disks."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._of_disk: Mapping[str, str] = dict(sorted(_links(system), key=_rank, reverse=True))

    def of(self, disk: str) -> MaybeFact[str]:
        """The link that leads to the disk, by what it is rather than by where it is."""
        result = self._of_disk.get(disk)
        if result is None and not self._system.live:
            return Unknown(f"the links in {_FOLDERS[0]} are not collected: they hold serial numbers")
        if result is None:
            return Absent(f"no link in {' or '.join(_FOLDERS)} leads to {disk}")
        return Known(result, f"the links in {posixpath.dirname(result)}")


def _links(system: System) -> Iterator[tuple[str, str]]:
    """Each disk with a link that leads to it."""
    for folder in _FOLDERS:
        listing = file_values.names(system, folder)
        for name in listing.value if isinstance(listing, Known) else ():
            path = f"{folder}/{name}"
            try:
                yield posixpath.basename(system.readlink(path)), path
            except ReadError:
                continue


def _rank(link: tuple[str, str]) -> tuple[int, int, str]:
    folder, name = posixpath.split(link[1])
    places = [place for place, kind in enumerate(_KINDS) if name.startswith(kind)]
    return (_FOLDERS.index(folder), places[0] if places else len(_KINDS), name)
