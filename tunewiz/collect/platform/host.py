"""Which machine this is: its name, architecture, kernel and distribution, and a private identity."""

from __future__ import annotations

import hashlib
import re

from tunewiz.collect import file_values
from tunewiz.collect.cpu.cpuinfo import CpuInfo
from tunewiz.collect.platform.architecture import read_architecture
from tunewiz.collect.platform.program import read_program
from tunewiz.collect.platform.sysinfo import Sysinfo
from tunewiz.collect.system import System
from tunewiz.core.facts.machine import Host
from tunewiz.core.values.known import Fact, Known, Unknown

_RELEASES = ("/etc/os-release", "/usr/lib/os-release")
_MACHINE_IDS = ("/etc/machine-id", "/var/lib/dbus/machine-id")
_COLLECTED_IDENTITY = "/.tunewiz/identity"
_HASH = re.compile(r"[0-9a-f]{64}")
_MACHINE_ID = re.compile(r"[0-9a-f]{32}")
_ASSIGNMENT = re.compile(r"""([A-Z_0-9]+)=(?:"(.*)"|'(.*)'|([^"'].*))""")


def read_host(system: System, cpuinfo: Fact[CpuInfo], sysinfo: Fact[Sysinfo]) -> Host:
    """Name and kernel as uname prints them; the machine id only as a hash."""
    uname = system.uname()
    return Host(
        name=uname.node,
        architecture=read_architecture(system, uname, cpuinfo, sysinfo),
        kernel=uname.release,
        distribution=file_values.first(_distribution(system, path) for path in _RELEASES),
        identity=_collected(system)
        if not system.live and system.exists(_COLLECTED_IDENTITY)
        else file_values.first(_identity(system, path) for path in _MACHINE_IDS),
        program=read_program(system),
    )


def _distribution(system: System, path: str) -> Fact[str]:
    return file_values.converted(file_values.text(system, path), _pretty_name, "PRETTY_NAME or NAME")


def _pretty_name(content: str) -> str | None:
    matches = (_ASSIGNMENT.fullmatch(line.strip()) for line in content.splitlines())
    fields = {matched[1]: matched[matched.lastindex or 1] for matched in matches if matched}
    named = " ".join(part for part in (fields.get("NAME"), fields.get("VERSION")) if part)
    return file_values.as_word(fields.get("PRETTY_NAME") or named)


def _collected(system: System) -> Fact[str]:
    """The hash that the collector made on the server: the id itself never leaves it."""
    fact = file_values.text(system, _COLLECTED_IDENTITY)
    return file_values.converted(fact, lambda text: text if _HASH.fullmatch(text) else None, "a hash")


def _identity(system: System, path: str) -> Fact[str]:
    text = file_values.text(system, path)
    if not isinstance(text, Known):
        return text
    if not _MACHINE_ID.fullmatch(text.value):
        return Unknown(f"expected 32 hexadecimal digits: {path}")
    return Known(hashlib.sha256(f"tunewiz:{text.value}".encode()).hexdigest(), f"SHA-256 of {path}")
