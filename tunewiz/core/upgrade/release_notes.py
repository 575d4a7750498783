"""What release notes tell of settings that no table of them shows: the records of profiles/upgrades.toml."""

from __future__ import annotations

from typing import Literal

from tunewiz.core.values.record import dataclass
from tunewiz.core.values.versions import Major

Rule = Literal["", "same", "with unit", "segments", "doubled", "prefetch"]
"""How the value to write follows from the old one; empty where there is none to write."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Renamed:
    """A setting with another name in the first major that lacks the old one."""

    setting: str
    names: tuple[str, ...]
    value: Rule = "same"
    taken: bool = False
    """Whether a file may still have the old name."""
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Removed:
    """A setting that has no successor."""

    setting: str
    taken: str = ""
    """A value with which the line is still taken."""
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusedValue:
    """A value that is refused from a major on."""

    setting: str
    major: str
    value: str
    instead: str
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Translated:
    """A value of an older type, and what the same is called in the new one."""

    setting: str
    major: str
    value: str
    means: str
    until: str = ""
    """The last major that takes the old value; empty if all do."""
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedEffect:
    """A value that has another effect from a major on."""

    setting: str
    major: str
    since: str = ""
    """Only for servers of this major or newer."""
    values: tuple[str, ...] = ()
    """Only these; all if empty."""
    above: int | None = None
    """Only numbers above this."""
    always: bool = False
    """Also where nobody set it."""
    explains_default: bool = False
    """Whether it is also what to know where the default changes."""
    rule: Rule = ""
    also: tuple[str, ...] = ()
    """New settings that take over a part of what this one did: they get the same value."""
    hand: bool = False
    """Whether a person must do something about it."""
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NewDefault:
    """A default that changes in some builds only."""

    setting: str
    major: str
    value: str
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Deprecated:
    """A value that some later major will not take."""

    setting: str
    major: str
    values: tuple[str, ...]
    text: str
    source: str


@dataclass(frozen=True, kw_only=True, slots=True)
class ReleaseNotes:
    """All of it."""

    of_the_build: tuple[str, ...]
    """Settings whose defaults are the packager's, the build's or the session's."""
    kept: tuple[str, ...]
    """Settings that a table of a major lacks only because it was read before they came."""
    renamed: tuple[Renamed, ...]
    removed: tuple[Removed, ...]
    refused: tuple[RefusedValue, ...]
    translated: tuple[Translated, ...]
    changed: tuple[ChangedEffect, ...]
    new_default: tuple[NewDefault, ...]
    deprecated: tuple[Deprecated, ...]


def crossed(major: str, old: Major, new: Major) -> bool:
    """Whether an upgrade goes past what happened in a major."""
    return old < Major.parse(major) <= new
