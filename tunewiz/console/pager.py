"""Shows a long text through the reader's pager, as git and man do; without a terminal it is only written.

Root gets the system's own pager, which starts no other program: the environment may be somebody else's.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping

from tunewiz.console import output

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
PAGERS = ("less", "more")
DEFAULTS = {"LESS": "FRX", "LESSCHARSET": "utf-8"}
"""less ends at once where the text fits, shows colours, leaves the text on the screen, knows its letters."""
FOR_ROOT = {"LESSSECURE": "1", "LESSOPEN": "", "LESSCLOSE": ""}
"""less(1): no shell, no editor, no program that opens files."""


def show(text: str, *, as_root: bool) -> None:
    """Write results, on a terminal page by page; raises as `output.write`."""
    command = pager(os.environ, as_root=as_root) if sys.stdout is not None and sys.stdout.isatty() else ()  # pyright: ignore[reportUnnecessaryComparison] - it is None where >&- was typed
    if not command or not _paged(command, text, {**os.environ, **(FOR_ROOT if as_root else {})}):
        output.write(text)


def pager(environment: Mapping[str, str], *, as_root: bool) -> tuple[str, ...]:
    """$PAGER, else less or more; empty if there is none, if it is cat, or if the terminal is dumb."""
    if environment.get("TERM", "dumb") == "dumb":
        return ()
    named = environment.get("PAGER")
    if named is None or (as_root and named not in {"", "cat"}):
        paths = (shutil.which(name, path=SYSTEM_PATH) for name in PAGERS)
        return tuple(path for path in paths if path)[:1]
    try:
        command = tuple(shlex.split(named))
    except ValueError:  # a quote that does not end
        return ()
    return () if command == ("cat",) else command


def _paged(command: tuple[str, ...], text: str, environment: Mapping[str, str]) -> bool:
    """Whether the pager could be started; what it answers to ctrl+c is its own affair."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        ended = subprocess.run(  # noqa: S603 - the program that its own user chose
            command,
            input=text.encode(sys.stdout.encoding, errors="replace"),
            env={**DEFAULTS, **environment},
            check=False,
        )
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return ended.returncode not in _NOT_STARTED


_NOT_STARTED = (126, 127)
"""What a shell script as a pager ends with if it finds no program."""
