"""Whether the firmware calls the machine a virtual one: a bit in the first of the SMBIOS tables.

Only root may read it. QEMU's firmware for Arm sets it, SeaBIOS on x86 does not: there it proves a
guest, and its lack proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Fact, Known, Unknown

COLLECTED = "/.tunewiz/bios"
"""The one structure that the collector takes from the tables, which hold serial numbers too."""

_ENTRY = "/sys/firmware/dmi/entries/0-0/raw"
_TABLES = "/sys/firmware/dmi/tables/DMI"
_BIOS = 0
"""The type of the structure about the firmware (DMTF DSP0134, BIOS Information)."""
_HEADER = 4
_EXTENSION = 19
"""Place of the second byte of extended characteristics."""
_VIRTUAL = 1 << 4
_END_OF_TEXTS = b"\0\0"


def read_virtual_bit(system: System) -> Fact[bool]:
    """Whether the bit is set; unknown where it may not be read or the structure is too short to hold it."""
    problems = list[str]()
    for path in (_ENTRY, COLLECTED, _TABLES):
        try:
            content = system.read_bytes(path)
        except ReadError as error:
            problems.append(error.message)
            continue
        for structure in _structures(content):
            if structure[0] == _BIOS and len(structure) > _EXTENSION:
                return Known(bool(structure[_EXTENSION] & _VIRTUAL), path)
        problems.append(f"no structure about the firmware that is long enough: {path}")
    return Unknown("; ".join(problems))


def _structures(content: bytes) -> Iterator[bytes]:
    """Each without the texts after it, which two zero bytes end; the last may be but its beginning."""
    start = 0
    while start + _HEADER <= len(content):
        length = content[start + 1]
        if length < _HEADER:
            return
        yield content[start : start + length]
        end = content.find(_END_OF_TEXTS, start + length)
        start = end + len(_END_OF_TEXTS) if end >= 0 else len(content)
