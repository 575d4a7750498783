"""A vacuum of all databases at a set time: the files of a systemd timer, or the line for cron."""

from __future__ import annotations

from collections.abc import Mapping

from tunewiz.bundle.cluster import Cluster
from tunewiz.core.actions import VacuumSchedule

TIMER = "tunewiz-vacuum.timer"
SERVICE_FILE = "/etc/systemd/system/tunewiz-vacuum.service"
TIMER_FILE = f"/etc/systemd/system/{TIMER}"
CRON_FILE = "/etc/cron.d/tunewiz-vacuum"


def unit_lines(action: VacuumSchedule, cluster: Cluster) -> Mapping[str, tuple[str, ...]]:
    """The service and the timer, by path."""
    return {
        SERVICE_FILE: (
            "[Unit]",
            "Description=Vacuum all databases at a quiet time",
            "[Service]",
            "Type=oneshot",
            f"User={action.os_user}",
            "Nice=10",
            "IOSchedulingClass=idle",
            f"Environment=PATH={_path(cluster)}",
            f"ExecStart=/usr/bin/env {_command(action)}",
        ),
        TIMER_FILE: (
            "[Unit]",
            "Description=Vacuum all databases at a quiet time",
            "[Timer]",
            f"OnCalendar=*-*-* {action.hour:02}:{action.minute:02}:00",
            "[Install]",
            "WantedBy=timers.target",
        ),
    }


def cron_lines(action: VacuumSchedule, cluster: Cluster) -> tuple[str, ...]:
    """The file for /etc/cron.d."""
    return (
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
