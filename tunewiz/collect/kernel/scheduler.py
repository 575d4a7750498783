"""The scheduler's settings, which moved from sysctl to debugfs (5.13) and were renamed there (6.6).

Distributions port such changes to older versions, so files are tried, never versions.
"""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

SYSCTLS = "/proc/sys/kernel"
DEBUGFS = "/sys/kernel/debug"
SCHED_EXT = "/sys/kernel/sched_ext"

_SETTINGS = (
    "migration_cost_ns",
    "min_granularity_ns",
    "base_slice_ns",
    "latency_ns",
    "wakeup_granularity_ns",
)


def read_scheduler(system: System) -> dict[str, Fact[int | str]]:
    """The settings that this kernel has; all unknown with the reason if debugfs cannot be read."""
    sysctls = file_values.names(system, SYSCTLS)
    names = sysctls.value if isinstance(sysctls, Known) else ()
    old = [name for name in _SETTINGS if f"sched_{name}" in names]
    if old:
        return {f"sched.{name}": file_values.number(system, f"{SYSCTLS}/sched_{name}") for name in old}
    listing = file_values.names(system, f"{DEBUGFS}/sched")
    match listing:
        case Known(files):
            present = [name for name in _SETTINGS if name in files]
            return {f"sched.{name}": _debug_number(system, name) for name in present}
        case Unknown(why):
            reason = Unknown(_not_listed(system, why))
            return {f"sched.{name}": reason for name in _SETTINGS}


def read_loaded_scheduler(system: System) -> dict[str, Fact[int | str]]:
    """Whether a scheduler of BPF programs is loaded, and its name; kernels without sched_ext have neither."""
    settings = dict[str, Fact[int | str]]()
    for name, path in (("sched.ext", f"{SCHED_EXT}/state"), ("sched.ext_ops", f"{SCHED_EXT}/root/ops")):
        if system.exists(path):
            settings[name] = file_values.kernel_name(system, path)
    return settings


def _debug_number(system: System, name: str) -> Fact[int | str]:
    number = file_values.number(system, f"{DEBUGFS}/sched/{name}")
    return Unknown(_with_lockdown(system, number.why)) if isinstance(number, Unknown) else number


def _not_listed(system: System, why: str) -> str:
    above = file_values.names(system, DEBUGFS)
    if isinstance(above, Known) and not above.value:
        return f"debugfs is not mounted: {DEBUGFS} is empty"
    return _with_lockdown(system, above.why if isinstance(above, Unknown) else why)


def _with_lockdown(system: System, why: str) -> str:
    """Lockdown forbids reading debugfs even to root (kernel: security/lockdown)."""
    mode = file_values.active(system, "/sys/kernel/security/lockdown")
    locked = isinstance(mode, Known) and mode.value != "none"
    return f"{why} (kernel lockdown: {mode.value})" if locked and isinstance(mode, Known) else why
