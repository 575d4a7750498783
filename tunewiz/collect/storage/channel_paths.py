"""Over which channel paths requests reach a mainframe disk, and whether by High Performance FICON (zHPF).

A subchannel has up to eight paths: `chpids` lists their ids, `pimpampom` has a bit for each that is
installed, available and operational (kernel: Documentation/arch/s390/driver-model.rst). The driver's
`path_masks` has, first, a bit for each path that it uses, and fifth, for each that it leaves out for lack of
zHPF (s390-tools: lsdasd). Only the driver of ECKD disks fills them, and only its `hpf` is of the disk: for
others it repeats the module's parameter (drivers/s390/block/dasd_devmap.c).
"""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.dasd import ChannelPaths
from tunewiz.core.values.known import Absent, Fact, Known, MaybeFact, Unknown

PATHS = 8
"""Of a subchannel."""
_CHPIDS = re.compile(r"(?:[0-9a-f]{2} ){7}[0-9a-f]{2}")
_MASKS = re.compile(r"[0-9a-f]{2}(?: [0-9a-f]{2})+")
_USED, _WITHOUT_HPF = 0, 4
_FLAGS = {"0": False, "1": True}


def read_hpf(system: System, name: str, folder: str) -> MaybeFact[bool]:
    """Whether zHPF carries the requests of an ECKD disk."""
    eckd = _is_eckd(system, name, folder)
    if not isinstance(eckd, Known) or not eckd.value:
        return _not_eckd(eckd)
    return file_values.converted(file_values.text(system, f"{folder}/device/hpf"), _FLAGS.get, "0 or 1")


def read_channel_paths(system: System, name: str, folder: str) -> MaybeFact[ChannelPaths]:
    """The channel paths of an ECKD disk."""
    eckd = _is_eckd(system, name, folder)
    if not isinstance(eckd, Known) or not eckd.value:
        return _not_eckd(eckd)
    subchannel = folder.rpartition("/block/")[0].rpartition("/")[0]
    lines = list[str]()
    for path in (f"{subchannel}/chpids", f"{subchannel}/pimpampom", f"{folder}/device/path_masks"):
        line = file_values.text(system, path)
        if isinstance(line, Unknown):
            return line
        lines.append(line.value)
    how = f"{subchannel}/chpids, pimpampom and path_masks"
    return file_values.converted(
        Known("\n".join(lines), how), _paths, "eight chpids, three masks, and the driver's masks"
    )


def _is_eckd(system: System, name: str, folder: str) -> Fact[bool]:
    """Whether it is a mainframe disk whose requests go over channel paths of its own."""
    if not name.startswith("dasd"):
        return Known(False, f"no mainframe disk: {name}")  # noqa: FBT003 - the value of the fact
    discipline = file_values.word(system, f"{folder}/device/discipline")
    return file_values.converted(discipline, {"ECKD": True, "FBA": False, "DIAG": False}.get, "a discipline")


def _not_eckd(eckd: Fact[bool]) -> Absent | Unknown:
    return Absent(f"no ECKD disk: {eckd.how}") if isinstance(eckd, Known) else eckd


def _paths(content: str) -> ChannelPaths | None:
    """Of three lines: ids, the subchannel's masks, the driver's masks. A disk without a used path is none."""
    ids, of_subchannel, of_driver = content.split("\n")
    if not (_CHPIDS.fullmatch(ids) and _MASKS.fullmatch(of_subchannel) and _MASKS.fullmatch(of_driver)):
        return None
    masks = [int(mask, 16) for mask in of_driver.split()]
    if len(masks) <= _WITHOUT_HPF or not masks[_USED]:
        return None
    names = ids.split()
    installed = int(of_subchannel.split()[0], 16)
    return ChannelPaths(
        installed=_named(names, installed),
        usable=_named(names, installed & masks[_USED]),
        without_hpf=_named(names, installed & masks[_WITHOUT_HPF]),
    )


def _named(names: list[str], mask: int) -> tuple[str, ...]:
    """The ids whose bits are set, the highest bit first."""
    return tuple(name for bit, name in enumerate(names) if mask & (1 << (PATHS - 1 - bit)))
