"""Whether systemd-logind removes the shared memory of an ordinary user (logind.conf(5), RemoveIPC)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.owners.overriding_files import files_by_name
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known, MaybeFact

BOOTED = "/run/systemd/system"
"""Exists if systemd runs the machine (sd_booted(3))."""
_ABOVE = ("/etc", "/run", "/usr/local/lib", "/usr/lib")
MAIN = tuple(f"{above}/systemd/logind.conf" for above in _ABOVE)
DROP_INS = tuple(f"{above}/systemd/logind.conf.d" for above in _ABOVE)

_LINE = re.compile(r"(#?)\s*RemoveIPC\s*=\s*([A-Za-z0-9]+)\s*")
_WORDS = {
    **dict.fromkeys(("1", "yes", "y", "true", "t", "on"), True),
    **dict.fromkeys(("0", "no", "n", "false", "f", "off"), False),
}
"""Boolean values in systemd (systemd.syntax(7))."""
_UPSTREAM = Known(True, "systemd's default")  # noqa: FBT003 - the value of the fact


def read_removes_ipc(system: System) -> MaybeFact[bool]:
    """True if it does; absent if systemd does not run the machine."""
    if not system.exists(BOOTED):
        return file_values.absent(system, BOOTED, f"no {BOOTED}: systemd does not run this machine")
    main = [path for path in MAIN if system.exists(path)][:1]
    paths = [*main, *files_by_name(system, DROP_INS).values()]
    text, default = Absent("not set"), _UPSTREAM
    result: Known[bool] | Absent = text
    for path in paths:
        content = file_values.text(system, path)
        if not isinstance(content, Known):
            return content
        for is_default, value in _lines(content.value):
            if is_default:
                default = Known(value, f"{path}: the default that it shows")
            else:
                result = Known(value, path)
    return result if isinstance(result, Known) else default


def _lines(content: str) -> Iterator[tuple[bool, bool]]:
    """Whether the line is commented out, as defaults are, and its value."""
    for line in content.splitlines():
        matched = _LINE.fullmatch(line.strip())
        if matched and matched[2].lower() in _WORDS:
            yield bool(matched[1]), _WORDS[matched[2].lower()]
