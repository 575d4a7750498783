"""Defaults that change under a server: settings that nobody set, with another value after the upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.upgrade.configured import Configured, live
from tunewiz.core.upgrade.items import UpgradeItem
from tunewiz.core.upgrade.lines import UpgradeStep, applies, changed_item
from tunewiz.core.upgrade.release_notes import ChangedEffect, NewDefault
from tunewiz.core.values.pg_settings import SettingInfo


def default_items(server: PostgresServer, step: UpgradeStep) -> Iterator[UpgradeItem]:
    """Each changed default, by name, and values that nobody set but that matter all the same."""
    result = live(server)
    for name in sorted(step.old.known.keys() & step.new.known.keys()):
        if name in result and result[name].is_set:
            continue
        value = result[name].value if name in result else step.old[name].default
        here = Configured(setting=name, value=step.old.show(name, value), where="nowhere", place="")
        if name in result:
            yield from _always(here, step)
        yield from _default(here, step)


def old_default(step: UpgradeStep, name: str) -> str:
    """The default of today's major, as a person writes it."""
    return step.old.show(name, step.old[name].default)


def new_default(step: UpgradeStep, name: str) -> str:
    """The default of the new one."""
    values = [
        entry.value for entry in step.notes.new_default if entry.setting == name and step.crosses(entry.major)
    ]
    return values[-1] if values else step.new.show(name, step.new[name].default)


def default_changes(step: UpgradeStep, name: str) -> bool:
    """Whether the majors, and not the packagers of two builds, differ about a default."""
    old, new = step.old[name], step.new[name]
    if old.context == "internal" or new.context == "internal" or name in step.notes.of_the_build:
        return False
    if _meaning(step, name) == new.default and new.vartype != old.vartype:
        return False
    return new_default(step, name) != old_default(step, name) and not _same_amount(old, new)


def _meaning(step: UpgradeStep, name: str) -> str:
    """What the old default is called in the new major."""
    for note in step.notes.translated:
        if note.setting == name and note.value == step.old[name].default and step.crosses(note.major):
            return note.means
    return step.old[name].default


def _same_amount(old: SettingInfo, new: SettingInfo) -> bool:
    """Whether the same number stands there, with a unit since (track_activity_query_size: 1024, 1kB)."""
    if old.unit is not None or new.unit is None:
        return False
    return Fraction(old.default) == Fraction(new.default)


def _default(here: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    name = here.setting
    if here.value != old_default(step, name) or not default_changes(step, name):
        return
    changed = (change for change in step.notes.changed if change.explains_default)
    result: tuple[ChangedEffect | NewDefault, ...] = (*changed, *step.notes.new_default)
    notes = [entry for entry in result if entry.setting == name and step.crosses(entry.major)]
    yield UpgradeItem(
        kind="default",
        setting=name,
        value=here.value,
        where="nowhere",
        place="",
        because=" ".join((f"The default becomes {new_default(step, name)}.", *(note.text for note in notes))),
        source="; ".join(note.source for note in notes),
        taken=True,
    )


def _always(here: Configured, step: UpgradeStep) -> Iterator[UpgradeItem]:
    for note in step.notes.changed:
        if note.always and applies(note, here, step):
            yield changed_item(here, note, step)
