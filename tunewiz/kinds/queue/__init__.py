"""A value of a disk's request queue, kept by udev."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tunewiz.core.recommendation.actions import HostAction, OwnFile, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster

UDEV_FILE = "/etc/udev/rules.d/99-tunewiz.rules"

_WORD = re.compile(r"[A-Za-z0-9_.:=@+-]+")
_STABLE = re.compile(r"/dev/disk/by-id/[A-Za-z0-9._:+-]+")


@dataclass(frozen=True, kw_only=True, slots=True)
class QueueValue(HostAction):
    """A value of a disk's request queue, kept by a udev rule that uses the disk's persistent name."""

    device: str
    """Its name now: `sda`."""
    stable: str
    """A persistent name: `/dev/disk/by-id/nvme-eui.0025385b71b0a1c2`."""
    name: Literal["scheduler", "read_ahead_kb", "nr_requests"]
    value: str
    before: str

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        path = f"/sys/block/{self.device}/queue/{self.name}"
        return f"Writes {self.value} to {path}, reads it back, and has udev keep it"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        parts = ((_WORD, self.device), (_STABLE, self.stable), (_WORD, self.value))
        plain = all(form.fullmatch(text) for form, text in parts)
        return "" if plain else f"no persistent name is known for the disk {self.device}"

    def rows_before_files(self) -> Iterator[Row]:
        """The step."""
        yield "queue", self.device, self.stable, self.name, self.before, self.value

    def files(self, _: Cluster | NoCluster, /) -> Iterator[OwnFile]:
        """Read after the rules that make the links, so that they can be asked for (udev(7), SYMLINK)."""
        link = self.stable.removeprefix("/dev/")
        rule = (
            f'ACTION=="add|change", SUBSYSTEM=="block", ENV{{DEVTYPE}}=="disk", SYMLINK=="{link}", '
            f'ATTR{{queue/{self.name}}}="{self.value}"'
        )
        yield OwnFile(reader="udev", path=UDEV_FILE, lines=(rule,))
