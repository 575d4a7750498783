"""Runs the dry run of a written bundle: nothing is changed, and its own script says what would be."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bundle.parts import APPLY
from tunewiz.core.values.errors import BundleError

SHELL = "/bin/sh"
LONGEST = 120.0
"""Seconds. Servers and the kernel, which it asks, answer within a few."""
LOOK = 0.1
"""Seconds between two looks whether it was stopped."""
MOST = 256 * 1024
"""Bytes of what it said that are shown; a bundle's own dry run says a few hundred lines at most."""
PASSED_ON = ("SUDO_UID", "TUNEWIZ_ROOT", "TUNEWIZ_STATE_DIR")
"""The variables that the bundle's scripts read; they forget everything else."""
SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, kw_only=True, slots=True)
class DryRun:
    """How it ended, and what it said."""

    status: int
    """The exit status of apply.sh; see docs/formats.md."""
    lines: tuple[str, ...]
    """Standard output and standard error, in the order in which they were written."""


def dry_run(directory: Path, is_enough: Callable[[], bool]) -> DryRun:
    """What `apply.sh --dry-run` says, until it ends or somebody says that it is enough.

    Raises:
        BundleError: The bundle is gone, others could change it meanwhile, or it did not end.
    """
    place = _place(directory)
    _check_trusted(place)
    return _ended(_begun(place), is_enough)


def _place(directory: Path) -> Path:
    try:
        return directory.resolve(strict=True)
    except OSError as error:
        raise BundleError(f"{directory}: cannot be opened: {error.strerror}", "Was it moved?") from error


def _check_trusted(place: Path) -> None:
    """Refuses a place where someone else could replace the script before it starts.

    apply.sh checks its own place the same way, but only once it runs.
    """
    trusted = {0, os.geteuid(), _caller()}
    for path in (place / APPLY, place, *place.parents):
        if why := _unsafe(_looked_at(path), trusted):
            raise BundleError(
                f"{path}: {why}: it could be replaced before it runs",
                "Copy the bundle to a directory that only root can write, and try it there.",
            )


def _looked_at(path: Path) -> os.stat_result:
    try:
        return path.lstat()
    except OSError as error:
        raise BundleError(f"{path}: cannot be looked at: {error.strerror}", "Was it moved?") from error


def _caller() -> int:
    """The user who called sudo; root where nobody did."""
    text = os.environ.get("SUDO_UID", "")
    return int(text) if text.isascii() and text.isdigit() else 0


def _unsafe(status: os.stat_result, trusted: set[int]) -> str:
    if status.st_uid not in trusted:
        return "belongs to someone else"
    if status.st_mode & OTHERS_WRITE and not status.st_mode & stat.S_ISVTX:
        return "others may write to it"
    return ""


def _begun(place: Path) -> subprocess.Popen[bytes]:
    passed_on = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    try:
        return subprocess.Popen(  # noqa: S603 - the bundle's own script, from a place that was checked
            [SHELL, str(place / APPLY), "--dry-run"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=place,
            env={"PATH": SYSTEM_PATH, "LC_ALL": "C", **passed_on},
            start_new_session=True,
        )
    except OSError as error:
        raise BundleError(f"{SHELL}: cannot be started: {error.strerror}") from error


def _ended(begun: subprocess.Popen[bytes], is_enough: Callable[[], bool]) -> DryRun:
    """Its end; where it does not come, or the program is left, nothing of it goes on."""
    waited = 0.0
    try:
        while True:
            try:
                said, _ = begun.communicate(timeout=LOOK)
            except subprocess.TimeoutExpired:
                waited += LOOK
                if waited >= LONGEST or is_enough():
                    raise _unfinished(waited) from None
            else:
                return DryRun(status=begun.returncode, lines=_lines(said))
    finally:
        _end(begun)


def _unfinished(waited: float) -> BundleError:
    return BundleError(f"the dry run was stopped after {waited:.0f} s", "Try it on the command line.")


def _end(begun: subprocess.Popen[bytes]) -> None:
    """End it with all that it started: it leads a session of its own."""
    if begun.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(begun.pid, signal.SIGKILL)
        _ = begun.wait()
    if begun.stdout is not None:
        begun.stdout.close()


def _lines(said: bytes) -> tuple[str, ...]:
    lines = said[:MOST].decode(errors="replace").splitlines()
    return (*lines, "…") if len(said) > MOST else tuple(lines)
