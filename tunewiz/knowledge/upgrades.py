"""What release notes tell of settings: profiles/upgrades.toml, checked against the table of settings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tunewiz.core.upgrade.release_notes import ReleaseNotes
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.versions import Major, MajorError
from tunewiz.knowledge.loading import load_settings
from tunewiz.knowledge.profiles import read_record

_FILE = "upgrades.toml"


@cache
def load_release_notes() -> ReleaseNotes:
    """All of it; raises InputError for a note on a setting or a major that does not exist."""
    notes = read_record(ReleaseNotes, _FILE)
    check_notes(notes, f"profiles/{_FILE}")
    return notes


def check_notes(notes: ReleaseNotes, where: str) -> None:
    """Raises InputError for the first note that speaks of nothing."""
    known = {name for of_major in load_settings().values() for name in of_major.known}
    for kind, setting in _settings(notes):
        if setting not in known:
            raise InputError(f"{where}: {kind}: found {setting}, expected a setting that some major has")
    for kind, major in _majors(notes):
        try:
            Major.parse(major)
        except MajorError as error:
            raise InputError(f"{where}: {kind}: {error}") from error


def _settings(notes: ReleaseNotes) -> Iterator[tuple[str, str]]:
    yield from (("renamed", name) for each in notes.renamed for name in (each.setting, *each.names))
    yield from (("removed", each.setting) for each in notes.removed)
    yield from (("refused", each.setting) for each in notes.refused)
    yield from (("translated", each.setting) for each in notes.translated)
    yield from (("changed", each.setting) for each in notes.changed)
    yield from (("new_default", each.setting) for each in notes.new_default)
    yield from (("deprecated", each.setting) for each in notes.deprecated)


def _majors(notes: ReleaseNotes) -> Iterator[tuple[str, str]]:
    yield from (("refused", each.major) for each in notes.refused)
    yield from (("translated", each.major) for each in notes.translated)
    yield from (("translated", each.until) for each in notes.translated if each.until)
    yield from (("changed", each.major) for each in notes.changed)
    yield from (("changed", each.since) for each in notes.changed if each.since)
    yield from (("new_default", each.major) for each in notes.new_default)
    yield from (("deprecated", each.major) for each in notes.deprecated)
