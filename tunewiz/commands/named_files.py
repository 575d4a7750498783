"""Files that a user names: read whole, or refused in one message."""

from __future__ import annotations

import os
import selectors
import stat
from pathlib import Path

from tunewiz.core.values.errors import InputError
from tunewiz.core.values.units import MIB, Bytes

WRITER_SECONDS = 60
"""How long a pipe with a name may have no writer: a person who started both ends has done so by then."""

LARGEST = Bytes(64 * MIB)
"""No facts of any machine come near; a device that never ends is not read for ever."""


def read_bytes(file: Path) -> bytes:
    """What is in a file; raises InputError."""
    try:
        with os.fdopen(_opened(file), "rb") as stream:
            content = stream.read(LARGEST.count + 1)
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a zero byte in the name
        raise InputError(f"{str(file)!r}: cannot be read: {error}") from error
    if len(content) > LARGEST.count:
        raise InputError(f"{file}: found more than {LARGEST.human()}, expected less")
    return content


def _opened(file: Path) -> int:
    """A descriptor whose reads wait; of a pipe with a name only once something writes into it."""
    opened = os.open(file, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    try:
        if _is_named_pipe(opened):
            with selectors.DefaultSelector() as selector:
                selector.register(opened, selectors.EVENT_READ)
                if not selector.select(WRITER_SECONDS):
                    raise TimeoutError(
                        0, f"it is a pipe, and in {WRITER_SECONDS} seconds nothing wrote into it"
                    )
        os.set_blocking(opened, True)
    except OSError:
        os.close(opened)
        raise
    return opened


def _is_named_pipe(opened: int) -> bool:
    """Not the pipe of a shell, which always has had a writer."""
    if not stat.S_ISFIFO(os.fstat(opened).st_mode):
        return False
    return not str(Path(f"/proc/self/fd/{opened}").readlink()).startswith("pipe:")


def read_text(file: Path) -> str:
    """The text in a file, without a byte order mark; raises InputError."""
    content = read_bytes(file)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: found byte {error.start} that is no UTF-8, expected text") from error
