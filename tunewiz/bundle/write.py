"""Writes a bundle: whole or not at all, and never over anything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from tunewiz.bundle.parts import SCRIPTS
from tunewiz.bundle.render import rendered
from tunewiz.core.planning.plan import Plan
from tunewiz.core.values.errors import BundleError

READABLE = 0o644
RUNNABLE = 0o755


def write_bundle(plan: Plan, directory: Path, facts_json: str, answers_toml: str) -> None:
    """Makes the directory with everything in it.

    Raises:
        BundleError: The directory exists, its parent does not, or it cannot be written.
    """
    write_files(rendered(plan, facts_json, answers_toml), directory)


def write_files(files: Mapping[str, bytes], directory: Path) -> None:
    """Makes the directory with these files in it; raises BundleError as above."""
    _refuse_existing(directory)
    try:
        _write(files, directory)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BundleError(f"{directory}: cannot be written: {reason}", "Choose another directory.") from error


def _refuse_existing(directory: Path) -> None:
    if directory.exists() or directory.is_symlink():
        raise BundleError(
            f"{directory}: already exists; choose another name", "A bundle is never overwritten."
        )
    if not directory.parent.is_dir():
        raise BundleError(
            f"{directory}: expected its parent {directory.parent} to be a directory", "Make it first."
        )


def _write(files: Mapping[str, bytes], directory: Path) -> None:
    sibling = Path(tempfile.mkdtemp(prefix=f".{directory.name[:100]}.", dir=directory.parent))
    try:
        for name, content in files.items():
            _write_file(
                sibling / name, content, RUNNABLE if PurePosixPath(name).name in SCRIPTS else READABLE
            )
        sibling.chmod(RUNNABLE)
        _refuse_existing(directory)
        sibling.rename(directory)
    except BaseException:
        shutil.rmtree(sibling, ignore_errors=True)
        raise


def _write_file(file: Path, content: bytes, mode: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    file.chmod(mode)
