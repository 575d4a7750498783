"""What the driver of mainframe disks (DASD) says of one of them."""

from __future__ import annotations

from dataclasses import dataclass


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
