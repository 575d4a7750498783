"""Over which adapter a SCSI disk is reached by Fibre Channel, and what its port is.

The way to the disk says so: /sys/devices/…/ADAPTER/hostN/rport-N:0-1/targetN:0:1/N:0:1:2/block/sda. A port
that shares its adapter with others under a name of its own (NPIV) is called `NPIV VPORT` (kernel:
drivers/scsi/scsi_transport_fc.c). Names of ports are not read.
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact

_ON_THE_WAY = re.compile(r"(.*/([^/]+)/(host[0-9]{1,6}))/rport-.*")
_NO_PORT = "not reached by Fibre Channel"


def read_adapter(folder: str) -> MaybeFact[str]:
    """The device above the SCSI host."""
    matched = _ON_THE_WAY.fullmatch(folder)
    return Known(matched[2], folder) if matched else Absent(f"{_NO_PORT}: {folder}")


def read_port_type(system: System, folder: str) -> MaybeFact[str]:
    """What the kernel calls its port."""
    matched = _ON_THE_WAY.fullmatch(folder)
    if matched is None:
        return Absent(f"{_NO_PORT}: {folder}")
    return file_values.word(system, f"{matched[1]}/fc_host/{matched[3]}/port_type")
