"""How short memory was, and what the server's processes take of it, as the kernel counts it."""

from __future__ import annotations

from tunewiz.core.values.known import NOT_LOOKED_FOR, Fact, MaybeFact
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Strain:
    """Counts since the machine was booted, or while a server on it was watched."""

    seconds: Fact[int] = NOT_LOOKED_FOR
    stalled_us: MaybeFact[int] = NOT_LOOKED_FOR
    """Microseconds in which some task waited for memory; absent where the kernel does not count it (PSI)."""
    swapped_in: Fact[int] = NOT_LOOKED_FOR
    """Pages that were read back from swap."""
    refaults: Fact[int] = NOT_LOOKED_FOR
    """Pages of files that were read again soon after they had left the page cache."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessMemory:
    """What processes that the server started have for themselves: not its shared memory."""

    processes: int
    """Those that were looked at, background processes among them."""
    own: Bytes
    """All together (RssAnon in /proc/PID/status, which costs nothing to read)."""
    largest: Bytes
    """Of one."""
