"""What becomes of a value that somebody set: whether the new major takes it, and in which sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.core.upgrade.configured import Configured
from tunewiz.core.upgrade.items import NOTHING, Kind, UpgradeItem
from tunewiz.core.upgrade.release_notes import (
    ChangedEffect,
    RefusedValue,
    ReleaseNotes,
    Removed,
    Renamed,
    Translated,
    crossed,
)
from tunewiz.core.upgrade.rules import value_by
from tunewiz.core.values.names import in_words as listed
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.record import dataclass
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major


@dataclass(frozen=True, kw_only=True, slots=True)
class UpgradeStep:
    """From one major to another, with all that is known of both."""

    old: SettingsOfMajor
    new: SettingsOfMajor
    notes: ReleaseNotes
    segment: Bytes
    """The size of this cluster's WAL segments."""

    def crosses(self, major: str) -> bool:
        """Whether it goes past what happened in a major."""
        return crossed(major, self.old.major, self.new.major)


def item_of(configured: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    """What becomes of one value; nothing if it stays what it is."""
    if configured.setting in step.notes.kept:
        return
    if not step.new.has(configured.setting):
        yield _gone(configured, step)
        return
    if refusals := tuple(_refused(configured, step)):
        yield refusals[0]
        return
    yield from _changed(configured, step)
    yield from _deprecated(configured, step)


def carried(configured: Configured, step: UpgradeStep) -> Mapping[str, str]:
    """What a configuration that was put right has instead of a line, by name; the line itself if it stays."""
    for item in item_of(configured, step):
        if item.stops or item.kind == "renamed" or item.instead:
            return item.instead
    return (
        MappingProxyType({configured.setting: configured.value})
        if step.new.has(configured.setting)
        else NOTHING
    )


def _gone(configured: Configured, step: UpgradeStep) -> UpgradeItem:
    for note in step.notes.renamed:
        if note.setting == configured.setting:
            return _renamed(configured, note, step)
    for removed in step.notes.removed:
        if removed.setting == configured.setting:
            return _removed(configured, removed, step.new)
    return _item("removed", configured, because=step.new.why_missing(configured.setting), source="")


def _renamed(configured: Configured, note: Renamed, step: UpgradeStep) -> UpgradeItem:
    value = value_by(note.value, configured.value, step.segment)
    values = {name: _at_most(value, step.new[name]) for name in note.names}
    text = f"The setting is called {_and(note.names)}. {note.text}"
    instead = MappingProxyType(values)
    return _item("renamed", configured, because=text, source=note.source, instead=instead, taken=note.taken)


def _removed(configured: Configured, note: Removed, new: SettingsOfMajor) -> UpgradeItem:
    text = f"{as_sentence(new.why_missing(configured.setting))} {note.text}"
    taken = bool(note.taken) and configured.value == note.taken
    return _item("removed", configured, because=text, source=note.source, taken=taken)


def _refused(configured: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    for note in step.notes.refused:
        if _meant_by(configured, note, step):
            instead = MappingProxyType({configured.setting: note.instead})
            yield _item("refused", configured, because=note.text, source=note.source, instead=instead)
    for translated in step.notes.translated:
        if _meant_by(configured, translated, step):
            if not translated.until or step.new.major <= Major.parse(translated.until):
                return
            instead = MappingProxyType({configured.setting: translated.means})
            text = f"{translated.text} It meant {translated.means}."
            yield _item("refused", configured, because=text, source=translated.source, instead=instead)
    try:
        step.new[configured.setting].canonical(configured.value)
    except SettingError as error:
        instead = MappingProxyType(_nearest(configured, step.new))
        yield _item("refused", configured, because=as_sentence(str(error)), source="", instead=instead)


def _nearest(configured: Configured, new: SettingsOfMajor) -> dict[str, str]:
    """The lower limit, for a plain number below it; nothing for a word, of which no other is like it."""
    info = new[configured.setting]
    if (
        info.minimum is None
        or not configured.value.isdecimal()
        or int(configured.value) >= float(info.minimum)
    ):
        return {}
    return {configured.setting: info.show(info.minimum)}


def _meant_by(configured: Configured, note: RefusedValue | Translated, step: UpgradeStep) -> bool:
    return configured.setting == note.setting and configured.value == note.value and step.crosses(note.major)


def _changed(configured: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    for note in step.notes.changed:
        if not note.always and applies(note, configured, step):
            yield changed_item(configured, note, step)


def changed_item(configured: Configured, note: ChangedEffect, step: UpgradeStep) -> UpgradeItem:
    """The value with another effect, as an item."""
    value = value_by(note.rule, configured.value, step.segment)
    names = (configured.setting, *(name for name in note.also if step.new.has(name))) if value else ()
    instead = MappingProxyType({name: _at_most(value, step.new[name]) for name in names})
    return _item(
        "changed",
        configured,
        because=note.text,
        source=note.source,
        instead=instead,
        taken=True,
        hand=note.hand,
    )


def _at_most(value: str, info: SettingInfo) -> str:
    """The value, or the setting's upper limit where a rule goes beyond it."""
    try:
        info.canonical(value)
    except SettingError:
        return value if info.maximum is None else info.show(info.maximum)
    return value


def applies(note: ChangedEffect, configured: Configured, step: UpgradeStep) -> bool:
    """Whether release notes speak of this value, on this way."""
    if note.setting != configured.setting or not step.crosses(note.major):
        return False
    if note.since and step.old.major < Major.parse(note.since):
        return False
    if note.values and configured.value not in note.values:
        return False
    if note.above is not None and int(configured.value) <= note.above:
        return False
    same = value_by(note.rule, configured.value, step.segment) == configured.value
    return not (note.rule in ("doubled", "prefetch") and same)


def _deprecated(configured: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    for note in step.notes.deprecated:
        since = Major.parse(note.major) <= step.new.major
        if note.setting == configured.setting and configured.value in note.values and since:
            yield _item("deprecated", configured, because=note.text, source=note.source, taken=True)


def _item(
    kind: Kind,
    configured: Configured,
    *,
    because: str,
    source: str,
    instead: Mapping[str, str] = NOTHING,
    taken: bool = False,
    hand: bool = False,
) -> UpgradeItem:
    return UpgradeItem(
        kind=kind,
        setting=configured.setting,
        value=configured.value,
        where=configured.where,
        place=configured.place,
        because=because,
        source=source,
        instead=instead,
        taken=taken,
        hand=hand,
    )


def as_sentence(text: str) -> str:
    """With a capital and a full stop; the name of a setting keeps its letters."""
    first = text.split(maxsplit=1)[0]
    return f"{text}." if "_" in first else f"{text[0].upper()}{text[1:]}."


def _and(names: tuple[str, ...]) -> str:
    return listed(names).replace(" or ", " and ")
