"""A bundle that was applied here: when, and what has changed since, by whom as far as the server tells."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tunewiz.bundle.check import (
    BundleManifest,
    ValueChange,
    current_value,
    in_words,
    read_manifest,
    server_of,
    waits_for_restart,
)
from tunewiz.bundle.manifest import MANIFEST, SUMS
from tunewiz.core.facts.facts import Facts
from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.health.since import origin_in_words
from tunewiz.core.values.errors import InputError
from tunewiz.core.values.known import known_or

STATE = "/var/lib/tunewiz"
_ID_LENGTH = 16
"""Of a bundle's name among the records, as the scripts form it."""
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
_OUTCOMES = frozenset({"begin", "applied", "restored"})


@dataclass(frozen=True, kw_only=True, slots=True)
class _Drift:
    """A value that is no longer as it was applied."""

    text: str
    by: str
    """How it came to be, ready to follow "changed since"; empty where nothing tells."""


def applied_at(directory: Path, state: Path) -> int | None:
    """When the bundle was applied here, in seconds; None unless its records say so and can be read."""
    try:
        name = hashlib.sha256((directory / SUMS).read_bytes()).hexdigest()[:_ID_LENGTH]
        journal = (state / name / "journal").read_text(encoding="utf-8", errors="replace").splitlines()
        outcomes = [entry for entry in journal if entry in _OUTCOMES]
        return int((state / name / "applied").stat().st_mtime) if outcomes[-1:] == ["applied"] else None
    except OSError:
        return None


def since_applied(directory: Path, facts: Facts, seconds: int) -> str | None:
    """What became of it within these seconds, in a sentence; None for a manifest that cannot be read."""
    try:
        manifest = read_manifest(directory / MANIFEST)
    except InputError:
        return None
    server = server_of(manifest, facts)
    # What is done to the machine as a whole, verify.sh looks at.
    changes = [change for change in manifest.changes if change.kind != "host"]
    unread = [change.name for change in changes if not _is_read(change, facts, server)]
    drifts = tuple(_drifts(manifest, changes, facts))
    groups = "; ".join(
        f"{sum(drift.by == by for drift in drifts)} changed since{by}: "
        + ", ".join(drift.text for drift in drifts if drift.by == by)
        for by in dict.fromkeys(drift.by for drift in drifts)
    )
    unchanged = "nothing that can be read has changed since" if unread else "nothing has changed since"
    not_known = f"; not known: {', '.join(unread)}" if unread else ""
    return f"applied {_age(seconds)} ago; {groups or unchanged}{not_known}"


def _is_read(change: ValueChange, facts: Facts, server: PostgresServer | None) -> bool:
    """Whether the value of today is known; a setting may be empty."""
    if change.kind == "setting":
        return server is not None and change.name in known_or(server.settings, NO_SETTINGS)
    return current_value(change, facts, server) != ""


def _drifts(manifest: BundleManifest, changes: Iterable[ValueChange], facts: Facts) -> Iterator[_Drift]:
    server = server_of(manifest, facts)
    for change in changes:
        value = current_value(change, facts, server)
        is_as_applied = value == change.value or waits_for_restart(change, server)
        if not is_as_applied and _is_read(change, facts, server):
            planned, current = (in_words(manifest, change, text) for text in (change.value, value))
            yield _Drift(text=f"{change.name} {planned} -> {current}", by=_by(change, server))


def _by(change: ValueChange, server: PostgresServer | None) -> str:
    settings = NO_SETTINGS if server is None else known_or(server.settings, NO_SETTINGS)
    if change.kind != "setting" or change.name not in settings:
        return ""
    origin = origin_in_words(settings[change.name])
    return f" {origin}" if origin else ""


def _age(seconds: int) -> str:
    if seconds < 2 * _MINUTE:
        return f"{max(seconds, 0)} s"
    if seconds < 2 * _HOUR:
        return f"{seconds // _MINUTE} min"
    return f"{seconds // _HOUR} h" if seconds < 2 * _DAY else f"{seconds // _DAY} days"
