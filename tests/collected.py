"""Runs the collector on pretend roots and captured machines, by every shell that is here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tunewiz.collection import CollectedSystem, read_collection

SCRIPT = Path(__file__).resolve().parent.parent / "tunewiz" / "facts" / "collector.sh"
SHELLS = (("dash",), ("busybox", "sh"), ("ksh93",), ("bash",), ("mksh",), ("yash",))
DASH = SHELLS[0]


def need(shell: tuple[str, ...]) -> None:
    """Skips the test aloud where the shell is missing."""
    if shutil.which(shell[0]) is None:
        pytest.skip(f"{shell[0]} is not installed: the collector was not run by it")


def collect(root: Path | None, shell: tuple[str, ...] = DASH) -> bytes:
    """What the collector writes; it says nothing on standard error."""
    need(shell)
    done = subprocess.run(
        [*shell, SCRIPT],
        capture_output=True,
        check=True,
        env={"PATH": os.environ["PATH"], **({} if root is None else {"TUNEWIZ_ROOT": str(root)})},
    )
    assert done.stderr == b""
    return done.stdout


def collected(root: Path | None, shell: tuple[str, ...] = DASH) -> CollectedSystem:
    """The machine of which the collector tells."""
    return read_collection(collect(root, shell), "collection")


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
