"""Whether services spread device interrupts over the processors, or processes and their memory over nodes."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Known, MaybeFact

WANTS = "/etc/systemd/system/multi-user.target.wants"


def read_irqbalance(system: System) -> MaybeFact[str]:
    """Its unit creates and removes the directory of its socket; before 1.4 it had a PID file."""
    return _service(system, "irqbalance", ("/run/irqbalance", "/run/irqbalance.pid"))


def read_numad(system: System) -> MaybeFact[str]:
    """It writes a PID file (numad(8): FILES), which /var/run leads to."""
    return _service(system, "numad", ("/run/numad.pid",))


def _service(system: System, name: str, running: tuple[str, ...]) -> MaybeFact[str]:
    """`running`, or `at boot` where it only starts then; absent where neither."""
    for path in running:
        if system.exists(path):
            return Known("running", path)
    at_boot = f"{WANTS}/{name}.service"
    if _is_link(system, at_boot):
        return Known("at boot", at_boot)
    return file_values.absent(system, running[0], f"{name} neither runs nor starts at boot")


def _is_link(system: System, path: str) -> bool:
    """Whether the name exists, even as a dangling link, as in a captured root."""
    folder, _, name = path.rpartition("/")
    listed = file_values.names(system, folder)
    return isinstance(listed, Known) and name in listed.value
