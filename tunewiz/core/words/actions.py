"""What is done to the machine, in a line for people."""

from __future__ import annotations

from typing import assert_never

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


def deed(action: HostAction) -> str:
    """What apply.sh does, as a sentence without its full stop."""
    match action:
        case QueueValue(device=device, name=name, value=value):
            words = f"Writes {value} to /sys/block/{device}/queue/{name}, reads it back, and has udev keep it"
        case UnitDropIn(unit=unit, lines=lines):
            said = ", ".join(f"{name}={value}" for name, value in lines)
            words = f"Gives {unit} a drop-in ({said}) and lets systemd read it"
        case MountOption(mount=mount, instead_of=former, option=option):
            words = f"Puts {option} in the place of {former} for {mount}, in force and in /etc/fstab"
        case SwapFile(path=path, mebibytes=size):
            words = f"Makes the swap file {path} of {size} MiB, switches it on, and lists it in /etc/fstab"
        case VacuumSchedule(by=by, hour=hour, minute=minute):
            keeper = "a timer of systemd's" if by == "systemd" else "cron"
            words = f"Has {keeper} vacuum all databases every day at {hour:02}:{minute:02}"
        case KernelArgument(arguments=arguments):
            words = f"Has a second boot entry give the kernel {' '.join(arguments)}; the default one stays"
        case MoveWal(data_directory=data, name=name, target=target):
            words = f"Stops the server, copies {data}/{name} to {target}, compares, and links to it"
        case _:
            assert_never(action)
    return words
