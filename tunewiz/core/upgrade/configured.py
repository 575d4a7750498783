"""What somebody set on a server: in its files, on its command line, for a role or a database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tunewiz.core.facts.server import NO_SETTINGS, PostgresServer, Setting
from tunewiz.core.server.override_layers import for_whom
from tunewiz.core.upgrade.items import Where
from tunewiz.core.values.known import known_or
from tunewiz.core.values.pg_settings import SettingsOfMajor
from tunewiz.core.values.record import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Configured:
    """One value that somebody set."""

    setting: str
    value: str
    where: Where
    place: str


def configured(server: PostgresServer, known: SettingsOfMajor) -> Iterator[Configured]:
    """All that is set for the whole server, by name; settings that the major's table lacks are left out."""
    for name, setting in sorted(live(server).items()):
        if setting.is_set and known.has(name) and known[name].context != "internal":
            on_command_line = setting.source == "command line"
            yield Configured(
                setting=name,
                value=known.show(name, setting.value),
                where="command line" if on_command_line else "file",
                place=setting.sourcefile or setting.source,
            )


def of_roles(server: PostgresServer, known: SettingsOfMajor) -> Iterator[Configured]:
    """What ALTER ROLE and ALTER DATABASE set."""
    for override in known_or(server.overrides, ()):
        if known.has(override.name):
            yield Configured(
                setting=override.name,
                value=known.show(override.name, override.value),
                where="role",
                place=for_whom(override),
            )


def live(server: PostgresServer) -> Mapping[str, Setting]:
    """The settings as read; empty if they could not be."""
    return known_or(server.settings, NO_SETTINGS)
