"""The private memory of a server's processes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.postgres.found_server import Stopped
from tunewiz.collect.postgres.processes import Postmaster
from tunewiz.collect.system import System
from tunewiz.core.facts.strain import ProcessMemory
from tunewiz.core.values.known import Fact, Known, Unknown
from tunewiz.core.values.units import KIB, Bytes

MOST = 50
"""Processes to read: enough to know what one uses."""
_OWN = re.compile(r"^RssAnon:\s+([0-9]{1,12}) kB$", re.MULTILINE)


def read_process_memory(system: System, process: Postmaster | Stopped) -> Fact[ProcessMemory]:
    """Of the processes that the server's first one started (proc_pid_status(5), from Linux 4.5 on)."""
    if isinstance(process, Stopped):
        return Unknown("the server is not running")
    started = file_values.text(system, f"/proc/{process.pid}/task/{process.pid}/children")
    if isinstance(started, Unknown):
        return started
    sizes = tuple(_own(system, started.value.split()[:MOST]))
    if not sizes:
        return Unknown(f"no process listed in {started.how} has RssAnon")
    return Known(
        ProcessMemory(processes=len(sizes), own=sum(sizes[1:], sizes[0]), largest=max(sizes)), started.how
    )


def _own(system: System, processes: list[str]) -> Iterator[Bytes]:
    for process in processes:
        status = file_values.text(system, f"/proc/{process}/status")
        match = _OWN.search(status.value) if isinstance(status, Known) else None
        if match:
            yield Bytes(int(match[1]) * KIB)
