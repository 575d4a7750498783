"""The path of this program, if only root can change it, so that a service may run it."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from tunewiz.collect.system import ReadError, System
from tunewiz.core.values.known import Fact, Known, Unknown

_NAMES = ("tunewiz", "tunewiz.pyz")
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def read_program(system: System) -> Fact[str]:
    """The file that starts it, with links resolved; unknown for another machine."""
    if not system.live:
        return Unknown("tunewiz did not run on that machine")
    return program_of(system, sys.argv[0], (sys.executable, *sys.path))


def program_of(system: System, started: str, code: Sequence[str]) -> Fact[str]:
    """The same for a program that was started, together with everything that it loads.

    Args:
        system: This host.
        started: The program's file as it was called.
        code: Its interpreter and the directories of its modules; missing ones are ignored.
    """
    if not started:
        return Unknown("tunewiz was not started from a file")
    try:
        program = system.realpath(started)
        if PurePosixPath(program).name not in _NAMES or not system.stat(program).mode & stat.S_IXUSR:
            return Unknown(f"tunewiz was started from {started}, which is not an installed program")
        for path in (program, *(system.realpath(text) for text in code if text and system.exists(text))):
            if changeable := _changeable(system, path):
                return Unknown(f"{program}: users other than root can change {changeable}")
    except ReadError as error:
        return Unknown(str(error))
    return Known(program, "this program's own file, which only root can change")


def _changeable(system: System, path: str) -> str:
    """The first part of a path that somebody other than root can change; empty if there is none."""
    return next((text for text in _way_to(path) if not _is_roots(system, text)), "")


def _way_to(path: str) -> Iterator[str]:
    pure = PurePosixPath(path)
    yield from map(str, reversed(pure.parents))
    yield path


def _is_roots(system: System, path: str) -> bool:
    result = system.stat(path)
    return result.uid == 0 and not result.mode & _OTHERS_MAY_WRITE
