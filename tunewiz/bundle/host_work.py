"""Changes of the machine beside single kernel values: whether they can be made, their files, their steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from tunewiz.core.planning.finding import Finding
from tunewiz.core.recommendation.actions import (
    HostAction,
    KernelArgument,
    MountOption,
    MoveWal,
    QueueValue,
    SwapFile,
    UnitDropIn,
    VacuumSchedule,
)
from tunewiz.core.recommendation.cluster import Cluster, NoCluster
from tunewiz.kinds.vacuum import cron_file, cron_lines, timer_of, unit_files, unit_lines

UDEV_FILE = "/etc/udev/rules.d/99-tunewiz.rules"
UNITS = "/etc/systemd/system"

_PATH = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.@+-]*)+|/")
_WORD = re.compile(r"[A-Za-z0-9_.:=@+-]+")
_STABLE = re.compile(r"/dev/disk/by-id/[A-Za-z0-9._:+-]+")
_ARGUMENT = re.compile(r"[A-Za-z0-9_.-]+(=[A-Za-z0-9_.,:/-]+)?")
_USER = re.compile(r"[a-z_][a-z0-9_.-]*")
_UNIT = re.compile(r"[A-Za-z0-9:_.@\\-]+\.service")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlacedHost:
    """A change of the machine that the scripts can make."""

    finding: Finding
    action: HostAction


def why_not(action: HostAction, cluster: Cluster | NoCluster) -> str:
    """Why the scripts cannot make it; empty where they can."""
    match action:
        case QueueValue(device=device, stable=stable, value=value):
            plain = all((_WORD.fullmatch(device), _STABLE.fullmatch(stable), _WORD.fullmatch(value)))
            return "" if plain else f"nothing that stays the same names the disk {device}"
        case UnitDropIn(unit=unit, lines=lines):
            plain = _UNIT.fullmatch(unit) is not None and all(
                map(str.isprintable, (text for line in lines for text in line))
            )
            return _without_server(cluster) if plain else f"{unit!r} is no name of a systemd unit"
        case MountOption(mount=path) | SwapFile(path=path):
            return "" if _PATH.fullmatch(path) else f"{path!r} is no path that /etc/fstab can name as it is"
        case KernelArgument(arguments=arguments):
            plain = bool(arguments) and all(map(_ARGUMENT.fullmatch, arguments))
            return "" if plain else f"{' '.join(arguments)!r} are no arguments for a boot entry"
        case VacuumSchedule(os_user=user, socket_directory=directory):
            plain = bool(_USER.fullmatch(user) and _PATH.fullmatch(directory or "/"))
            return (
                _without_server(cluster)
                if plain
                else "a file for cron or systemd cannot name its user or socket"
            )
        case MoveWal(data_directory=data, target=target):
            plain = bool(_PATH.fullmatch(data) and _PATH.fullmatch(target))
            return _without_server(cluster) if plain else f"{target!r} is no path that the scripts can name"
        case _:
            assert_never(action)


def _without_server(cluster: Cluster | NoCluster) -> str:
    return cluster.why if isinstance(cluster, NoCluster) else ""


def files_of(action: HostAction, cluster: Cluster | NoCluster) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Files of ours that it needs, each with its lines; those for one path are put together."""
    match action:
        case QueueValue():
            yield UDEV_FILE, (_rule(action),)
        case UnitDropIn(lines=lines):
            yield _drop_in(action), ("[Service]", *(f"{name}={value}" for name, value in lines))
        case VacuumSchedule(by="systemd") if isinstance(cluster, Cluster):
            yield from unit_lines(action, cluster).items()
        case VacuumSchedule() if isinstance(cluster, Cluster):
            yield cron_file(cluster), cron_lines(action, cluster)
        case VacuumSchedule() | MountOption() | SwapFile() | KernelArgument() | MoveWal():
            pass
        case _:
            assert_never(action)


def _rule(action: QueueValue) -> str:
    """Read after the rules that make the links, so that they can be asked for (udev(7), SYMLINK)."""
    link = action.stable.removeprefix("/dev/")
    return (
        f'ACTION=="add|change", SUBSYSTEM=="block", ENV{{DEVTYPE}}=="disk", SYMLINK=="{link}", '
        f'ATTR{{queue/{action.name}}}="{action.value}"'
    )


def _drop_in(action: UnitDropIn) -> str:
    return f"{UNITS}/{action.unit}.d/90-tunewiz.conf"


def rows_before_files(action: HostAction) -> Iterator[tuple[str, ...]]:
    """Steps that change what is in force; the files that keep it come after them."""
    match action:
        case QueueValue(device=device, stable=stable, name=name, before=before, value=value):
            yield "queue", device, stable, name, before, value
        case SwapFile(path=path, mebibytes=mebibytes):
            yield "swap", path, str(mebibytes)
        case MountOption(mount=mount, instead_of=instead_of, option=option):
            yield "mount", mount, instead_of, option
        case UnitDropIn() | VacuumSchedule() | KernelArgument() | MoveWal():
            pass
        case _:
            assert_never(action)


def boot_row(actions: Iterable[HostAction]) -> Iterator[tuple[str, ...]]:
    """One step for all kernel arguments: they share one boot entry."""
    found = tuple(" ".join(each.arguments) for each in actions if isinstance(each, KernelArgument))
    if found:
        yield "boot", *found


def file_rows(action: HostAction, cluster: Cluster | NoCluster) -> Iterator[tuple[str, str, str]]:
    """Steps that put files of ours in place."""
    match action:
        case QueueValue():
            yield "file", "udev", UDEV_FILE
        case UnitDropIn():
            yield "file", "systemd", _drop_in(action)
        case VacuumSchedule(by="systemd") if isinstance(cluster, Cluster):
            for path in unit_files(cluster):
                yield "file", "systemd", path
        case VacuumSchedule() if isinstance(cluster, Cluster):
            yield "file", "cron", cron_file(cluster)
        case VacuumSchedule() | MountOption() | SwapFile() | KernelArgument() | MoveWal():
            pass
        case _:
            assert_never(action)


def rows_after_files(action: HostAction, cluster: Cluster | NoCluster) -> Iterator[tuple[str, ...]]:
    """Steps that rest on files of ours, and what the units are to have."""
    match action:
        case UnitDropIn(unit=unit, lines=lines):
            for name, value in lines:
                yield "unit", unit, name, value
        case VacuumSchedule(by="systemd") if isinstance(cluster, Cluster):
            yield "timer", timer_of(cluster)
        case QueueValue() | VacuumSchedule() | MountOption() | SwapFile() | KernelArgument() | MoveWal():
            pass
        case _:
            assert_never(action)


def needs_server(action: HostAction) -> bool:
    """Whether the server is restarted for it."""
    return isinstance(action, UnitDropIn | MoveWal)


def last_rows(action: HostAction) -> Iterator[tuple[str, str, str]]:
    """Steps for which the server is stopped, once its files are in place; one start serves them all."""
    if isinstance(action, MoveWal):
        yield "wal", f"{action.data_directory}/{action.name}", action.target
