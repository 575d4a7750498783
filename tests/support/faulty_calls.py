"""Faults at single system calls: strace makes those that touch one path fail, or kills who makes them."""

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from pretend_root import PretendRoot
from tools_here import missing

WRITING = (
    "openat",
    "write",
    "copy_file_range",
    "fsync",
    "fdatasync",
    "syncfs",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "chmod",
    "fchmod",
    "fchmodat",
    "fchown",
    "fchownat",
)
_CALL = re.compile(r"^\d+ +(\w+)\((.*)$")


@dataclass(frozen=True, kw_only=True, slots=True, order=True)
class Call:
    """One kind of system call on one path, told from the directory that holds machine and state."""

    name: str
    path: str


_TRACER = ("strace", "-f", "-qq", "--seccomp-bpf")
"""It stops a process at the calls that were named, and at no other: that is most of what tracing costs."""


@cache
def cannot_trace() -> str:
    """Why no call can be made to fail here; empty where they can."""
    if why := missing("strace"):
        return why
    tried = subprocess.run((*_TRACER, "-o", "/dev/null", "true"), capture_output=True, check=False)
    return "" if tried.returncode == 0 else "strace may not trace here"


def traced(machine: PretendRoot, *options: str, log: Path = Path("/dev/null")) -> PretendRoot:
    """The machine whose scripts run under strace."""
    return replace(machine, shell=(*_TRACER, "-o", str(log), *options, *machine.shell))  # noqa: S604 - a field of ours


_ERRORS = MappingProxyType(
    {
        "openat": ("ENOSPC", "EACCES", "EROFS", "EDQUOT"),
        "write": ("ENOSPC", "EIO", "EDQUOT"),
        "copy_file_range": ("ENOSPC", "EIO", "EDQUOT"),
        "fsync": ("EIO",),
        "mkdir": ("ENOSPC",),
    }
)
_ELSE = ("EACCES", "EROFS", "EPERM")


def errors(calls: Sequence[Call]) -> Iterator[tuple[Call, str]]:
    """Each call with an error that it may really end in; in turn, so that every kind comes up."""
    for number, call in enumerate(calls):
        kinds = _ERRORS.get(call.name, _ELSE)
        yield call, f"error={kinds[number % len(kinds)]}"


def striking(machine: PretendRoot, call: Call, fault: str) -> PretendRoot:
    """The machine on which every such call on that path meets the fault."""
    path = machine.root.parent / call.path
    only = ("-e", f"trace={call.name}")
    return traced(machine, *only, "-P", str(path), "-e", f"inject={call.name}:{fault}")


def sampled(calls: set[Call]) -> list[Call]:
    """In order; of the copies that are kept, which are all made alike, one of each kind.

    A pretend file below /sys is empty between its opening and the write; the kernel's never is.
    """
    alike = {re.sub(r"/new/\d+\.", "/new/*.", f"{call.name} {call.path}"): call for call in sorted(calls)}
    return [call for call in sorted(alike.values()) if (call.name, call.path[:9]) != ("write", "root/sys/")]


def recorded(log: Path, base: Path) -> set[Call]:
    """The calls of a log that write below a directory, but for names that differ from run to run."""
    return {call for line in log.read_text(errors="replace").splitlines() for call in _calls(line, base)}


def _calls(line: str, base: Path) -> Iterator[Call]:
    match = _CALL.match(line)
    if match is None or " = -1 " in line:
        return
    name, arguments = match.groups()
    if name == "openat" and not re.search(r"O_WRONLY|O_RDWR|O_CREAT", arguments):
        return
    if name in {"write", "copy_file_range"}:
        # What is written may look like a path.
        arguments = " ".join(re.findall(r"(?:^|, )\d+(<[^>]*>)", arguments))
    paths = re.findall(r'["<]' + re.escape(f"{base}/") + r'([^">]+)[">]', arguments)
    # Where a call moves something, the last path is the place that others look at.
    yield from (Call(name=name, path=path) for path in paths[-1:] if not re.search(r"lock\.\d", path))
