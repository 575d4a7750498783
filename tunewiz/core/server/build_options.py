"""Choices that depend on how a server was built: lz4 and zstd for compression, io_uring for reading.

The program itself knows only the choices that every build has. A server that was queried reports its own;
one that already has a value offers it in any case.
"""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer
from tunewiz.core.values.known import known_or
from tunewiz.core.values.pg_settings import SettingInfo, SettingsOfMajor

HANG_ON_THE_BUILD = ("default_toast_compression", "io_method", "wal_compression")


def as_built(settings: SettingsOfMajor, server: PostgresServer) -> SettingsOfMajor:
    """The settings of a major version with the choices of this server."""
    offered = {
        name: dataclasses.replace(settings[name], choices=_choices(settings[name], server))
        for name in HANG_ON_THE_BUILD
        if settings.has(name) and settings[name].vartype == "enum"
    }
    return dataclasses.replace(settings, known=MappingProxyType({**settings.known, **offered}))


def _choices(info: SettingInfo, server: PostgresServer) -> tuple[str, ...]:
    choices = known_or(server.choices, {}).get(info.name, info.choices)
    there = known_or(server.settings, NO_SETTINGS).get(info.name)
    return choices if there is None or there.value in choices else (*choices, there.value)
