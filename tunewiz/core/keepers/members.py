"""Members of one cluster that are unlike: what all share, and what fits one host only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tunewiz.core.keepers.handover import Handover, KeptSetting
from tunewiz.core.planning.placed import NOT_KNOWN
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LocalSettings:
    """What belongs in one member's own file."""

    host: str
    settings: tuple[KeptSetting, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Shared:
    """A cluster's settings, parted."""

    handed: Handover
    """For all members."""
    local: tuple[LocalSettings, ...]


def shared(members: Mapping[str, Handover]) -> Shared:
    """What all members are given alike, and the rest by host.

    Args:
        members: What each one's plan hands over, by host; the first is the one that the scripts run on.
    """
    first = next(iter(members.values()))
    by_name = {name: _values(members, name) for name in sorted(_names(members))}
    alike = tuple(_of_all(values) for values in by_name.values() if _is_for_all(values, len(members)))
    named = {setting.name for setting in alike}
    local = (
        LocalSettings(
            host=host, settings=tuple(setting for setting in handed.settings if setting.name not in named)
        )
        for host, handed in members.items()
    )
    return Shared(
        handed=replace(first, settings=alike),
        local=tuple(local_settings for local_settings in local if local_settings.settings),
    )


def _names(members: Mapping[str, Handover]) -> Iterator[str]:
    yield from {setting.name for handed in members.values() for setting in handed.settings}


def _values(members: Mapping[str, Handover], name: str) -> tuple[KeptSetting, ...]:
    return tuple(
        setting for handed in members.values() for setting in handed.settings if setting.name == name
    )


def _is_for_all(values: tuple[KeptSetting, ...], members: int) -> bool:
    """What Patroni has only for all, or what every plan wants the same."""
    return values[0].everywhere or (len(values) == members and len({value.value for value in values}) == 1)


def _of_all(values: tuple[KeptSetting, ...]) -> KeptSetting:
    """The largest: a standby may not have less than its primary; planned on what all plans saw."""
    largest = max(values, key=_size)
    saw = {value.before for value in values}
    return largest if len(saw) == 1 else replace(largest, before=NOT_KNOWN, before_text=NOT_KNOWN)


def _size(setting: KeptSetting) -> float:
    return float(setting.value) if setting.value.isdigit() else 0
