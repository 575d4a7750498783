"""Overrides, unusable lines and build options, which pg_settings lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tunewiz.collect.postgres.protocol import Answer
from tunewiz.collect.postgres.settings import is_private
from tunewiz.core.facts.server import FileError, Override
from tunewiz.core.values.known import Fact, Known, Unknown


def overrides_of(answer: Answer) -> Fact[tuple[Override, ...]]:
    """Settings of roles and databases, except those that may be secret."""
    reported = _reported(answer, "overrides", "pg_db_role_setting")
    return Known(tuple(_overrides(reported.value)), reported.how) if isinstance(reported, Known) else reported


def file_errors_of(answer: Answer) -> Fact[tuple[FileError, ...]]:
    """Lines that the server could not use; visible only to superusers and roles with the privilege."""
    reported = _reported(answer, "file_errors", "pg_file_settings")
    return Known(tuple(_errors(reported.value)), reported.how) if isinstance(reported, Known) else reported


def choices_of(answer: Answer) -> Fact[Mapping[str, tuple[str, ...]]]:
    """What this build of the server offers if that depends on the build."""
    reported = _reported(answer, "choices", "pg_settings.enumvals")
    return (
        Known(MappingProxyType(dict(_choices(reported.value))), reported.how)
        if isinstance(reported, Known)
        else reported
    )


def extensions_of(answer: Answer) -> Fact[tuple[str, ...]]:
    """The extensions whose files are installed."""
    reported = _reported(answer, "extensions", "pg_available_extensions")
    return Known(tuple(json.loads(reported.value)), reported.how) if isinstance(reported, Known) else reported


def _reported(answer: Answer, name: str, view: str) -> Fact[str]:
    if name in answer.texts:
        return Known(answer.texts[name], f"{view} {answer.how}")
    return Unknown(answer.refused.get(name, "the server did not report it"))


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
