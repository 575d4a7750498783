"""Watched windows of a server for a person to choose from, and which two would be compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tunewiz.core.comparison.sightings import NamedFacts, Sighting, sighting
from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.proof.proof import LeftOut
from tunewiz.core.proof.week_hours import Span, matches
from tunewiz.core.values.known import Known
from tunewiz.core.values.units import Duration, in_words


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundWindow:
    """A file with a window that can be compared."""

    file: str
    span: Span

    @property
    def words(self) -> str:
        """`Tue 2026-11-24 14:02 UTC, 60 min`."""
        return f"{self.span.words}, {in_words(Duration(1_000 * self.span.seconds))}"


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowsFound:
    """What can be compared, the oldest first, and what cannot."""

    windows: tuple[FoundWindow, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
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
    own = _identifiers([each for each in files if each.file == bundle])
    seen = [sighting(named, server) for named in files for server in _watched(named, own)]
    windows = sorted(
        (FoundWindow(file=each.file, span=each.span) for each in seen if isinstance(each, Sighting)),
        key=lambda each: (each.span.began, each.file),
    )
    before = next((each for each in windows if each.file == bundle), None)
    return WindowsFound(
        windows=tuple(windows),
        left_out=tuple(each for each in seen if isinstance(each, LeftOut)),
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
        each
        for each in windows
        if each.span.began >= before.span.ended and matches([before.span], [each.span])
    ]
    return later[-1].file if later else ""
