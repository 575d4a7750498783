"""What a server tells beside the rows of pg_settings: other layers, lines of no use, how it was built."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.collect.postgres.answer import Answer
from tunewiz.collect.postgres.settings import is_private
from tunewiz.core.facts.server import FileError, Override
from tunewiz.core.values.known import Fact, Known, Unknown


def overrides_of(said: Answer) -> Fact[tuple[Override, ...]]:
    """What is set for roles and databases, but for what may hold a secret."""
    told = _told(said, "overrides", "pg_db_role_setting")
    return Known(tuple(_overrides(told.value)), told.how) if isinstance(told, Known) else told


def file_errors_of(said: Answer) -> Fact[tuple[FileError, ...]]:
    """Lines that the server could not use; only a superuser is told, or who was granted it."""
    told = _told(said, "file_errors", "pg_file_settings")
    return Known(tuple(_errors(told.value)), told.how) if isinstance(told, Known) else told


def choices_of(said: Answer) -> Fact[Mapping[str, tuple[str, ...]]]:
    """What this build of the server offers where that hangs on the build."""
    told = _told(said, "choices", "pg_settings.enumvals")
    return Known(MappingProxyType(dict(_choices(told.value))), told.how) if isinstance(told, Known) else told


def _told(said: Answer, name: str, view: str) -> Fact[str]:
    if name in said.texts:
        return Known(said.texts[name], f"{view} {said.how}")
    return Unknown(said.refused.get(name, "the server did not tell"))


def _overrides(text: str) -> Iterator[Override]:
    for database, role, setting in json.loads(text):
        name, _, value = setting.partition("=")
        if not is_private(name):
            yield Override(database=database, role=role, name=name, value=value)


def _choices(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, offered in json.loads(text).items():
        yield name, tuple(offered)


def _errors(text: str) -> Iterator[FileError]:
    for file, line, name, error in json.loads(text):
        yield FileError(place=f"{file}:{line}" if file else "no file any longer", name=name, error=error)
