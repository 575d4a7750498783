"""Writes a bundle: whole or not at all, and never over anything."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
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
    write_whole(directory, lambda sibling: _fill(sibling, files))


def write_whole(directory: Path, fill: Callable[[Path], None]) -> None:
    """Fills a directory beside it, and renames that once everything is in it; raises BundleError as above."""
    check_new(directory)
    try:
        _write_beside(directory, fill)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BundleError(f"{directory}: cannot be written: {reason}", "Choose another directory.") from error


def check_new(directory: Path) -> None:
    """Raises BundleError where the directory exists, or its parent does not."""
    if _is_there(directory):
        raise BundleError(
            f"{directory}: already exists; choose another name", "A bundle is never overwritten."
        )
    if not directory.parent.is_dir():
        raise BundleError(
            f"{directory}: expected its parent {directory.parent} to be a directory", "Make it first."
        )


def _is_there(directory: Path) -> bool:
    try:
        directory.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        reason = error.strerror or str(error)
        raise BundleError(f"{directory}: cannot be written: {reason}", "Choose another directory.") from error
    return True


def _write_beside(directory: Path, fill: Callable[[Path], None]) -> None:
    sibling = Path(tempfile.mkdtemp(prefix=f".{directory.name[:100]}.", dir=directory.parent))
    try:
        fill(sibling)
        sibling.chmod(RUNNABLE)
        check_new(directory)
        sibling.rename(directory)
    except BaseException:
        shutil.rmtree(sibling, ignore_errors=True)
        raise


def _fill(directory: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        mode = RUNNABLE if PurePosixPath(name).name in SCRIPTS else READABLE
        _write_file(directory / name, content, mode)


def _write_file(file: Path, content: bytes, mode: int) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("xb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    file.chmod(mode)
