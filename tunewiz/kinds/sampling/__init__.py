"""A systemd service that runs `tunewiz watch`: it samples one server for as long as the machine runs.

Every server of a host has its own unit, whose name contains a checksum of the data directory. It runs as the
server's user, may write to its state directory alone, and gets what processor and disks have left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunewiz.core.recommendation.actions import PLAIN_PATH, HostAction, OwnFile, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.core.server.sample_place import SAMPLES, server_name, service_of

_USER = re.compile(r"[a-z_][a-z0-9_.-]*")
_UNIT = re.compile(r"[A-Za-z0-9:_.@\\-]+\.service")
_TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - where sockets may be
RETRY_SECONDS = 60
"""Seconds between restarts, without a limit on their number: the server may be down for hours."""

_MODEST = (
    "Nice=10",
    "CPUWeight=10",
    "IOWeight=10",
    "IOSchedulingClass=idle",
    "OOMScoreAdjust=500",
)
"""A tenth of the default weight, 100 (systemd.resource-control(5)); the OOM killer takes it first."""

_CONFINED = (
    "NoNewPrivileges=yes",
    "CapabilityBoundingSet=",
    "ProtectSystem=strict",
    "ProtectHome=read-only",
    "PrivateDevices=yes",
    "ProtectKernelTunables=yes",
    "ProtectKernelModules=yes",
    "ProtectControlGroups=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "LockPersonality=yes",
    "SystemCallArchitectures=native",
    "UMask=0027",
)
"""It reads /proc, connects to the server, and writes only to its state directory (systemd.exec(5))."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SamplingService(HostAction):
    """A service that samples the server of the bundle."""

    program: str
    """Absolute path that only root can change: `/usr/bin/tunewiz`."""
    keep: str
    """How long samples are kept: `7d`."""
    os_user: str
    directory: str
    """The data directory."""
    unit: str
    """The unit that runs the server, which starts first."""
    socket_directory: str
    """Empty if unknown."""

    needs_server: ClassVar[bool] = True

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without a full stop."""
        return f"Has systemd run `tunewiz watch --keep {self.keep}` as {self.os_user}, at low priority"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot set it up; empty if they can."""
        paths = (self.program, self.directory, self.socket_directory or "/")
        plain = _USER.fullmatch(self.os_user) and _UNIT.fullmatch(self.unit)
        if plain and all(PLAIN_PATH.fullmatch(path) for path in paths):
            return ""
        return "a systemd unit cannot name its program, directory, user or socket"

    def files(self, cluster: Cluster | NoCluster, /) -> Iterator[OwnFile]:
        """The service."""
        if isinstance(cluster, Cluster):
            path = f"/etc/systemd/system/{service_of(self.directory)}"
            yield OwnFile(reader="systemd", path=path, lines=tuple(_lines(self)))

    def rows_after_files(self, cluster: Cluster | NoCluster, /) -> Iterator[Row]:
        """The service to enable, its program, and the place of its samples."""
        if isinstance(cluster, Cluster):
            samples = f"{SAMPLES}/{server_name(self.directory)}"
            yield "service", service_of(self.directory), self.program, samples

    @property
    def afterwards(self) -> tuple[str, ...]:
        """What it leaves behind."""
        place = f"{SAMPLES}/{server_name(self.directory)}"
        return (
            f"The samples in `{place}` stay after a rollback: delete that directory if nobody needs them.",
        )


def _lines(action: SamplingService) -> Iterator[str]:
    yield from (
        "[Unit]",
        f"Description=Sample the PostgreSQL server in {action.directory}",
        "Documentation=man:tunewiz(1)",
        f"After={action.unit}",
        f"RequiresMountsFor={action.directory}",
        "StartLimitIntervalSec=0",
        "[Service]",
        "Type=exec",
        f"User={action.os_user}",
        f"ExecStart={action.program} watch --keep {action.keep} --pgdata {action.directory}",
        "Restart=on-failure",
        f"RestartSec={RETRY_SECONDS}",
        f"StateDirectory={SAMPLES.removeprefix('/var/lib/')}/{server_name(action.directory)}",
    )
    yield from _MODEST
    yield from _CONFINED
    if not any(map(_is_temporary, (action.socket_directory, action.directory))):
        yield "PrivateTmp=yes"
    yield from ("[Install]", "WantedBy=multi-user.target")


def _is_temporary(path: str) -> bool:
    """Whether a private /tmp would hide the path; true for an unknown socket, which may be anywhere."""
    return not path or any(path == text or path.startswith(f"{text}/") for text in _TEMPORARY)
