"""Warnings of file systems that are nearly full, and of too little room for WAL: then the server stops."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.machine import DiskRole, Storage
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.copy_on_write import nodatacow_in_words
from tunewiz.core.server.wal_room import beyond_wal_room
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import GIB, MIB, Bytes

NEARLY = Fraction(1, 20)
"""Of the file system that is free: from there on monitoring usually alarms. An assumption."""
PLENTY = Bytes(200 * GIB)
"""Free space that is no reason for a warning, however large the file system is. An assumption."""
NOTHING_LEFT = Bytes(256 * MIB)
"""16 segments of WAL: no server works for long with less, however small its file system is."""
FEW_INODES = 10_000
"""Files that can still be made: a table is three of them at least. An assumption."""
HOLDS: dict[DiskRole, str] = {"data": "data", "wal": "WAL", "tablespace": "tablespaces"}


def disk_room(situation: Situation) -> Iterator[tuple[str, str]]:
    """Code and text of each warning."""
    for storage in situation.facts.storage:
        yield from (*_nearly_full(storage), *_few_inodes(storage))
    sizes = {name: situation.will_be_size(name) for name in ("max_wal_size", "min_wal_size")}
    if beyond := beyond_wal_room(situation, max(sizes.values())):
        lower = " and ".join(name for name, size in sizes.items() if beyond_wal_room(situation, size))
        text = (
            f"{beyond}: when the file system is full, the server stops. Lower {lower}, or enlarge the "
            "file system; longer checkpoints wait until then."
        )
        yield "wal_beyond_disk", text
    if text := nodatacow_in_words(situation):
        yield "btrfs_in_place", text


def _nearly_full(storage: Storage) -> Iterator[tuple[str, str]]:
    match storage:
        case Storage(total=Known(value=total), free=Known(value=free)) if _is_nearly_full(free, total):
            held = " and ".join(HOLDS[role] for role in storage.roles)
            consequence = "the server stops" if "wal" in storage.roles else "writes fail"
            text = (
                f"The file system {storage.mount} ({held}) is nearly full: {free.short()} of {total.short()} "
                f"free. When nothing is left, {consequence}: make room before anything else."
            )
            yield "disk_nearly_full", text
        case _:
            pass


def _few_inodes(storage: Storage) -> Iterator[tuple[str, str]]:
    match storage:
        case Storage(inodes=Known(value=total), inodes_free=Known(value=free)) if _are_few(free, total):
            held = " and ".join(HOLDS[role] for role in storage.roles)
            text = (
                f"The file system {storage.mount} ({held}) can hold {free:,} more files, of {total:,}: then "
                f"writing fails although there is room (df -i). Remove files that are not PostgreSQL's, or "
                "make it with more inodes."
            )
            yield "disk_nearly_full", text
        case _:
            pass


def _are_few(free: int, total: int) -> bool:
    return free < FEW_INODES and free < total * NEARLY


def _is_nearly_full(free: Bytes, total: Bytes) -> bool:
    return free < NOTHING_LEFT or (free < total * NEARLY and free < PLENTY)
