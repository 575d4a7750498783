"""How a disk is attached: by its kind of name, else by what lies on the way to it in /sys/devices."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact

_OF_NAME = (
    ("vd", "virtio"),
    ("xvd", "xen"),
    ("dasd", "dasd"),
    ("loop", "loop"),
    ("mmcblk", "mmc"),
    ("zram", "zram"),
    ("ram", "ram"),
    ("nbd", "nbd"),
    ("rbd", "rbd"),
    ("drbd", "drbd"),
    ("pmem", "pmem"),
    ("md", "md"),
    ("dm-", "dm"),
    ("fd", "floppy"),
    ("scm", "scm"),
)
_CONTROLLER = re.compile(r"|nvme[0-9]{1,5}")
"""Of the device itself, or of one path to it."""
_ON_THE_WAY = (
    ("/session", "iscsi"),
    ("/end_device-", "sas"),
    ("/rport-", "fc"),
    ("/virtio", "virtio"),
    ("/vmbus", "hyperv"),
    ("/VMBUS:", "hyperv"),
    ("/usb", "usb"),
    ("/ata", "sata"),
    ("/vio/", "vscsi"),
    ("/css0/", "zfcp"),
)
"""Parts of the path of a SCSI disk, as its transport class names them."""

_VOLUMES = (
    "Amazon Elastic Block Store",
    "Alibaba Cloud Elastic Block Storage",
    "MSFT NVMe Accelerator",
    "nvme_card-pd",
)
"""How the model of an NVMe device begins that is a cloud's volume, reached over its network.

Of AWS, Alibaba Cloud, Azure and Google Cloud, as their documentation of disks names them (2026-11); disks in
the machine have other models: "Amazon EC2 NVMe Instance Storage", "Microsoft NVMe Direct Disk", "nvme_card".
"""


def read_transport(system: System, name: str, folder: str) -> MaybeFact[str]:
    """The transport of a disk: `nvme` alone for one in the machine, else with the fabric or `-volume`."""
    if name.startswith("nvme"):
        return _nvme(system, name, folder)
    for beginning, transport in _OF_NAME:
        if name.startswith(beginning):
            return Known(transport, f"/sys/block/{name}")
    for part, transport in _ON_THE_WAY:
        if part in folder:
            on_z = transport == "fc" and "/css0/" in folder
            return Known("zfcp" if on_z else transport, folder)
    return Absent(f"no known transport on the way: {folder}")


def _nvme(system: System, name: str, folder: str) -> Known[str]:
    """With several paths the device is a subsystem, whose controllers tell how they are reached."""
    entries = file_values.names(system, f"{folder}/device")
    controllers = entries.value if isinstance(entries, Known) else ()
    paths = [f"{folder}/device/{text}" for text in ("", *controllers) if _CONTROLLER.fullmatch(text)]
    fact = file_values.first(file_values.word(system, f"{path.rstrip('/')}/transport") for path in paths)
    if isinstance(fact, Known) and fact.value != "pcie":
        return Known(f"nvme-{fact.value}", fact.how)
    model = file_values.word(system, f"{folder}/device/model")
    if isinstance(model, Known) and model.value.startswith(_VOLUMES):
        return Known("nvme-volume", model.how)
    return Known("nvme", f"/sys/block/{name}")
