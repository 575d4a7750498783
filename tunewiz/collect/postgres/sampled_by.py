"""The systemd service that records this server's counters, as a bundle sets it up."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.server.sample_place import service_of
from tunewiz.core.values.known import Known, MaybeFact

AT_BOOT = "/etc/systemd/system/multi-user.target.wants"
"""Has a link to each unit that starts with the machine."""


def read_sampled_by(system: System, directory: str) -> MaybeFact[str]:
    """The service that is enabled for a data directory; absent if none is."""
    unit = service_of(directory)
    listed = file_values.names(system, AT_BOOT)
    if isinstance(listed, Known) and unit in listed.value:
        return Known(unit, f"{AT_BOOT}/{unit}")
    if not isinstance(listed, Known) and system.exists(AT_BOOT):
        return listed
    return file_values.absent(system, AT_BOOT, f"no {unit} starts with the machine")
