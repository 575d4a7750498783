"""The file in which looks at a server are kept: a head, then slots of one size that are used in turn.

Each slot is a line of text with a checksum, so that one that was being written when the power failed is told
from a whole one; its number says where it belongs and which is newer. docs/formats.md describes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from zlib import crc32

from tunewiz.core.facts.look import ServerSample
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import MIB, Bytes
from tunewiz.formats import json as strict_json
from tunewiz.formats.structure import structure

SCHEMA = 1
HEAD = 4096
"""Bytes before the first slot."""
_CHECKSUM = 8
"""Hexadecimal digits of a CRC-32."""
_LEADING = 4
"""Numbers before those of the server: of the look, its run, the time, the time since the run began."""
_DIGITS = 20
"""Of a 64-bit number with its sign."""
LARGEST = 2**63
"""Servers and clocks count in 64 bits."""
LATEST = 253_402_300_799_999
"""The last millisecond of the year 9999."""
MOST_FIELDS = 150
FEWEST_SLOTS = 2
MOST_BYTES = Bytes(512 * MIB)
"""Eleven weeks of samples every 10 s: the whole file is read into memory, and its owner wrote its head."""
_KIND = "tunewiz-watch"
_UNKNOWN = b"-"
_EXPECTED = "`tunewiz watch --keep` writes such files."


@dataclass(frozen=True, kw_only=True, slots=True)
class RingHead:
    """What the first line says."""

    kind: str = _KIND
    schema: int = SCHEMA
    directory: str
    """The server's data directory."""
    every: int
    """Seconds from one look to the next."""
    slots: int
    fields: tuple[str, ...]
    """The names of the server's numbers, in the order in which each look has them."""

    @property
    def slot(self) -> int:
        """Bytes of a slot: the largest numbers fit."""
        return _CHECKSUM + (_LEADING + len(self.fields)) * (1 + _DIGITS) + 1

    @property
    def size(self) -> int:
        """Bytes of the file when every slot is used."""
        return HEAD + self.slots * self.slot

    def place(self, number: int) -> int:
        """Where in the file the look of that number is."""
        return HEAD + number % self.slots * self.slot


def why_too_large(head: RingHead) -> str:
    """Why such a file is too large to be read; empty if it is not."""
    size = Bytes(head.size)
    return (
        f"found {size.human()} of samples, expected at most {MOST_BYTES.human()}" if size > MOST_BYTES else ""
    )


class DamagedHeadError(InputError):
    """The head says nothing: not what is kept, nor of which server."""


def head_bytes(head: RingHead) -> bytes:
    """The head, padded; raises ValueError where it does not fit."""
    line = json.dumps(asdict(head)).encode("ascii")
    if len(line) >= HEAD:
        raise ValueError(f"a head of {len(line)} bytes does not fit in {HEAD}")
    return line.ljust(HEAD - 1) + b"\n"


def head_from_bytes(data: bytes, where: str) -> RingHead:
    """The head of a file.

    Raises:
        DamagedHeadError: It cannot be read as a head.
        InputError: It is of another kind or schema.
    """
    line = data[:HEAD]
    if len(line) < HEAD or not line.endswith(b"\n"):
        raise DamagedHeadError(f"{where}: found {len(data)} bytes, expected a head of {HEAD}", _EXPECTED)
    try:
        loads = strict_json.loads(line.decode("ascii", errors="replace"), where)
    except InputError as error:
        raise DamagedHeadError(error.message, _EXPECTED) from error
    _refuse_others(loads, where)
    try:
        head = structure(loads, RingHead, where)
    except InputError as error:
        raise DamagedHeadError(error.message, _EXPECTED) from error
    if not (head.every >= 1 and head.slots >= FEWEST_SLOTS and len(head.fields) <= MOST_FIELDS):
        raise DamagedHeadError(f"{where}: found a head with numbers that cannot be", _EXPECTED)
    if why := why_too_large(head):
        raise InputError(f"{where}: {why}", _EXPECTED)
    return head


def _refuse_others(value: object, where: str) -> None:
    """A newer program's head may have other fields: it is told before they are looked at."""
    match value:
        case {"kind": str(kind), "schema": int(schema)} if (kind, schema) != (_KIND, SCHEMA):
            raise InputError(
                f"{where}: found {kind} of schema {schema}, expected {_KIND} of schema {SCHEMA}",
                "Was it written by a newer tunewiz?" if schema > SCHEMA else _EXPECTED,
            )
        case _:
            pass


def slot_bytes(head: RingHead, number: int, look: ServerSample) -> bytes:
    """A slot with one look."""
    result = (look.numbers.get(name) for name in head.fields)
    values = [b"%d" % number for number in (number, look.run, look.at, look.passed)]
    values += [_UNKNOWN if number is None else b"%d" % number for number in result]
    line = b" ".join(values).ljust(head.slot - _CHECKSUM - 2) + b"\n"
    return b"%08x %s" % (crc32(line), line)


def slot_from_bytes(head: RingHead, index: int, slot: bytes) -> tuple[int, ServerSample] | None:
    """Number and look of a slot; None where it is damaged, or belongs elsewhere."""
    line = slot[_CHECKSUM + 1 :]
    if len(slot) != head.slot or slot[: _CHECKSUM + 1] != b"%08x " % crc32(line):
        return None
    values = line.split()
    if len(values) != _LEADING + len(head.fields):
        return None
    try:
        number, run, at, passed = (int(value) for value in values[:_LEADING])
        numbers = dict(_told(head.fields, values[_LEADING:]))
    except ValueError:
        return None
    if not (number >= 0 and number % head.slots == index and 0 <= at <= LATEST):
        return None
    if any(abs(number) > LARGEST for number in (run, passed, *numbers.values())):
        return None
    return number, ServerSample(run=run, at=at, passed=passed, numbers=numbers)


def _told(names: Sequence[str], values: Sequence[bytes]) -> Iterator[tuple[str, int]]:
    for name, value in zip(names, values, strict=True):
        if value != _UNKNOWN:
            yield name, int(value)
