"""Runs programs as the server's owner, who can usually connect without a password."""

from __future__ import annotations

import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bench.errors import RunError

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LOOK = 0.05
"""Seconds between two checks whether a program has ended, or should."""
LAST_LINES = 5
"""Last lines of a failed program's output that go into the message."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """A program that has ended."""

    status: int
    out: str
    err: str


Watch = Callable[[], None]
"""Called while a program runs; whatever it raises ends the program."""


def nobody_watches() -> None:
    """For programs that end quickly by themselves."""


def run_as(
    user: str,
    command: Sequence[str],
    *,
    directory: Path,
    watch: Watch = nobody_watches,
    extra: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program to its end as a user, in a session of its own and with a clean environment.

    Raises:
        RunError: It cannot be started.
    """
    account = pwd.getpwnam(user)
    switch = os.geteuid() != account.pw_uid
    try:
        begun = subprocess.Popen(  # noqa: S603 - the server's own programs
            list(command),
            cwd=directory,
            env={"PATH": SYSTEM_PATH, "LC_ALL": "C", "HOME": account.pw_dir, **(extra or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            user=account.pw_uid if switch else None,
            group=account.pw_gid if switch else None,
            extra_groups=os.getgrouplist(user, account.pw_gid) if switch else None,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise RunError(f"{command[0]}: cannot be started: {error.strerror}") from error
    return _ended(begun, watch)


def must(ended: Ended, what: str) -> str:
    """What a program printed; raises RunError with its last lines if it failed."""
    if ended.status != 0:
        said = (ended.err or ended.out).strip().splitlines()[-LAST_LINES:]
        raise RunError(f"{what} failed with status {ended.status}: {'; '.join(said) or 'no message'}")
    return ended.out


def _ended(begun: subprocess.Popen[str], watch: Watch) -> Ended:
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                out, err = begun.communicate(timeout=LOOK)
                return Ended(status=begun.returncode, out=out, err=err)
            watch()
    finally:
        end_session(begun)


def end_session(begun: subprocess.Popen[str]) -> None:
    """End a program and its children, if it is still running: it leads a session of its own."""
    if begun.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(begun.pid, signal.SIGKILL)
        _ = begun.wait()
    for stream in (begun.stdout, begun.stderr):
        if stream is not None:
            stream.close()


def pause(seconds: float, watch: Watch) -> None:
    """Wait, unless the watch ends it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        watch()
        time.sleep(LOOK)
