"""The same server after the upgrade: its lines put right, and the new major's defaults for the rest."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.recommendation.situation import Situation
from tunewiz.core.server.build_options import as_built
from tunewiz.core.upgrade.configured import configured, live
from tunewiz.core.upgrade.lines import UpgradeStep, carried
from tunewiz.core.values.known import NOT_LOOKED_FOR, Known, known_or
from tunewiz.core.values.pg_settings import SettingError, SettingsOfMajor
from tunewiz.core.values.units import Bytes

_HOW = "today's lines, put right for the new version"


def after(start: Situation, server: PostgresServer, step: UpgradeStep) -> Situation:
    """The situation of a plan for the new major; decisions about today's settings are left behind."""
    upgraded = _upgraded(server, step)
    servers = tuple(
        upgraded if postgres_server is server else postgres_server for postgres_server in start.facts.postgres
    )
    return dataclasses.replace(
        start,
        facts=dataclasses.replace(start.facts, postgres=servers),
        answers=dataclasses.replace(
            start.answers,
            server=dataclasses.replace(start.answers.server, postgres=None),
            decisions=MappingProxyType({}),
        ),
        server=upgraded,
        settings=as_built(step.new, upgraded),
        chosen=MappingProxyType({}),
    )


def put_right(server: PostgresServer, step: UpgradeStep) -> Mapping[str, str]:
    """The lines of a configuration with which the new server starts, by name."""
    result = dict[str, str]()
    for entry in configured(server, step.old):
        result.update(carried(entry, step))
    return MappingProxyType(result)


def segment_of(server: PostgresServer, known: SettingsOfMajor) -> Bytes:
    """The size of this cluster's WAL segments, 16 MB where that was not read."""
    name = "wal_segment_size"
    setting = known_or(server.settings, NO_SETTINGS).get(name)
    return known[name].size(known[name].default if setting is None else setting.value)


def _upgraded(server: PostgresServer, step: UpgradeStep) -> PostgresServer:
    major = str(step.new.major)
    return dataclasses.replace(
        server,
        version=Known(major, _HOW),
        major=Known(major, _HOW),
        settings=Known(MappingProxyType(_settings(server, step)), _HOW),
        shared_memory_pages=NOT_LOOKED_FOR,
        file_errors=NOT_LOOKED_FOR,
    )


def _settings(server: PostgresServer, step: UpgradeStep) -> dict[str, Setting]:
    settings = {name: Setting(value=info.default, unit=info.unit) for name, info in step.new.known.items()}
    settings.update(_read(step, put_right(server, step).items(), "configuration file"))
    own = (
        (name, step.old.show(name, setting.value))
        for name, setting in live(server).items()
        if step.old.has(name) and step.old[name].context == "internal" and step.new.has(name)
    )
    settings.update(_read(step, own, "override"))
    return settings


def _read(step: UpgradeStep, values: Iterable[tuple[str, str]], source: str) -> dict[str, Setting]:
    result = dict[str, Setting]()
    for name, text in values:
        try:
            value = step.new[name].canonical(text)
        except SettingError:  # refused, and nothing is known to write instead: the default stays
            continue
        result[name] = Setting(value=value, unit=step.new[name].unit, source=source)
    return result
