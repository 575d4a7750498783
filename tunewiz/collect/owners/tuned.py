"""tuned: its active profile, and which of our kernel settings it overwrites.

tuned writes what a profile's [sysctl] section says and then reads /etc/sysctl.d again, so a file there wins
(reapply_sysctl in tuned-main.conf, on unless switched off). What [vm] and [sysfs] say it writes afterwards.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tunewiz.collect import file_values
from tunewiz.collect.system import System
from tunewiz.core.facts.owners import Rival
from tunewiz.core.values.known import Absent, Known, MaybeFact, Unknown

ACTIVE = "/etc/tuned/active_profile"
MAIN = "/etc/tuned/tuned-main.conf"
RUNNING = "/run/tuned/tuned.pid"
AT_BOOT = "/etc/systemd/system/multi-user.target.wants/tuned.service"
PROFILES = ("/etc/tuned/profiles", "/etc/tuned", "/usr/lib/tuned/profiles", "/usr/lib/tuned")
"""Where a profile is looked for, an administrator's own first."""
MAX_PROFILES = 50
"""Profiles read before a chain of includes is taken for a loop."""

THP = "/sys/kernel/mm/transparent_hugepage/enabled"
_VM = {
    "dirty_bytes": "vm.dirty_bytes",
    "dirty_ratio": "vm.dirty_ratio",
    "dirty_background_bytes": "vm.dirty_background_bytes",
    "dirty_background_ratio": "vm.dirty_background_ratio",
    "transparent_hugepages": THP,
    "transparent_hugepage": THP,
}
"""What the options of a [vm] section write."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]*")
_OFF = frozenset({"0", "false", "no", "n"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One option of a profile."""

    section: str
    """The kind of the section: its `type`, else its name."""
    name: str
    value: str
    place: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Tuned:
    """tuned as it was found."""

    profile: MaybeFact[str]
    lines: tuple[Line, ...]
    """Of the active profile and what it includes; of equal options the last counts."""
    sysctl_d_wins: bool


def read_tuned(system: System) -> Tuned:
    """The active profile and its options; none where tuned neither runs nor starts at boot."""
    profile = _profile(system)
    names = profile.value.split() if isinstance(profile, Known) else []
    observation = set[str]()
    return Tuned(
        profile=profile,
        lines=tuple(line for name in names for line in _of_profile(system, name, observation)),
        sysctl_d_wins=_sysctl_d_wins(system),
    )


def tuned_rivals(tuned: Tuned) -> Iterator[Rival]:
    """What the profile writes after sysctl.d and tmpfiles.d were read."""
    for line in tuned.lines:
        name = _written(line, sysctl_d_wins=tuned.sysctl_d_wins)
        if name:
            yield Rival(name=name, value=line.value, place=line.place, keeper="tuned")


def latency_of(tuned: Tuned) -> MaybeFact[str]:
    """The longest wake-up time that the profile allows processors: [cpu] force_latency."""
    if not isinstance(tuned.profile, Known):
        return tuned.profile
    for line in reversed(tuned.lines):
        if (line.section, line.name) == ("cpu", "force_latency") and line.value:
            return Known(line.value, line.place)
    if tuned.lines:
        return Absent(f"the profile {tuned.profile.value} sets no force_latency")
    return Unknown(f"the profile {tuned.profile.value} could not be read")


def _profile(system: System) -> MaybeFact[str]:
    if not system.exists(ACTIVE):
        how = f"no {ACTIVE}: tuned is not installed or never had a profile"
        return file_values.absent(system, ACTIVE, how)
    text = file_values.text(system, ACTIVE)
    if not isinstance(text, Known):
        return text
    names = text.value.split()
    if not names:
        return Absent(f"{ACTIVE} names no profile")
    if not all(map(_NAME.fullmatch, names)):
        return Unknown(f"expected names of profiles, found {text.value[:40]!r}: {ACTIVE}")
    if system.exists("/run/systemd/system") and not any(map(system.exists, (RUNNING, AT_BOOT))):
        return file_values.absent(system, RUNNING, "tuned neither runs nor starts at boot")
    return Known(" ".join(names), ACTIVE)


def _written(line: Line, *, sysctl_d_wins: bool) -> str:
    """The setting that an option writes for good; empty where it writes none, or ours is written after it."""
    match line.section:
        case "vm":
            return _VM.get(line.name, "")
        case "sysfs":
            return line.name if line.name.startswith("/sys/") else ""
        case "sysctl":
            return "" if sysctl_d_wins else line.name.replace("/", ".")
        case _:
            return ""


def _sysctl_d_wins(system: System) -> bool:
    text = file_values.text(system, MAIN)
    options = dict(_options(text.value)) if isinstance(text, Known) else {}
    return options.get("reapply_sysctl", "1").lower() not in _OFF


def _options(content: str) -> Iterator[tuple[str, str]]:
    for line in content.splitlines():
        name, assigned, value = line.partition("=")
        if assigned and not line.lstrip().startswith(("#", ";")):
            yield name.strip(), value.strip()


def _of_profile(system: System, name: str, observation: set[str]) -> Iterator[Line]:
    """What a profile includes comes before its own, so that its own counts."""
    if name in observation or len(observation) >= MAX_PROFILES or not _NAME.fullmatch(name):
        return
    observation.add(name)
    path = next((path for folder in PROFILES if system.exists(path := f"{folder}/{name}/tuned.conf")), "")
    text = file_values.text(system, path) if path else Unknown(f"no profile {name}")
    lines = tuple(_lines(text.value, path)) if isinstance(text, Known) else ()
    for line in lines:
        if line.section == "main" and line.name == "include":
            for included in re.split(r"[\s,]+", line.value.strip("-")):
                yield from _of_profile(system, posixpath.basename(included), observation)
    yield from lines


def _lines(content: str, path: str) -> Iterator[Line]:
    kinds = {name: options.get("type", name) for name, options in _sections(content).items()}
    section = ""
    for number, raw in enumerate(content.splitlines(), start=1):
        line = raw.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        for name, value in _options(line):
            yield Line(section=kinds.get(section, section), name=name, value=value, place=f"{path}:{number}")


def _sections(content: str) -> dict[str, dict[str, str]]:
    result, section = dict[str, dict[str, str]](), ""
    for raw in content.splitlines():
        line = raw.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        result.setdefault(section, {}).update(_options(line))
    return result
