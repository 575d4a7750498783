"""Writes results to standard output: all of them, or the user is told."""

from __future__ import annotations

import sys

from tunewiz.console.exit_status import OutputError, silence


def write(text: str) -> None:
    """Write results; characters that the encoding lacks become question marks.

    Raises:
        BrokenPipeError: The reader has gone.
        OutputError: Standard output is closed or full.
    """
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison] - it is, where >&- was typed
        raise OutputError("it is closed")
    encoding = sys.stdout.encoding
    try:
        sys.stdout.write(text.encode(encoding, errors="replace").decode(encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        silence(1)
        raise
    except OSError as error:
        silence(1)
        raise OutputError(error.strerror or str(error)) from error


def draw(text: str) -> None:
    """Write results with bars and marks: all in ASCII if the encoding lacks one of them; raises as write."""
    encoding = "utf-8" if sys.stdout is None else sys.stdout.encoding  # pyright: ignore[reportUnnecessaryComparison] - as above
    try:
        _ = text.encode(encoding)
    except UnicodeEncodeError:
        from tunewiz.core.words.ascii import in_ascii  # noqa: PLC0415 - most terminals need none of it

        write(in_ascii(text))
    else:
        write(text)
