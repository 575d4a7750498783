"""A vacuum of all databases at a set time: the files of a systemd timer, or the line for cron.

Every cluster of a host has files of its own: their names hold a checksum of its data directory.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from tunewiz.core.recommendation.actions import VacuumSchedule
from tunewiz.core.recommendation.cluster import Cluster


def timer_of(cluster: Cluster) -> str:
    """The name of its timer."""
    return f"{_name(cluster)}.timer"


def unit_files(cluster: Cluster) -> tuple[str, str]:
    """The paths of service and timer."""
    return f"/etc/systemd/system/{_name(cluster)}.service", f"/etc/systemd/system/{timer_of(cluster)}"


def cron_file(cluster: Cluster) -> str:
    """The path of the file for cron, whose name cron takes: letters, digits and hyphens."""
    return f"/etc/cron.d/{_name(cluster)}"


def _name(cluster: Cluster) -> str:
    return f"tunewiz-vacuum-{zlib.crc32(cluster.data_directory.encode('utf-8', 'surrogateescape')):08x}"


def unit_lines(action: VacuumSchedule, cluster: Cluster) -> Mapping[str, tuple[str, ...]]:
    """The service and the timer, by path."""
    service, timer = unit_files(cluster)
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


def cron_lines(action: VacuumSchedule, cluster: Cluster) -> tuple[str, ...]:
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
