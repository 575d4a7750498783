"""How many disks are below a file system, and whether they work at once: paths to one disk are one disk."""

from __future__ import annotations

from tunewiz.core.facts.machine import Layer, Storage
from tunewiz.core.values.known import known_or, needed


def distinct_disks(storage: Storage, what: str) -> frozenset[str]:
    """The disks; several paths to one of them are one, by the name that multipath gives it.

    Raises:
        MissingFact: They are not known.
    """
    paths = {
        name: layer.label
        for layer in known_or(storage.layers, ())
        if layer.kind == "multipath"
        for name in layer.below
    }
    disks = needed(storage.disks, f"which disks the {what} is on")
    return frozenset(paths.get(disk.name, disk.name) for disk in disks)


def disks_at_once(storage: Storage, what: str) -> int:
    """How many disks a busy table is on: one, where a volume fills one disk after the other.

    Raises:
        MissingFact: They are not known.
    """
    volumes = [layer for layer in known_or(storage.layers, ()) if layer.kind == "lvm"]
    if any(is_linear(volume) for volume in volumes):
        return 1
    return len(distinct_disks(storage, what))


def is_linear(volume: Layer) -> bool:
    """Whether a logical volume lies on several devices and the mapper names no stripes."""
    return len(volume.below) > 1 and volume.stripe <= volume.chunk
