"""A control group with a memory limit for the processes of one server, of version 1 or 2."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
MOVED_TWICE = 2
"""A process that starts while the others are moved stays outside: a second look finds it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitedGroup:
    """A group whose processes share a limit; the page cache that they fill counts."""

    directory: Path

    def take(self, postmaster: int) -> None:
        """Move a server into it: its postmaster, and those that it has started."""
        for _ in range(MOVED_TWICE):
            for pid in (postmaster, *children(postmaster)):
                with contextlib.suppress(ProcessLookupError):
                    (self.directory / "cgroup.procs").write_text(str(pid), encoding="ascii")


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text(encoding="ascii").split()]


@contextlib.contextmanager
def limited_group(limit_mb: int) -> Generator[LimitedGroup]:
    """Make it, and remove it once its processes have ended; raises OSError where that is not allowed."""
    is_first_version = (ROOT / "memory/memory.limit_in_bytes").exists()
    parent, limit = (ROOT / "memory", "memory.limit_in_bytes") if is_first_version else (ROOT, "memory.max")
    directory = parent / f"tunewiz-benchmark-{os.getpid()}"
    directory.mkdir()
    try:
        _ = (directory / limit).write_text(f"{limit_mb}M", encoding="ascii")
        yield LimitedGroup(directory=directory)
    finally:
        directory.rmdir()
