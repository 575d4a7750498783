"""How many disks are below a file system, and whether they work at once: paths to one disk are one disk."""

from __future__ import annotations

from collections.abc import Mapping

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
    """How many disks a busy table is on: of a volume that fills one part after the other, the widest part.

    Raises:
        MissingFact: They are not known.
    """
    disks = len(distinct_disks(storage, what))
    layers = {layer.name: layer for layer in known_or(storage.layers, ())}
    inner = {name for layer in layers.values() for name in layer.below}
    tops = [name for name in layers if name not in inner]
    return min(disks, sum(_width(name, layers, len(layers)) for name in tops)) if tops else disks


def _width(name: str, layers: Mapping[str, Layer], levels: int) -> int:
    """The devices at work below a device, through no more levels than there are."""
    layer = layers.get(name)
    if layer is None or layer.kind == "multipath" or not layer.below or not levels:
        return 1
    parts = [_width(part, layers, levels - 1) for part in layer.below]
    return max(parts) if layer.kind == "lvm" and is_linear(layer) else sum(parts)


def is_linear(volume: Layer) -> bool:
    """Whether a logical volume lies on several devices and the mapper names no stripes."""
    return len(volume.below) > 1 and volume.stripe <= volume.chunk
