"""A pretend machine that systemd runs, as far as a revert asks it; what it is told stands beside it."""

from pathlib import Path

from pretend_root import PretendRoot
from small_host import put_program

SYSTEMCTL = """#!/bin/sh
printf '%s\\n' "systemctl $*" >>"{told}"
case $* in
    *is-active*) test -e "{beside}/timer" ;;
    *is-enabled*) test -e "{beside}/guard" ;;
    *enable*) true >"{beside}/guard" ;;
    *disable*) rm -f "{beside}/guard" ;;
    *stop*) rm -f "{beside}/timer" ;;
    *) ;;
esac
"""

SYSTEMD_RUN = """#!/bin/sh
printf '%s\\n' "systemd-run $*" "dirty_bytes $(cat "{root}/proc/sys/vm/dirty_bytes")" >>"{told}"
true >"{beside}/timer"
"""

WANTS = "/etc/systemd/system/sysinit.target.wants"


def run_by_systemd(machine: PretendRoot) -> PretendRoot:
    """The machine with systemd, which keeps its timer and its guard as files beside it."""
    beside = machine.root.parent
    for directory in ("/run/systemd/system", WANTS):
        machine.path(directory).mkdir(parents=True, exist_ok=True)
    words = {"told": beside / "told", "beside": beside, "root": machine.root}
    put_program(machine, "systemctl", SYSTEMCTL.format(**words))
    put_program(machine, "systemd-run", SYSTEMD_RUN.format(**words))
    put_program(machine, "systemd-escape", "#!/bin/sh\necho -.mount\n")
    return machine


def reboot(machine: PretendRoot) -> None:
    """What a boot takes away: files under /run, and timers that were set by a command."""
    for marker in machine.path("/run").glob("tunewiz-armed-*"):
        marker.unlink()
    (machine.root.parent / "timer").unlink(missing_ok=True)


def told(machine: PretendRoot) -> list[str]:
    """What systemd was told, in order."""
    file = machine.root.parent / "told"
    return file.read_text().splitlines() if file.exists() else []


def armed(machine: PretendRoot) -> dict[str, bool]:
    """What stands of a revert."""
    beside = machine.root.parent
    return {
        "timer": (beside / "timer").exists(),
        "guard": (beside / "guard").exists(),
        "guard file": any(machine.path("/etc/systemd/system").glob("tunewiz-guard-*.service")),
        "pending": (machine.state / "pending").exists(),
        "this boot": any(machine.path("/run").glob("tunewiz-armed-*")),
    }


def the_copy(machine: PretendRoot) -> Path:
    """The bundle that a revert works with."""
    (copy,) = machine.state.glob("*/revert")
    return copy
