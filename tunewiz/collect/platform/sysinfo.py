"""What the machine says about itself in /proc/sysinfo on s390x.

The file goes from the machine over the logical partition (LPAR) to the virtual machines above this one:
VM00 is the hypervisor that runs this system, VM01 the one that runs VM00. `LPAR CPUs` counts the
partition's processors, not this guest's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Fact, Known, Unknown

PATH = "/proc/sysinfo"

Sysinfo: TypeAlias = Mapping[str, str]
"""Values by key; the first of equal keys."""


def read_sysinfo(system: System) -> Fact[Sysinfo]:
    """Read and take apart /proc/sysinfo; unknown on other architectures, which have none."""
    content = file_values.text(system, PATH)
    if not isinstance(content, Known):
        return content
    fields = dict[str, str]()
    for line in content.value.splitlines():
        key, colon, value = line.partition(":")
        if colon and value.strip():
            fields.setdefault(" ".join(key.split()), " ".join(value.split()))
    return Known(fields, PATH) if fields else Unknown(f"expected lines `Key: value`, found none: {PATH}")
