"""Defaults that change under a server: settings that nobody set, with another value after the upgrade."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tunewiz.core.facts.server import PostgresServer
from tunewiz.core.upgrade.configured import Configured, in_words, is_set, live
from tunewiz.core.upgrade.items import UpgradeItem
from tunewiz.core.upgrade.lines import Step, applies, changed_item
from tunewiz.core.upgrade.release_notes import Changed, NewDefault
from tunewiz.core.values.pg_settings import SettingInfo


def default_items(server: PostgresServer, step: Step) -> Iterator[UpgradeItem]:
    """Each changed default, by name, and values that nobody set but that matter all the same."""
    found = live(server)
    for name in sorted(step.old.known.keys() & step.new.known.keys()):
        if name in found and is_set(found[name]):
            continue
        value = found[name].value if name in found else step.old[name].default
        here = Configured(setting=name, value=in_words(step.old, name, value), where="nowhere", place="")
        if name in found:
            yield from _always(here, step)
        yield from _default(here, step)


def old_default(step: Step, name: str) -> str:
    """The default of today's major, as a person writes it."""
    return in_words(step.old, name, step.old[name].default)


def new_default(step: Step, name: str) -> str:
    """The default of the new one."""
    told = [
        each.value for each in step.notes.new_default if each.setting == name and step.crosses(each.major)
    ]
    return told[-1] if told else in_words(step.new, name, step.new[name].default)


def default_changes(step: Step, name: str) -> bool:
    """Whether the majors, and not the packagers of two builds, differ about a default."""
    old, new = step.old[name], step.new[name]
    if old.context == "internal" or new.context == "internal" or name in step.notes.of_the_build:
        return False
    if _meaning(step, name) == new.default and new.vartype != old.vartype:
        return False
    return new_default(step, name) != old_default(step, name) and not _same_amount(old, new)


def _meaning(step: Step, name: str) -> str:
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


def _default(here: Configured, step: Step) -> Iterator[UpgradeItem]:
    name = here.setting
    if here.value != old_default(step, name) or not default_changes(step, name):
        return
    changed = (each for each in step.notes.changed if each.explains_default)
    told: tuple[Changed | NewDefault, ...] = (*changed, *step.notes.new_default)
    notes = [each for each in told if each.setting == name and step.crosses(each.major)]
    yield UpgradeItem(
        kind="default",
        setting=name,
        value=here.value,
        where="nowhere",
        place="",
        because=" ".join((f"The default becomes {new_default(step, name)}.", *(each.text for each in notes))),
        source="; ".join(each.source for each in notes),
        taken=True,
    )


def _always(here: Configured, step: Step) -> Iterator[UpgradeItem]:
    for note in step.notes.changed:
        if note.always and applies(note, here, step):
            yield changed_item(here, note, step)
