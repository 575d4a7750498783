"""How many files each process of a server may have open (getrlimit(2), RLIMIT_NOFILE)."""

from __future__ import annotations

import re

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

_LINE = re.compile(r"^Max open files\s+(unlimited|[0-9]{1,20})\s", re.MULTILINE)


def read_open_files(system: System, pid: int) -> MaybeFact[int]:
    """The soft limit of a process, which is the effective one; absent if there is none."""
    lines = file_values.lines(system, f"/proc/{pid}/limits")
    if not isinstance(lines, Known):
        return lines
    matched = _LINE.search(lines.value)
    if matched is None:
        return Unknown(f"expected a line `Max open files`: {lines.how}")
    if matched[1] == "unlimited":
        return Absent(f"unlimited: {lines.how}")
    return Known(int(matched[1]), lines.how)
