"""Finds the files of a fleet's facts, and reads those that people write for a fleet."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tunewiz.collect.system import regular_content
from tunewiz.core.values.errors import InputError, UsageError

SUFFIXES = (".json", ".tunewiz")
"""Facts, and what the collector wrote on a server."""


def facts_files(paths: Iterable[Path]) -> tuple[str, ...]:
    """Each file once, sorted; raises UsageError where there is none."""
    named = tuple(paths)
    result = sorted({os.path.normpath(text) for path in named for text in _below(path)})
    if not result:
        raise UsageError(
            f"{', '.join(map(str, named)) or 'fleet'}: found no file of facts (*{', *'.join(SUFFIXES)}), "
            "expected one for each host",
            "`tunewiz facts` writes it on the host, the collector (`tunewiz facts --collector`) where "
            "nothing may be installed.",
        )
    return tuple(result)


def _below(path: Path) -> Iterator[str]:
    """A named file is always read, whatever its suffix, so that an error about it is reported."""
    if not path.is_dir():
        yield str(path)
        return
    for entry in path.rglob("*"):
        if entry.suffix in SUFFIXES and not entry.name.startswith(".") and not entry.is_dir():
            yield str(entry)


def text_of(file: Path) -> str:
    """What a person wrote; raises InputError where it cannot be read."""
    try:
        return regular_content(str(file)).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{file}: found byte {error.start} that is not valid UTF-8, expected text"
        ) from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror or error}") from error
