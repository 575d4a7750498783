"""Runs PostgreSQL's own test programs: pg_test_fsync on a file without a name, and pg_test_timing."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager

from tunewiz.collect.probe.pace import Pace, ProbeEndedError
from tunewiz.core.facts.probe import SyncMethod

FSYNC_SECONDS = 5.0
"""Four methods for a second each, after the program wrote the 16 MB that it works on."""
TIMING_SECONDS = 1
_METHOD = re.compile(r"^ +(\w+) +[0-9.]+ ops/sec +([0-9]{1,9}) usecs/op$", re.MULTILINE)
_NEXT_PART = "using two 8kB writes"
"""The title of the second part: wal_sync_method is chosen by the first."""
_LOOP = re.compile(r"loop time including overhead: ([0-9]{1,9}(?:\.[0-9]+)?) ns")
"""`Per loop time` up to 18, `Average loop time` from 19 on."""
_ENOUGH = 1 << 16
_ENVIRONMENT = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}


class ProgramError(Exception):
    """The program did not say what it should."""


def sync_methods(program: str, directory: str, pace: Pace) -> tuple[SyncMethod, ...]:
    """What a sync costs by each method, in the directory's file system.

    Raises:
        OSError: The file or the program cannot be had.
        ProgramError: The program failed.
        ProbeEndedError: It is to stop.
    """
    with _nameless_file(directory) as file:
        begun = time.monotonic()
        try:
            said = _said((program, "-s", "1", "-f", f"/proc/self/fd/{file}"), (file,), pace, _NEXT_PART)
        finally:
            pace.busy += time.monotonic() - begun
    result = tuple(SyncMethod(name=name, each_us=float(took)) for name, took in _METHOD.findall(said))
    if not result:
        raise _nothing(said, pace)
    return result


def clock_ns(program: str, pace: Pace) -> float:
    """Nanoseconds of reading the clock once; raises as `sync_methods` does."""
    said = _said((program, "-d", str(TIMING_SECONDS)), (), pace, "")
    matched = _LOOP.search(said)
    if matched is None:
        raise _nothing(said, pace)
    return float(matched[1])


@contextmanager
def _nameless_file(directory: str) -> Generator[int]:
    """A file that never stays behind, whatever ends us: it has no name (open(2), O_TMPFILE)."""
    try:
        opened = os.open(directory, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError:
        opened, path = tempfile.mkstemp(prefix=".tunewiz-probe-", dir=directory)
        os.unlink(path)  # noqa: PTH108 - as short as can be between the two
    try:
        yield opened
    finally:
        os.close(opened)


def _said(command: tuple[str, ...], files: tuple[int, ...], pace: Pace, until: str) -> str:
    """What a program says, up to some words; it is ended then, or when the probe is to stop."""
    with subprocess.Popen(  # noqa: S603 - PostgreSQL's own program, with the rights of its owner
        command,
        pass_fds=files,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=_ENVIRONMENT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        try:
            return _read_until(process.stdout.fileno(), pace, until)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


def _read_until(output: int, pace: Pace, until: str) -> str:
    said = ""
    while len(said) < _ENOUGH and (not until or until not in said):
        readable, _, _ = select.select([output, pace.stop], [], [], max(0.0, pace.left))
        came = os.read(output, _ENOUGH) if output in readable else b""
        if not came:
            break
        said += came.decode(errors="replace")
    return said


def _nothing(said: str, pace: Pace) -> ProgramError | ProbeEndedError:
    if pace.is_over:
        return ProbeEndedError()
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return ProgramError(lines[-1] if lines else "it said nothing")
