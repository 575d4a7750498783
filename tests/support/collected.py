"""Runs the collector on pretend roots and captured machines, by every shell that is here."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

from recorded_machines import Leaf, leaves
from tools_here import need
from tunewiz.collect.collected import CollectedSystem, read_collection
from tunewiz.collect.everything import read_facts
from tunewiz.collect.script import collector
from tunewiz.collect.system import System
from tunewiz.core.values.known import Absent, Known

SHELLS = (("dash",), ("busybox", "sh"), ("ksh93",), ("bash",), ("mksh",), ("yash",))
DASH = SHELLS[0]
SECRET = "hunter2"  # noqa: S105 - what must not be found
DATA = "var/lib/postgresql/15/main"
CONFIG = "etc/postgresql/15/main"


_DIRECTORIES: list[Path] = []


def remove_script() -> None:
    """Remove the collector's file, if a test asked for it."""
    while _DIRECTORIES:
        shutil.rmtree(_DIRECTORIES.pop())


@cache
def script() -> Path:
    """The collector as a file, as it is copied to a server."""
    directory = Path(mkdtemp())
    _DIRECTORIES.append(directory)
    directory.chmod(0o755)
    file = directory / "collect.sh"
    file.write_text(collector())
    return file


def collect(root: Path | None, shell: tuple[str, ...] = DASH) -> bytes:
    """What the collector writes; it says nothing on standard error."""
    need(shell[0])
    done = subprocess.run(
        [*shell, script()],
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], **({} if root is None else {"TUNEWIZ_ROOT": str(root)})},
    )
    assert done.stderr == b""
    return done.stdout


def collected(root: Path | None, shell: tuple[str, ...] = DASH) -> CollectedSystem:
    """The machine of which the collector tells."""
    return read_collection(collect(root, shell), "collection")


def collected_whole(root: Path) -> CollectedSystem:
    """The same of a root that has all of a machine's files: there, what was not found is absent."""
    lines = collect(root).split(b"\n")
    lines[1:1] = [b"T /.tunewiz/machine", b" x86_64"]
    lines[-2:] = [b"%d" % (len(lines) - 2), b""]
    return read_collection(b"\n".join(lines), "collection")


def make(root: Path, files: dict[str, str | bytes], links: dict[str, str] | None = None) -> Path:
    """Files and links under a folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    for name, target in (links or {}).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)
    return root


def shells() -> list[Any]:
    """Every shell as a parameter with its name; the first two at once, the others with the slow tests."""
    marks = ((), (), *((pytest.mark.slow,) for _ in SHELLS[2:]))
    return [pytest.param(shell, id=shell[0], marks=mark) for shell, mark in zip(SHELLS, marks, strict=True)]


def facts_of(system: System) -> dict[str, Leaf]:
    """Every single fact of a machine."""
    return leaves(read_facts(system))


def value(leaf: Leaf | None) -> object:
    """What a fact says, without how it was learned."""
    match leaf:
        case Known(result):
            return result
        case Absent():
            return "absent"
        case _:
            return "unknown"


def differences(one: dict[str, Leaf], other: dict[str, Leaf]) -> list[str]:
    """The facts that say something else, each with both."""
    return [
        f"{name}: {one.get(name)}, collected {other.get(name)}"
        for name in sorted(one.keys() | other.keys())
        if value(one.get(name)) != value(other.get(name))
    ]
