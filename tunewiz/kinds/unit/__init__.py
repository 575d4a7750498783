"""Lines for a systemd unit, in a drop-in of ours; the server is restarted for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunewiz.core.recommendation.actions import HostAction, OwnFile, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster

_UNIT = re.compile(r"[A-Za-z0-9:_.@\\-]+\.service")


@dataclass(frozen=True, kw_only=True, slots=True)
class UnitDropIn(HostAction):
    """Lines for the [Service] section of a systemd unit, in a file of their own beside it."""

    unit: str
    """`postgresql@15-main.service`."""
    lines: tuple[tuple[str, str], ...]
    """`OOMScoreAdjust` and `-900`."""

    needs_server: ClassVar[bool] = True
    restarts_server: ClassVar[bool] = True

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        given = ", ".join(f"{name}={value}" for name, value in self.lines)
        return f"Gives {self.unit} a drop-in ({given}) and reloads systemd"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        printable = all(text.isprintable() for line in self.lines for text in line)
        if _UNIT.fullmatch(self.unit) and printable:
            return ""
        return f"{self.unit!r} is not a systemd unit name"

    def files(self, _: Cluster | NoCluster, /) -> Iterator[OwnFile]:
        """The drop-in."""
        path = f"/etc/systemd/system/{self.unit}.d/90-tunewiz.conf"
        lines = ("[Service]", *(f"{name}={value}" for name, value in self.lines))
        yield OwnFile(reader="systemd", path=path, lines=lines)

    def rows_after_files(self, _: Cluster | NoCluster, /) -> Iterator[Row]:
        """What the unit is to have."""
        for name, value in self.lines:
            yield "unit", self.unit, name, value
