"""A vacuum of all databases at a set time: the files of a systemd timer, or the line for cron.

Every cluster of a host has files of its own: their names hold a checksum of its data directory.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from tunewiz.core.recommendation.actions import PLAIN_PATH, HostAction, OwnFile, Row
from tunewiz.core.recommendation.cluster import Cluster, NoCluster

_USER = re.compile(r"[a-z_][a-z0-9_.-]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class VacuumSchedule(HostAction):
    """A vacuum of all databases every day, by a systemd timer or by cron."""

    by: Literal["systemd", "cron"]
    hour: int
    minute: int
    os_user: str
    port: int
    socket_directory: str
    """Empty for the client's own default."""

    needs_server: ClassVar[bool] = True

    @property
    def action_in_words(self) -> str:
        """What apply.sh does, as a sentence without its full stop."""
        keeper = "a systemd timer" if self.by == "systemd" else "cron"
        return f"Has {keeper} vacuum all databases every day at {self.hour:02}:{self.minute:02}"

    @property
    def why_not(self) -> str:
        """Why the scripts cannot make it; empty where they can."""
        if _USER.fullmatch(self.os_user) and PLAIN_PATH.fullmatch(self.socket_directory or "/"):
            return ""
        return "a file for cron or systemd cannot name its user or socket"

    def files(self, cluster: Cluster | NoCluster, /) -> Iterator[OwnFile]:
        """Service and timer, or the file for cron."""
        if isinstance(cluster, NoCluster):
            return
        if self.by == "systemd":
            for path, lines in _unit_lines(self, cluster).items():
                yield OwnFile(reader="systemd", path=path, lines=lines)
        else:
            yield OwnFile(reader="cron", path=_cron_file(cluster), lines=_cron_lines(self, cluster))

    def rows_after_files(self, cluster: Cluster | NoCluster, /) -> Iterator[Row]:
        """The timer that is switched on."""
        if self.by == "systemd" and isinstance(cluster, Cluster):
            yield "timer", _timer_of(cluster)


def _timer_of(cluster: Cluster) -> str:
    """The name of its timer."""
    return f"{_name(cluster)}.timer"


def _unit_files(cluster: Cluster) -> tuple[str, str]:
    """The paths of service and timer."""
    return f"/etc/systemd/system/{_name(cluster)}.service", f"/etc/systemd/system/{_timer_of(cluster)}"


def _cron_file(cluster: Cluster) -> str:
    """The path of the file for cron, whose name cron takes: letters, digits and hyphens."""
    return f"/etc/cron.d/{_name(cluster)}"


def _name(cluster: Cluster) -> str:
    return f"tunewiz-vacuum-{zlib.crc32(cluster.data_directory.encode('utf-8', 'surrogateescape')):08x}"


def _unit_lines(action: VacuumSchedule, cluster: Cluster) -> Mapping[str, tuple[str, ...]]:
    """The service and the timer, by path."""
    service, timer = _unit_files(cluster)
    described = f"Description=Vacuum all databases of {cluster.data_directory.replace('%', '%%')}"
    return {
        service: (
            "[Unit]",
            described,
            "[Service]",
            "Type=oneshot",
            f"User={action.os_user}",
            "Nice=10",
            "IOSchedulingClass=idle",
            f"Environment=PATH={_path(cluster)}",
            f"ExecStart=/usr/bin/env {_command(action)}",
        ),
        timer: (
            "[Unit]",
            described,
            "[Timer]",
            f"OnCalendar=*-*-* {action.hour:02}:{action.minute:02}:00",
            "[Install]",
            "WantedBy=timers.target",
        ),
    }


def _cron_lines(action: VacuumSchedule, cluster: Cluster) -> tuple[str, ...]:
    """The file for /etc/cron.d."""
    return (
        f"# {cluster.data_directory}",
        f"PATH={_path(cluster)}",
        f"{action.minute} {action.hour} * * * {action.os_user} {_command(action)}",
    )


def _path(cluster: Cluster) -> str:
    """Where the programs of a major version lie: Debian, the RPM packages, built from source, any other."""
    major = cluster.major
    return f"/usr/lib/postgresql/{major}/bin:/usr/pgsql-{major}/bin:/usr/local/pgsql/bin:/usr/bin:/bin"


def _command(action: VacuumSchedule) -> str:
    host = f" --host={action.socket_directory}" if action.socket_directory else ""
    return f"vacuumdb --all --freeze --analyze --quiet --no-password --port={action.port}{host}"
