"""What the driver of mainframe disks (DASD) says of one of them, and of the channel paths to it."""

from __future__ import annotations

from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Dasd:
    """A volume, and the alias devices that may start requests to it beside its own device."""

    discipline: str
    """ECKD, FBA, or DIAG where z/VM does the input and output."""
    control_unit: str
    """The subsystem id of its logical control unit, whose volumes share pooled aliases, or empty."""
    aliases: int
    """Devices that take its requests besides its own; 0 if each request waits for the one before."""
    pooled: bool
    """Whether its control unit's volumes share them (HyperPAV)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChannelPaths:
    """The ways from the machine's channels to a mainframe disk, by the ids of their channel paths (CHPID)."""

    installed: tuple[str, ...]
    """Those that the machine's I/O definition has for it."""
    usable: tuple[str, ...]
    """Those that the driver sends requests over."""
    without_hpf: tuple[str, ...]
    """Those that the driver does without because they lack High Performance FICON, which others have."""
