"""Reads recorded samples; damaged ones are skipped and counted.

The file may be another user's: it is opened as a regular file, never through a link, and is read in parts.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.core.facts.look import ServerSample
from tunewiz.core.values.errors import InputError
from tunewiz.formats.ring import HEAD, RingHead, head_from_bytes, slot_from_bytes

_AT_ONCE = 1000
"""Slots that are read together."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ring:
    """What a file holds."""

    head: RingHead
    looks: tuple[ServerSample, ...]
    """In the order in which they were taken."""
    last: int
    """The number of the newest look; -1 without one."""
    damaged: int
    """Slots that could not be read."""


def read_ring(path: Path) -> Ring:
    """Everything in a file; raises InputError where it cannot be read, or is not such a file."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    try:
        return ring_of(opened, str(path))
    finally:
        os.close(opened)


def ring_of(opened: int, where: str) -> Ring:
    """What an opened file holds; raises as `read_ring`."""
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        raise InputError(f"{where}: not a regular file, expected one that `tunewiz watch` wrote")
    try:
        head = head_from_bytes(os.pread(opened, HEAD, 0), where)
        slots = list(_slots(opened, head))
    except OSError as error:
        raise InputError(f"{where}: cannot be read: {error.strerror or error}") from error
    whole = sorted((row for row in slots if row is not None), key=lambda results: results[0])
    last = whole[-1][0] if whole else -1
    kept = [look for number, look in whole if number > last - head.slots]
    return Ring(head=head, looks=tuple(kept), last=last, damaged=len(slots) - len(kept))


def _slots(opened: int, head: RingHead) -> Iterator[tuple[int, ServerSample] | None]:
    for first in range(0, head.slots, _AT_ONCE):
        part = os.pread(opened, head.slot * min(_AT_ONCE, head.slots - first), head.place(first))
        for index in range(-(-len(part) // head.slot)):
            slot = part[index * head.slot : (index + 1) * head.slot]
            yield slot_from_bytes(head, first + index, slot)
        if not part:
            return
