"""What an internal error leaves: a private report without the values of variables."""

from __future__ import annotations

import os
import platform
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path

from tunewiz import __version__


def state_directory(environ: Mapping[str, str]) -> Path:
    """Where the program keeps what it writes for itself (XDG Base Directory Specification)."""
    state = environ.get("XDG_STATE_HOME", "")
    base = Path(state) if state.startswith("/") else Path(environ.get("HOME", "/")) / ".local" / "state"
    return base / "tunewiz"


def report_of(error: BaseException) -> str:
    """Versions and the traceback, line by line."""
    where = f"tunewiz {__version__}, Python {platform.python_version()}, {platform.machine()}"
    return "\n".join((where, "", *"".join(traceback.format_exception(error)).splitlines(), ""))


def write_report(error: BaseException, directory: Path) -> str:
    """Write the report, readable by its owner only; returns its path, or why it could not be written."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, path = tempfile.mkstemp(prefix="fault-", suffix=".txt", dir=directory)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(report_of(error))
    except OSError as reason:
        return f"no report could be written ({reason.strerror})"
    return f"report: {path}"
