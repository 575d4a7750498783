"""Whether irqbalance spreads device interrupts over the processors."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Known, MaybeFact

RUNNING = ("/run/irqbalance", "/run/irqbalance.pid")
"""The directory of its socket, which its unit creates and removes; before 1.4 its PID file."""
AT_BOOT = "/etc/systemd/system/multi-user.target.wants/irqbalance.service"


def read_irqbalance(system: System) -> MaybeFact[str]:
    """`running`, or `at boot` where it only starts then; absent where neither."""
    for path in RUNNING:
        if system.exists(path):
            return Known("running", path)
    if _is_link(system, AT_BOOT):
        return Known("at boot", AT_BOOT)
    return file_values.absent(system, RUNNING[0], "irqbalance neither runs nor starts at boot")


def _is_link(system: System, path: str) -> bool:
    """Whether the name exists, even as a dangling link, as in a captured root."""
    folder, _, name = path.rpartition("/")
    listed = file_values.names(system, folder)
    return isinstance(listed, Known) and name in listed.value
