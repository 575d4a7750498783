"""How many requests mainframe disks (DASD) take at once: one for each volume and each alias device."""

from __future__ import annotations

from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.facts.machine import Disk, Storage
from tunewiz.core.server.disk_layout import disks_at_once
from tunewiz.core.values.known import Known, known_or, needed
from tunewiz.core.values.plural import how_many
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class DasdRequests:
    """What a file system on mainframe disks takes at once."""

    volumes: int
    """Those that a busy table is on: of a volume group that fills one disk after the other, one."""
    aliases: int
    """Of all the disks; those that volumes of one control unit share count once."""

    @property
    def at_once(self) -> int:
        """Requests that are on their way to the storage server at the same time."""
        return self.volumes + self.aliases

    def in_words(self) -> str:
        """The computation: `2 volumes + 8 alias devices = 10 requests at once`."""
        aliases = "1 alias device" if self.aliases == 1 else f"{self.aliases} alias devices"
        return f"{how_many(self.volumes, 'volume')} + {aliases} = {how_many(self.at_once, 'request')} at once"


def dasd_disks(storage: Storage) -> tuple[Disk, ...]:
    """Its mainframe disks."""
    return tuple(disk for disk in known_or(storage.disks, ()) if known_or(disk.transport, "") == "dasd")


def eckd_disks(storage: Storage) -> tuple[Disk, ...]:
    """Those that are known to be ECKD; raises MissingFact where nobody looked what a mainframe disk is."""
    dasd = "whether {} is an ECKD disk (lsdasd)"
    return tuple(
        disk for disk in dasd_disks(storage) if needed(disk.dasd, dasd.format(disk.name)).discipline == "ECKD"
    )


def dasd_requests(storage: Storage) -> DasdRequests | None:
    """What its mainframe disks take; None where it is on other disks.

    Raises:
        MissingFact: It is on such disks, and their aliases are not known.
    """
    disks = dasd_disks(storage)
    if not disks:
        return None
    dasd = [needed(disk.dasd, f"whether {disk.name} has alias devices (lsdasd)") for disk in disks]
    return DasdRequests(volumes=disks_at_once(storage, "data"), aliases=_aliases(dasd))


def queued_requests(storage: Storage) -> int | None:
    """What the queues of SCSI disks take together, over all paths; None where one of them is not known.

    Of a disk's own queue and the kernel's, the shorter one counts.
    """
    total = 0
    for disk in known_or(storage.disks, ()):
        if not isinstance(disk.queue_depth, Known):
            return None
        total += min(disk.queue_depth.value, known_or(disk.nr_requests, disk.queue_depth.value))
    return total or None


def _aliases(dasd: list[Dasd]) -> int:
    """Those of each volume, and once those that a control unit's volumes share."""
    own = sum(volume.aliases for volume in dasd if not volume.pooled)
    pooled = dict[str, int]()
    for volume in dasd:
        if volume.pooled:
            pooled[volume.control_unit] = max(volume.aliases, pooled.get(volume.control_unit, 0))
    return own + sum(pooled.values())
