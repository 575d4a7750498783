"""The process that probes: reads a ProbeRequest, writes Messages. Run as `python -m` this module.

It gives up our rights for the server's owner's before it looks at anything. It stops when its standard input
ends, which happens whatever ends the program that started it.
"""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TypeVar

from tunewiz.collect.probe.pace import SHARE, Pace, ProbeEndedError
from tunewiz.collect.probe.programs import (
    FSYNC_SECONDS,
    TIMING_SECONDS,
    ProgramError,
    clock_ns,
    sync_methods,
)
from tunewiz.collect.probe.protocol import (
    Doing,
    MeasuredReads,
    MeasuredSpace,
    Message,
    ProbeRequest,
    ProbeResults,
)
from tunewiz.collect.probe.reads import (
    PAGE,
    RUN,
    NoReadsError,
    opened_source,
    random_reads,
    sequential_reads,
)
from tunewiz.collect.probe.spaces import ProbedTablespace, opened_spaces
from tunewiz.collect.probe.table_files import data_directory, largest_files
from tunewiz.core.facts.probe import Reading, SyncMethod

T = TypeVar("T")
_FOR_RANDOM = 0.65
"""Of the device's time for reads; the rest is for sequential ones."""
_STOPPED = "the probe was stopped before"
_NOGROUP = 65534
"""The group without files, of whoever has no login (Linux, overflowgid)."""
_NOT_INSTALLED = "it is not installed"


@dataclass(kw_only=True, slots=True)
class _Run:
    """What was found so far."""

    request: ProbeRequest
    pace: Pace
    why: dict[str, str] = field(default_factory=dict[str, str])

    def tell(self, doing: str) -> None:
        _say(Message(progress=Doing(passed=round(self.pace.passed, 1), doing=doing)))

    def tried(self, name: str, doing: str, part: Callable[[], T]) -> T | None:
        """One part; what keeps it from succeeding is noted and takes nothing else with it."""
        self.tell(doing)
        try:
            return part()
        except ProbeEndedError:
            self.why[name] = _STOPPED
        except (NoReadsError, ProgramError) as error:
            self.why[name] = str(error)
        except OSError as error:
            self.why[name] = error.strerror or str(error)
        return None


@dataclass(frozen=True, kw_only=True, slots=True)
class _Timed:
    """The reads of one directory."""

    reading: Reading | None = None
    random: MeasuredReads | None = None
    sequential: MeasuredReads | None = None


def become_owner(uid: int) -> None:
    """Switch to the owner of the files for good, with the groups of its login; raises OSError.

    The group of its files does not count: it is often one that the owner is not in, such as root's.
    """
    if os.geteuid() != 0:
        return
    try:
        account = pwd.getpwuid(uid)
        gid, groups = account.pw_gid, os.getgrouplist(account.pw_name, account.pw_gid)
    except KeyError:
        gid, groups = _NOGROUP, []
    os.setgroups(groups)
    os.setgid(gid)
    os.setuid(uid)


def main() -> int:
    """Probe; the last line says what was measured, or why nothing was."""
    request = ProbeRequest.from_json(_first_line())
    pace = Pace.of(request.seconds, sys.stdin.fileno())
    try:
        become_owner(request.uid)
        os.chdir("/")
        with data_directory(request.directory, request.uid) as directory:
            _say(Message(done=_probed(_Run(request=request, pace=pace), directory)))
    except OSError as error:
        _say(Message(failed=error.strerror or str(error)))
    return 0


def _probed(run: _Run, directory: int) -> ProbeResults:
    clock = _clock(run)
    syncs_fit = bool(run.request.fsync) and run.pace.may_take(FSYNC_SECONDS)
    for_reads = SHARE * run.request.seconds - (FSYNC_SECONDS if syncs_fit else 0.0)
    with ExitStack() as stack:
        spaces = opened_spaces(stack, run.request, directory)
        number = for_reads / (1 + len(spaces))
        data = _reads(run, directory, "base", number)
        measured = tuple(_of_space(run, space, number) for space in spaces)
    syncs = _syncs(run, fit=syncs_fit)
    return ProbeResults(
        seconds=round(run.pace.passed, 1),
        reading=data.reading,
        random=data.random,
        sequential=data.sequential,
        syncs=syncs,
        clock_ns=clock,
        why=run.why,
        spaces=measured,
    )


def _of_space(run: _Run, space: ProbedTablespace, allowed: float) -> MeasuredSpace:
    """Probe a tablespace at the same pace; a failure concerns only that tablespace."""
    mine = _Run(request=run.request, pace=run.pace)
    timed = _reads(mine, space.opened, space.version, allowed)
    return MeasuredSpace(
        directory=space.directory,
        reading=timed.reading,
        random=timed.random,
        sequential=timed.sequential,
        why=mine.why,
    )


def _reads(run: _Run, directory: int, above: str, allowed: float) -> _Timed:
    with ExitStack() as stack:
        source = run.tried(
            "random",
            "the list of files",
            lambda: opened_source(stack, directory, largest_files(directory, PAGE, above)),
        )
        if source is None:
            run.why["sequential"] = run.why["random"]
            return _Timed()
        return _Timed(
            reading=source.reading,
            random=run.tried(
                "random", "pages at random", lambda: random_reads(source, run.pace, _FOR_RANDOM * allowed)
            ),
            sequential=_in_order(run, directory, above, (1 - _FOR_RANDOM) * allowed),
        )


def _clock(run: _Run) -> float | None:
    if not run.request.timing:
        run.why["clock"] = _NOT_INSTALLED
        return None
    if run.pace.left <= TIMING_SECONDS:
        run.why["clock"] = _too_short(run)
        return None
    return run.tried("clock", "the clock (pg_test_timing)", lambda: clock_ns(run.request.timing, run.pace))


def _in_order(run: _Run, directory: int, above: str, allowed: float) -> MeasuredReads | None:
    with ExitStack() as stack:
        return run.tried(
            "sequential",
            "long reads",
            lambda: sequential_reads(
                opened_source(stack, directory, largest_files(directory, RUN, above)), run.pace, allowed
            ),
        )


def _syncs(run: _Run, *, fit: bool) -> tuple[SyncMethod, ...]:
    """At the end, after a pause: the device works without one while the program runs."""
    if not run.request.fsync:
        run.why["syncs"] = _NOT_INSTALLED
        return ()
    if not fit:
        run.why["syncs"] = _too_short(run)
        return ()

    def measured() -> tuple[SyncMethod, ...]:
        run.pace.wait((run.pace.busy + FSYNC_SECONDS) / SHARE - FSYNC_SECONDS - run.pace.passed)
        return sync_methods(run.request.fsync, run.request.directory, run.pace)

    return run.tried("syncs", "syncs (pg_test_fsync)", measured) or ()


def _too_short(run: _Run) -> str:
    return f"it takes longer than a probe of {run.request.seconds} s allows"


def _say(message: Message) -> None:
    print(message.to_json(), flush=True)  # noqa: T201 - the answer


def _first_line() -> str:
    """The request, byte by byte: what comes after it must not wait in a buffer of ours."""
    read = bytearray()
    while (byte := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        read += byte
    return read.decode()


if __name__ == "__main__":
    sys.exit(main())
