"""Mainframe disks (DASD): what serves their requests, beside the device of the volume itself.

A volume's device is busy with one request at a time. Alias devices (PAV) take others of the same volume;
pooled ones (HyperPAV) of any volume in their logical control unit. The driver gives every device a `uid`:
vendor, serial number, subsystem id of the control unit and the volume's address in it, which is `xx` for a
pooled alias (kernel: drivers/s390/block/dasd_devmap.c). The serial number is not kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.dasd import Dasd
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

ECKD = "/sys/bus/ccw/drivers/dasd-eckd"
"""Devices of the only discipline with aliases."""
_BUS_ID = re.compile(r"[0-9a-f]{1,2}\.[0-9a-f]\.[0-9a-f]{4}")
_UID = re.compile(r"[^.\s]+\.[^.\s]*\.([0-9a-f]{4})\.(xx|[0-9a-f]{2})(?:\..*)?")
_POOLED = "xx"
_DISCIPLINES = {"ECKD": "ECKD", "FBA": "FBA", "DIAG": "DIAG"}


class DasdDevices:
    """The mainframe disks of a machine; their alias devices are looked for once, where there is a disk."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._aliases: Fact[Counter[str]] | None = None

    def of(self, name: str, folder: str) -> MaybeFact[Dasd]:
        """What serves one disk; absent for a disk of another kind."""
        if not name.startswith("dasd"):
            return Absent(f"no mainframe disk: {name}")
        path = f"{folder}/device"
        discipline = file_values.converted(
            file_values.text(self._system, f"{path}/discipline"), _DISCIPLINES.get, "ECKD, FBA or DIAG"
        )
        if isinstance(discipline, Unknown):
            return discipline
        if discipline.value != "ECKD":
            alone = Dasd(discipline=discipline.value, control_unit="", aliases=0, pooled=False)
            return Known(alone, discipline.how)
        return self._eckd(path)

    def _eckd(self, path: str) -> MaybeFact[Dasd]:
        address = file_values.text(self._system, f"{path}/uid")
        found_aliases = self._counted()
        if isinstance(address, Unknown):
            return address
        if isinstance(found_aliases, Unknown):
            return found_aliases
        matched = _UID.fullmatch(address.value)
        if matched is None:
            return Unknown(f"expected a uid with a control unit, found another: {address.how}")
        unit, volume = matched.groups()
        own, pooled = (found_aliases.value[f"{unit}.{part}"] for part in (volume, _POOLED))
        dasd = Dasd(discipline="ECKD", control_unit=unit, aliases=own + pooled, pooled=pooled > 0)
        return Known(dasd, f"{address.how}, {ECKD}/*/alias")

    def _counted(self) -> Fact[Counter[str]]:
        """How many aliases there are of each volume, and of each control unit those that it pools."""
        if self._aliases is None:
            devices = file_values.names(self._system, ECKD)
            self._aliases = (
                Known(Counter(self._taken(devices.value)), devices.how)
                if isinstance(devices, Known)
                else devices
            )
        return self._aliases

    def _taken(self, devices: tuple[str, ...]) -> Iterator[str]:
        """`control unit.volume` of every alias that is online: one that is not has no uid."""
        for device in filter(_BUS_ID.fullmatch, devices):
            alias = file_values.text(self._system, f"{ECKD}/{device}/alias")
            address = file_values.text(self._system, f"{ECKD}/{device}/uid")
            if isinstance(alias, Known) and alias.value == "1" and isinstance(address, Known):
                matched = _UID.fullmatch(address.value)
                if matched is not None:
                    yield ".".join(matched.groups())
