"""Clock sources that cost little to read."""

from __future__ import annotations

FAST_CLOCKS = frozenset(
    {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "tod", "timebase", "arch_sys_counter"}
)
"""Those that a process reads without a system call (vDSO)."""
