"""Who chooses the processors' frequency: cpufreq's governor, and the driver that carries it out."""

from __future__ import annotations

from tunewiz.collect import file_values
from tunewiz.collect.cpu.online import FOLDER
from tunewiz.collect.system import System
from tunewiz.core.values.known import Known, MaybeFact, Unknown

FIRST = f"{FOLDER}/cpu0"
_POLICY = f"{FIRST}/cpufreq"
"""Of the first processor: others have another governor only where somebody chose so."""


def read_governor(system: System) -> MaybeFact[str]:
    """`performance`, `powersave`, `schedutil` …; absent on most virtual machines."""
    return _read(system, "scaling_governor")


def read_frequency_driver(system: System) -> MaybeFact[str]:
    """`intel_pstate`, `amd-pstate-epp`, `acpi-cpufreq` …; absent where the kernel does not choose."""
    return _read(system, "scaling_driver")


def _read(system: System, name: str) -> MaybeFact[str]:
    kernel_name = file_values.kernel_name(system, f"{_POLICY}/{name}")
    if not isinstance(kernel_name, Unknown):
        return kernel_name
    beside = file_values.names(system, FIRST)
    if isinstance(beside, Known) and "cpufreq" not in beside.value:
        return file_values.absent(system, _POLICY, f"no {_POLICY}: this kernel does not choose the frequency")
    return kernel_name
