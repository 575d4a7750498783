"""Files that a user names: read whole, or refused in one message."""

from __future__ import annotations

from pathlib import Path

from tunewiz.core.errors import InputError
from tunewiz.core.units import MIB, Bytes

LARGEST = Bytes(64 * MIB)
"""No facts of any machine come near; a device that never ends is not read for ever."""


def read_bytes(file: Path) -> bytes:
    """What is in a file; raises InputError."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST.count + 1)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte in the name
        raise InputError(f"{str(file)!r}: cannot be read: {error}") from error
    if len(content) > LARGEST.count:
        raise InputError(f"{file}: found more than {LARGEST.human()}, expected less")
    return content


def read_text(file: Path) -> str:
    """The text in a file, without a byte order mark; raises InputError."""
    content = read_bytes(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: found byte {error.start} that is no UTF-8, expected text") from error
