"""Watched windows of a server for a person to choose from, and which two would be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tunewiz.core.comparison.sightings import NamedFacts, Sighting, sighting
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.proof.proof import Omission
from tunewiz.core.proof.week_hours import WindowSpan, matches
from tunewiz.core.values.known import Known
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Duration, in_words


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundWindow:
    """A file with a window that can be compared."""

    file: str
    span: WindowSpan

    @property
    def words(self) -> str:
        """`Tue 2026-11-24 14:02 UTC, 60 min`."""
        return f"{self.span.words}, {in_words(Duration(1_000 * self.span.seconds))}"


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowsFound:
    """What can be compared, the oldest first, and what cannot."""

    windows: tuple[FoundWindow, ...] = ()
    left_out: tuple[Omission, ...] = ()
    before: str = ""
    """The file to propose for BEFORE; empty if there is none."""
    after: str = ""
    """The same for AFTER."""


def windows_found(files: Sequence[NamedFacts], bundle: str) -> WindowsFound:
    """The windows of a bundle's servers.

    Args:
        files: Facts, among them those of the bundle.
        bundle: The name of the bundle's own file, whose window is the one before the change.

    Raises:
        InputError: A file contains an invalid time.
    """
    own = _identifiers([file for file in files if file.file == bundle])
    observation = [sighting(named, server) for named in files for server in _watched(named, own)]
    windows = sorted(
        (
            FoundWindow(file=entry.file, span=entry.span)
            for entry in observation
            if isinstance(entry, Sighting)
        ),
        key=lambda window: (window.span.began, window.file),
    )
    before = next((window for window in windows if window.file == bundle), None)
    return WindowsFound(
        windows=tuple(windows),
        left_out=tuple(entry for entry in observation if isinstance(entry, Omission)),
        before="" if before is None else before.file,
        after="" if before is None else _after(before, windows),
    )


def _identifiers(files: Sequence[NamedFacts]) -> frozenset[str]:
    return frozenset(
        server.system_identifier.value
        for named in files
        for server in named.facts.postgres
        if isinstance(server.system_identifier, Known)
    )


def _watched(named: NamedFacts, identifiers: frozenset[str]) -> Iterator[PostgresServer]:
    """The first watched server of the file that is one of these; of any, if there are none."""
    for server in named.facts.postgres:
        match server.window, server.system_identifier:
            case Known(), Known(value=identifier) if not identifiers or identifier in identifiers:
                yield server
                return
            case _:
                pass


def _after(before: FoundWindow, windows: Sequence[FoundWindow]) -> str:
    """The newest later window of the same hour of the week."""
    later = [
        window
        for window in windows
        if window.span.began >= before.span.ended and matches([before.span], [window.span])
    ]
    return later[-1].file if later else ""
