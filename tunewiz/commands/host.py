"""This host, a captured or a collected one, read through the one door; a terminal is told what is read."""

from __future__ import annotations

import sys
from pathlib import Path

from tunewiz.capture import RootedSystem
from tunewiz.collection import read_collection
from tunewiz.commands.named_files import read_bytes
from tunewiz.core.errors import UsageError
from tunewiz.core.facts import Facts
from tunewiz.facts.whole import read_facts
from tunewiz.system import LiveSystem

_CLEAR = "\r\x1b[K"


def read_host() -> Facts:
    """The facts of this host; what cannot be read is a fact that says so."""
    progress = _Progress()
    try:
        return read_facts(LiveSystem(), progress.tell)
    finally:
        progress.end()


def read_captured(root: Path) -> Facts:
    """The facts of a captured root; raises UsageError where it is none."""
    if not root.is_dir():
        raise UsageError(f"--root: {root}: found no such directory, expected one that holds proc/ and sys/")
    if not any((root / name).is_dir() for name in ("proc", "sys")):
        raise UsageError(f"--root: {root}: found neither proc/ nor sys/ in it, expected a captured root")
    return read_facts(RootedSystem(root))


def read_collected(file: Path) -> Facts:
    """The facts of a server from what the collector wrote there; raises InputError."""
    return read_facts(read_collection(read_bytes(file), str(file)))


class _Progress:
    """One line on standard error that is wiped at the end; silent where that is no terminal."""

    def __init__(self) -> None:
        stream = sys.stderr
        self._stream = stream if stream is not None and stream.isatty() else None  # pyright: ignore[reportUnnecessaryComparison]

    def tell(self, what: str) -> None:
        """What is read now."""
        if self._stream is not None:
            self._stream.write(f"{_CLEAR}reading {what} …")
            self._stream.flush()

    def end(self) -> None:
        """Leave the line empty."""
        if self._stream is not None:
            self._stream.write(_CLEAR)
            self._stream.flush()
