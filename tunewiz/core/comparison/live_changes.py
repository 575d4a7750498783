"""The settings that differ between two readings of a server: the change that is observed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tunewiz.core.comparison.sightings import Sighting
from tunewiz.core.facts.server import NO_SETTINGS, SET_BY_NOBODY, Setting
from tunewiz.core.proof.proof import MeasuredChange
from tunewiz.core.values.known import Known, known_or
from tunewiz.core.values.units import Bytes

NOT_CONFIGURED = SET_BY_NOBODY | {"client", "session"}
"""Sources of a value that is not configured: nobody set it, or our session alone has it."""
_SIZE_UNIT = re.compile(r"([0-9]*)(B|kB|MB|GB)")


def changes(before: Sighting, after: Sighting) -> Iterator[MeasuredChange]:
    """PostgreSQL and kernel settings that differ, by name."""
    settings = (known_or(sighting.server.settings, NO_SETTINGS) for sighting in (before, after))
    old, new = settings
    for name in changed_settings(old, new):
        yield MeasuredChange(id=f"pg.{name}", before=_shown(old.get(name)), value=_shown(new.get(name)))
    kernel = after.facts.kernel.settings
    for name, was in sorted(before.facts.kernel.settings.items()):
        match was, kernel.get(name):
            case Known(value=one), Known(value=other) if one != other:
                yield MeasuredChange(id=f"kernel.{name}", before=str(one), value=str(other))
            case _:
                pass


def changed_settings(old: Mapping[str, Setting], new: Mapping[str, Setting]) -> list[str]:
    """Names of settings that differ and are configured on at least one side."""
    return [
        name
        for name in sorted(old.keys() & new.keys())
        if _shown(old[name]) != _shown(new[name])
        and not {old[name].source, new[name].source} <= NOT_CONFIGURED
    ]


def _shown(setting: Setting | None) -> str:
    if setting is None:
        return ""
    unit = _SIZE_UNIT.fullmatch(setting.unit or "")
    if unit is not None and setting.value.isascii() and setting.value.isdigit():
        return (Bytes.parse(f"{unit[1] or 1}{unit[2]}") * int(setting.value)).pg()
    return setting.value if setting.value.startswith("-") else f"{setting.value}{setting.unit or ''}"
