"""Finds facts with watched windows that a bundle's comparison could use: its own, and in this directory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tunewiz.bundle.reopen import FACTS
from tunewiz.collect.system import regular_content
from tunewiz.core.comparison.found_windows import WindowsFound, windows_found
from tunewiz.core.comparison.sightings import NamedFacts
from tunewiz.core.values.errors import InputError
from tunewiz.formats.records import facts_from_json

MOST_FILES = 50
"""The newest files that are looked at: each takes some hundredths of a second."""
SUFFIX = ".json"


def windows_near(directory: str) -> WindowsFound:
    """The windows of the bundle's server, in the bundle's facts and the files of the working directory."""
    bundle = Path(directory).expanduser() / FACTS
    here = (path for path in _newest(Path()) if path.absolute() != bundle.absolute())
    return windows_found([named for file in (bundle, *here) for named in _facts_in(file)], str(bundle))


def _newest(directory: Path) -> list[Path]:
    try:
        files = [path for path in directory.iterdir() if path.suffix == SUFFIX]
        files.sort(key=lambda path: path.lstat().st_mtime, reverse=True)
    except OSError:  # it may not be read, or a file has just gone
        return []
    return files[:MOST_FILES]


def _facts_in(file: Path) -> Iterator[NamedFacts]:
    """The facts in a file; none if it is something else, since nobody named it."""
    try:
        facts = facts_from_json(regular_content(str(file)).decode(), str(file))
        named = NamedFacts(file=str(file), facts=facts)
        _ = windows_found([named], "")
    except (OSError, UnicodeDecodeError, InputError):
        return
    yield named
