"""Tablespaces that a probe measures separately: one for each further file system."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from tunewiz.collect.probe.protocol import ProbeRequest
from tunewiz.collect.probe.table_files import data_directory, version_directory

MOST_SPACES = 8
"""The most tablespaces: they share the time equally, and more would leave too few reads for each."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProbedTablespace:
    """An opened tablespace."""

    directory: str
    opened: int
    version: str
    """Its subdirectory for this major version."""


def opened_spaces(stack: ExitStack, request: ProbeRequest, data: int) -> list[ProbedTablespace]:
    """The tablespaces that can be opened, until the stack is closed; the others have nothing to read.

    Args:
        stack: Closes them.
        request: Names their directories and the server.
        data: The data directory, whose file system is measured already.
    """
    devices, result = {os.fstat(data).st_dev}, list[ProbedTablespace]()
    for directory in request.spaces:
        with suppress(OSError), ExitStack() as mine:
            opened = mine.enter_context(data_directory(directory, request.uid))
            device = os.fstat(opened).st_dev
            if device not in devices and len(result) < MOST_SPACES:
                version = version_directory(opened, request.major)
                result.append(ProbedTablespace(directory=directory, opened=opened, version=version))
                devices.add(device)
                stack.enter_context(mine.pop_all())
    return result
