"""What a logical partition of IBM Z or Power was given of its machine's processors."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Partition:
    """The partition's processors, as its firmware describes them to the kernel."""

    shared: bool
    """Whether other partitions run on the same real processors."""
    capped: bool
    """Whether it never gets more than its share, even when others leave processors idle."""
    processors: int
    """Cores that it sees: logical ones on Z, virtual ones on Power."""
    entitled: float | None
    """Real processors whose time it is guaranteed; None on Z, whose firmware does not state it here."""
    weight: int | None
    """Its weight when idle time is handed out (Power); None where it is not stated."""
    potential: int | None = None
    """Processors that it can be given while it runs, those that it has among them; None if not stated."""
    pool: int | None = None
    """Real processors in the shared pool that it runs in (Power); None where it is not stated."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProcessorTime:
    """Microseconds that the firmware of IBM Z counted for a partition's cores, of all of them together."""

    used: int
    """Real cores ran the partition."""
    managed: int
    """Real cores were given to it, and the firmware used them itself (LPAR management time)."""
    online: int | None
    """Its cores were online; None where the machine does not count it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Polarization:
    """Processors of a vertically dispatched partition, by the share of a real one that each gets."""

    high: int
    """A whole real processor each."""
    medium: int
    """A part of one."""
    low: int
    """Only what other partitions leave over."""
