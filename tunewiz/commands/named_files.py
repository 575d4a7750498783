"""Reads and writes files that a user names, or refuses them with one message."""

from __future__ import annotations

import os
import selectors
import stat
from pathlib import Path

from tunewiz.core.values.errors import InputError, TunewizError
from tunewiz.core.values.units import MIB, Bytes

WRITER_SECONDS = 60
"""How long a named pipe may have no writer: by then a person has started both ends."""

MAX_SIZE = Bytes(64 * MIB)
"""Far more than the facts of any machine; an endless device is not read for ever."""


def read_bytes(file: Path) -> bytes:
    """What is in a file; raises InputError."""
    try:
        with os.fdopen(_opened(file), "rb") as stream:
            content = stream.read(MAX_SIZE.count + 1)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte in the name
        raise InputError(f"{str(file)!r}: cannot be read: {error}") from error
    if len(content) > MAX_SIZE.count:
        raise InputError(f"{file}: found more than {MAX_SIZE.human()}, expected less")
    return content


def _opened(file: Path) -> int:
    """A blocking descriptor; for a named pipe only once it has a writer."""
    opened = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        if _is_named_pipe(opened):
            with selectors.DefaultSelector() as selector:
                selector.register(opened, selectors.EVENT_READ)
                if not selector.select(WRITER_SECONDS):
                    raise TimeoutError(
                        0, f"it is a pipe, and nothing wrote to it within {WRITER_SECONDS} seconds"
                    )
        os.set_blocking(opened, True)
    except OSError:
        os.close(opened)
        raise
    return opened


def _is_named_pipe(opened: int) -> bool:
    """Not a shell's pipe, which always has had a writer."""
    if not stat.S_ISFIFO(os.fstat(opened).st_mode):
        return False
    return not str(Path(f"/proc/self/fd/{opened}").readlink()).startswith("pipe:")


def read_text(file: Path) -> str:
    """The text in a file, without a byte order mark; raises InputError."""
    content = read_bytes(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}: found byte {error.start} that is not valid UTF-8, expected text"
        ) from error


def write_text(file: Path, text: str) -> None:
    """Write an ASCII text; raises TunewizError."""
    try:
        file.write_text(text, encoding="ascii")
    except OSError as error:
        raise TunewizError(f"{file}: cannot be written: {error.strerror or error}") from error
