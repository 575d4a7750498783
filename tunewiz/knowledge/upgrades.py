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
    yield from (("renamed", name) for setting in notes.renamed for name in (setting.setting, *setting.names))
    yield from (("removed", setting.setting) for setting in notes.removed)
    yield from (("refused", refusal.setting) for refusal in notes.refused)
    yield from (("translated", entry.setting) for entry in notes.translated)
    yield from (("changed", name) for change in notes.changed for name in (change.setting, *change.also))
    yield from (("new_default", new_default.setting) for new_default in notes.new_default)
    yield from (("deprecated", entry.setting) for entry in notes.deprecated)


def _majors(notes: ReleaseNotes) -> Iterator[tuple[str, str]]:
    yield from (("refused", refusal.major) for refusal in notes.refused)
    yield from (("translated", entry.major) for entry in notes.translated)
    yield from (("translated", entry.until) for entry in notes.translated if entry.until)
    yield from (("changed", change.major) for change in notes.changed)
    yield from (("changed", change.since) for change in notes.changed if change.since)
    yield from (("new_default", new_default.major) for new_default in notes.new_default)
    yield from (("deprecated", entry.major) for entry in notes.deprecated)
