"""What becomes of a value that somebody set: whether the new major takes it, and in which sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tunewiz.core.upgrade.configured import Configured
from tunewiz.core.upgrade.items import NOTHING, Kind, UpgradeItem
from tunewiz.core.upgrade.release_notes import (
    Changed,
    Refused,
    ReleaseNotes,
    Removed,
    Renamed,
    Translated,
    crossed,
)
from tunewiz.core.upgrade.rules import value_by
from tunewiz.core.values.names import in_words as listed
from tunewiz.core.values.pg_settings import SettingError, SettingInfo, SettingsOfMajor
from tunewiz.core.values.units import Bytes
from tunewiz.core.values.versions import Major


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """From one major to another, with all that is known of both."""

    old: SettingsOfMajor
    new: SettingsOfMajor
    notes: ReleaseNotes
    segment: Bytes
    """The size of this cluster's WAL segments."""

    def crosses(self, major: str) -> bool:
        """Whether it goes past what happened in a major."""
        return crossed(major, self.old.major, self.new.major)


def item_of(found: Configured, step: Step) -> Iterator[UpgradeItem]:
    """What becomes of one value; nothing if it stays what it is."""
    if found.setting in step.notes.kept:
        return
    if not step.new.has(found.setting):
        yield _gone(found, step)
        return
    if refusals := tuple(_refused(found, step)):
        yield refusals[0]
        return
    yield from _changed(found, step)
    yield from _deprecated(found, step)


def carried(found: Configured, step: Step) -> Mapping[str, str]:
    """What a configuration that was put right has instead of a line, by name; the line itself if it stays."""
    for item in item_of(found, step):
        if item.stops or item.kind == "renamed" or item.instead:
            return item.instead
    return MappingProxyType({found.setting: found.value}) if step.new.has(found.setting) else NOTHING


def _gone(found: Configured, step: Step) -> UpgradeItem:
    for note in step.notes.renamed:
        if note.setting == found.setting:
            return _renamed(found, note, step)
    for removed in step.notes.removed:
        if removed.setting == found.setting:
            return _removed(found, removed, step.new)
    return _item("removed", found, because=step.new.why_missing(found.setting), source="")


def _renamed(found: Configured, note: Renamed, step: Step) -> UpgradeItem:
    value = value_by(note.value, found.value, step.segment)
    values = {name: _at_most(value, step.new[name]) for name in note.names}
    text = f"The setting is called {_and(note.names)}. {note.text}"
    instead = MappingProxyType(values)
    return _item("renamed", found, because=text, source=note.source, instead=instead, taken=note.taken)


def _removed(found: Configured, note: Removed, new: SettingsOfMajor) -> UpgradeItem:
    text = f"{as_sentence(new.why_missing(found.setting))} {note.text}"
    taken = bool(note.taken) and found.value == note.taken
    return _item("removed", found, because=text, source=note.source, taken=taken)


def _refused(found: Configured, step: Step) -> Iterator[UpgradeItem]:
    for note in step.notes.refused:
        if _meant_by(found, note, step):
            instead = MappingProxyType({found.setting: note.instead})
            yield _item("refused", found, because=note.text, source=note.source, instead=instead)
    for translated in step.notes.translated:
        if _meant_by(found, translated, step):
            if not translated.until or step.new.major <= Major.parse(translated.until):
                return
            instead = MappingProxyType({found.setting: translated.means})
            text = f"{translated.text} It meant {translated.means}."
            yield _item("refused", found, because=text, source=translated.source, instead=instead)
    try:
        step.new[found.setting].canonical(found.value)
    except SettingError as error:
        instead = MappingProxyType(_nearest(found, step.new))
        yield _item("refused", found, because=as_sentence(str(error)), source="", instead=instead)


def _nearest(found: Configured, new: SettingsOfMajor) -> dict[str, str]:
    """The lower limit, for a plain number below it; nothing for a word, of which no other is like it."""
    info = new[found.setting]
    if info.minimum is None or not found.value.isdecimal() or int(found.value) >= float(info.minimum):
        return {}
    return {found.setting: info.show(info.minimum)}


def _meant_by(found: Configured, note: Refused | Translated, step: Step) -> bool:
    return found.setting == note.setting and found.value == note.value and step.crosses(note.major)


def _changed(found: Configured, step: Step) -> Iterator[UpgradeItem]:
    for note in step.notes.changed:
        if not note.always and applies(note, found, step):
            yield changed_item(found, note, step)


def changed_item(found: Configured, note: Changed, step: Step) -> UpgradeItem:
    """The value with another effect, as an item."""
    value = value_by(note.rule, found.value, step.segment)
    instead = (
        MappingProxyType({found.setting: _at_most(value, step.new[found.setting])}) if value else NOTHING
    )
    return _item(
        "changed", found, because=note.text, source=note.source, instead=instead, taken=True, hand=note.hand
    )


def _at_most(value: str, info: SettingInfo) -> str:
    """The value, or the setting's upper limit where a rule goes beyond it."""
    try:
        info.canonical(value)
    except SettingError:
        return value if info.maximum is None else info.show(info.maximum)
    return value


def applies(note: Changed, found: Configured, step: Step) -> bool:
    """Whether release notes speak of this value, on this way."""
    if note.setting != found.setting or not step.crosses(note.major):
        return False
    if note.since and step.old.major < Major.parse(note.since):
        return False
    if note.values and found.value not in note.values:
        return False
    if note.above is not None and int(found.value) <= note.above:
        return False
    same = value_by(note.rule, found.value, step.segment) == found.value
    return not (note.rule in ("doubled", "prefetch") and same)


def _deprecated(found: Configured, step: Step) -> Iterator[UpgradeItem]:
    for note in step.notes.deprecated:
        since = Major.parse(note.major) <= step.new.major
        if note.setting == found.setting and found.value in note.values and since:
            yield _item("deprecated", found, because=note.text, source=note.source, taken=True)


def _item(
    kind: Kind,
    found: Configured,
    *,
    because: str,
    source: str,
    instead: Mapping[str, str] = NOTHING,
    taken: bool = False,
    hand: bool = False,
) -> UpgradeItem:
    return UpgradeItem(
        kind=kind,
        setting=found.setting,
        value=found.value,
        where=found.where,
        place=found.place,
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
