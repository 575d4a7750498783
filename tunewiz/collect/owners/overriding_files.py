"""Lines in other files that override a bundle's own: it would set a value that the next boot resets.

sysctl.d: of files with one name the first directory's is read, then all are read by name, and the last line
wins; `sysctl --system` reads /etc/sysctl.conf after all (sysctl.d(5), sysctl(8)). tmpfiles.d: the first line
wins (tmpfiles.d(5)).
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from tunewiz.collect import file_values
from tunewiz.collect.owners.tuned import Tuned, tuned_rivals
from tunewiz.collect.system import ReadError, System
from tunewiz.core.facts.owners import Rival
from tunewiz.core.values.known import Fact, Known, Unknown

OUR_SYSCTL_FILE = "90-tunewiz.conf"
OUR_TMPFILES_FILE = "tunewiz.conf"
"""The names under which a bundle writes."""

SYSCTL_DIRECTORIES = tuple(
    f"{above}/sysctl.d" for above in ("/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib")
)
TMPFILES_DIRECTORIES = tuple(
    f"{above}/tmpfiles.d"  # noqa: S108 - no directory for temporary files: systemd's configuration
    for above in ("/etc", "/run", "/usr/local/lib", "/usr/lib")
)
SYSCTL_CONF = "/etc/sysctl.conf"

_TUNED_HERE = ("vm.", "kernel.sched_", "kernel.numa_")
"""Other settings are irrelevant to plans, and may be private."""
_GLOB = frozenset("*?[")
_PROC_SYS = "/proc/sys/"
_TMPFILES_FIELDS = 7


class _UnreadableError(Exception):
    """A file that may contain an overriding line cannot be read."""


def read_rivals(system: System, tuned: Tuned) -> Fact[tuple[Rival, ...]]:
    """All such lines, by name; of several for one setting, the one that takes effect."""
    try:
        rivals = {
            **{rival.name: rival for rival in reversed(list(_tmpfiles(system)))},
            **{rival.name: rival for rival in _sysctls(system)},
            **{rival.name: rival for rival in tuned_rivals(tuned)},
        }
    except _UnreadableError as error:
        return Unknown(str(error))
    if not rivals and not system.complete:
        return Unknown(f"not all in the capture: {', '.join((*SYSCTL_DIRECTORIES, *TMPFILES_DIRECTORIES))}")
    return Known(tuple(rivals[name] for name in sorted(rivals)), "sysctl.d, tmpfiles.d and tuned's profile")


def files_by_name(system: System, directories: tuple[str, ...]) -> dict[str, str]:
    """The files that are read, in the order of the bytes of their names."""
    files = dict[str, str]()
    for directory in directories:
        listed = file_values.names(system, directory)
        for name in listed.value if isinstance(listed, Known) else ():
            if name.endswith(".conf"):
                files.setdefault(name, f"{directory}/{name}")
    return {name: files[name] for name in sorted(files, key=_bytes)}


def _bytes(name: str) -> bytes:
    return name.encode(errors="surrogateescape")


def _sysctls(system: System) -> Iterator[Rival]:
    for name, path in files_by_name(system, SYSCTL_DIRECTORIES).items():
        if _bytes(name) > _bytes(OUR_SYSCTL_FILE):
            yield from _sysctl_lines(system, path)
    if system.exists(SYSCTL_CONF):
        yield from _sysctl_lines(system, SYSCTL_CONF)


def _sysctl_lines(system: System, path: str) -> Iterator[Rival]:
    for number, line in _lines(system, path):
        key, assigned, value = line.lstrip("-").partition("=")
        name = _dotted(key.strip())
        # A pattern yields to a line that names the setting, as ours does (sysctl.d(5)).
        if assigned and name.startswith(_TUNED_HERE) and not _GLOB & set(name):
            yield Rival(name=name, value=value.strip(), place=f"{path}:{number}", keeper="sysctl.d")


def _dotted(key: str) -> str:
    """`vm/swappiness` is vm.swappiness: whichever stands first parts the name."""
    slash, dot = key.find("/"), key.find(".")
    return key.translate(str.maketrans("/.", "./")) if 0 <= slash < dot or dot < 0 <= slash else key


def _tmpfiles(system: System) -> Iterator[Rival]:
    for name, path in files_by_name(system, TMPFILES_DIRECTORIES).items():
        if _bytes(name) < _bytes(OUR_TMPFILES_FILE):
            yield from _tmpfiles_lines(system, path)


def _tmpfiles_lines(system: System, path: str) -> Iterator[Rival]:
    for number, line in _lines(system, path):
        fields = line.split(None, _TMPFILES_FIELDS - 1)
        if len(fields) == _TMPFILES_FIELDS and fields[0].startswith("w"):
            target = fields[1].strip('"')
            name = _dotted(target[len(_PROC_SYS) :]) if target.startswith(_PROC_SYS) else target
            if name.startswith(("/sys/", *_TUNED_HERE)):
                yield Rival(name=name, value=fields[6].strip(), place=f"{path}:{number}", keeper="tmpfiles.d")


def _lines(system: System, path: str) -> Iterator[tuple[int, str]]:
    """The significant lines, with their numbers; a link to /dev/null masks a file and has none."""
    try:
        if system.realpath(path) == "/dev/null":
            return
        content = system.read_text(path)
    except ReadError as error:
        if error.reason in {"missing", "uncaptured"}:  # a link that leads nowhere
            return
        raise _UnreadableError(
            f"{error.message}, and {posixpath.basename(path)} is read after ours"
        ) from error
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith(("#", ";")):
            yield number, line.strip()
