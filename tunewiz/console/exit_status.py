"""What the user sees when a command fails: one message, never a traceback.

An error that a user can do something about is a TunewizError. Anything else is a bug in the program: it is
reported in one line; the traceback goes to a file that only its owner can read, without variables.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from types import TracebackType
from typing import Self

from tunewiz import __version__
from tunewiz.core.values.errors import TunewizError

UNUSABLE = 2
"""Wrong usage or unusable input."""
FAULT = 70
"""EX_SOFTWARE of sysexits.h."""
NOT_WRITTEN = 74
"""EX_IOERR of sysexits.h: the results could not be written."""
INTERRUPTED = 130
"""As shells report a program that SIGINT ended: 128 + 2."""
PIPE_CLOSED = 141
"""As shells report a program that SIGPIPE ended: 128 + 13."""


class OutputError(Exception):
    """Standard output cannot be written; holds the operating system's reason."""


class ReportErrors:
    """Turns whatever ends a command into a message and an exit status."""

    def __init__(self) -> None:
        self.status = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _where: TracebackType | None
    ) -> bool:
        match error:
            case None | SystemExit() | GeneratorExit():
                return False
            case TunewizError():
                self.status = UNUSABLE
                say(str(error))
            case KeyboardInterrupt():
                self.status = INTERRUPTED
            case BrokenPipeError():
                self.status = PIPE_CLOSED
            case OutputError():
                self.status = NOT_WRITTEN
                say(f"standard output: {error}")
            case _:
                self.status = FAULT
                say(_fault(error))
        return True


def say(text: str) -> None:
    """Print a message on standard error, which may already be closed.

    It may hold words of a server or of somebody's file: a terminal obeys none of them.
    """
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison] - it is, where 2>&- was typed
        return
    from tunewiz.core.words.harmless import harmless  # noqa: PLC0415 - most commands say nothing

    lines = "\n".join(_wrapped(harmless(line)) for line in text.split("\n"))
    try:
        sys.stderr.write(f"tunewiz: {lines}\n")
        sys.stderr.flush()
    except OSError:
        silence(2)


def _wrapped(line: str) -> str:
    """Rows of whole words on a terminal, which itself breaks them anywhere; one line elsewhere."""
    if not sys.stderr.isatty():
        return line
    width = shutil.get_terminal_size().columns - len("tunewiz: ")
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def silence(descriptor: int) -> None:
    """Discard what is still to be written, so that the interpreter's last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def _fault(error: BaseException) -> str:
    from tunewiz.console.crash_report import state_directory, write_report  # noqa: PLC0415 - only an internal error needs it

    kept = write_report(error, state_directory(os.environ))
    return f"this is a bug in tunewiz {__version__} ({type(error).__name__}), please report it; {kept}"
