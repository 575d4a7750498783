"""Block devices and mounts for tests, as they are built up, and what is read of them."""

from recorded_machines import machine
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.collect.storage.file_systems import Directories
from tunewiz.core.facts.machine import Disk, Storage
from tunewiz.core.values.known import Known, MaybeFact

DATA: Directories = {"data": ["/pg"]}


class Stack:
    """A machine's block devices and mounts, as they are built up."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.mounts = ""

    def disk(self, name: str, number: str, way: str = "virtual/block", **queue: str) -> str:
        """Adds a disk, or another device; gives its folder."""
        folder = f"sys/devices/{way}/{name}"
        self.links[f"sys/block/{name}"] = "/" + folder
        self.files[f"{folder}/dev"] = f"{number}\n"
        read = {"rotational": "0", "scheduler": "[none] mq-deadline", "read_ahead_kb": "128"} | queue
        self.files |= {f"{folder}/queue/{file}": f"{content}\n" for file, content in read.items()}
        return folder

    def partition(self, folder: str, name: str, number: str) -> None:
        """Adds a partition of a disk."""
        self.files |= {f"{folder}/{name}/dev": f"{number}\n", f"{folder}/{name}/partition": "1\n"}

    def volume(self, name: str, number: str, *slaves: str, mapped: str = "") -> None:
        """Adds a device on other devices."""
        folder = self.disk(name, number, scheduler="none")
        for slave in slaves:
            self.links[f"{folder}/slaves/{slave}"] = f"../../{slave}"
        if mapped:
            self.files[f"{folder}/dm/name"] = f"{mapped}\n"

    def mount(self, number: str, point: str, kind: str, source: str, options: str = "rw") -> None:
        """Mounts a device."""
        self.mounts += f"25 1 {number} / {point} rw,relatime - {kind} {source} {options}\n"

    def system(self) -> RecordedSystem:
        """The machine that was built."""
        return machine(self.files | {"proc/self/mountinfo": self.mounts}, self.links)

    def storage(self, directories: Directories = DATA) -> tuple[Storage, ...]:
        """What is found under the directories."""
        return read_machine(self.system(), directories).storage


def disks(storage: Storage) -> tuple[Disk, ...]:
    """The disks that were found."""
    assert isinstance(storage.disks, Known), storage.disks
    return storage.disks.value


def names(storage: Storage) -> list[str]:
    """Their names."""
    return [disk.name for disk in disks(storage)]


def told(fact: MaybeFact[str]) -> str | None:
    """The text, where it is known."""
    return fact.value if isinstance(fact, Known) else None
