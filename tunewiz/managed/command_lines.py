"""A plan as lines for the provider's own command-line program, as a script for sh."""

from __future__ import annotations

import itertools
import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from tunewiz.core.keepers.exported import Export, ProviderSetting
from tunewiz.core.keepers.services import ServiceName
from tunewiz.managed.quoting import comment
from tunewiz.managed.words import comment_on

AT_ONCE = 20
"""Parameters in one request to RDS (API reference, ModifyDBParameterGroup)."""
_DELIMITERS = "|;:#@~"


def command_lines(export: Export, service: ServiceName, *, undo: bool) -> Iterator[str]:
    """The lines below the head."""
    settings = export.settings
    if not undo:
        yield ""
        for entry in settings:
            yield comment(comment_on(entry))
    yield ""
    yield "set -eu"
    match service:
        case "rds":
            yield from _parameter_group(settings, "db", undo=undo)
        case "aurora":
            yield from _parameter_group(settings, "db-cluster", undo=undo)
        case "cloudsql":
            yield from _flags(settings, undo=undo)
        case "azure":
            yield from _parameters(settings, undo=undo)
        case "aiven":
            yield from _options(settings, undo=undo)
        case _:
            assert_never(service)


def _values(settings: Iterable[ProviderSetting], *, undo: bool) -> list[tuple[ProviderSetting, str]]:
    """Settings that get a value; in an undo those that had one."""
    values = [(entry, entry.before if undo else entry.value) for entry in settings]
    return [(entry, value) for entry, value in values if value or not undo]


def _without(settings: Iterable[ProviderSetting], *, undo: bool) -> list[ProviderSetting]:
    """Settings that an undo takes back to the service's default."""
    return [entry for entry in settings if undo and not entry.before]


def _needed(name: str, what: str) -> str:
    return f': "${{{name}:?set it to {what}}}"'


def _parameter_group(settings: Sequence[ProviderSetting], kind: str, *, undo: bool) -> Iterator[str]:
    yield _needed("GROUP", "the name of the parameter group")
    changes = [
        {"ParameterName": entry.path, "ParameterValue": value, "ApplyMethod": _method(entry)}
        for entry, value in _values(settings, undo=undo)
    ]
    resets = [
        {"ParameterName": entry.path, "ApplyMethod": _method(entry)}
        for entry in _without(settings, undo=undo)
    ]
    for verb, requests in (("modify", changes), ("reset", resets)):
        for start in range(0, len(requests), AT_ONCE):
            parameters = json.dumps(requests[start : start + AT_ONCE])
            yield f'aws rds {verb}-{kind}-parameter-group --{kind}-parameter-group-name "$GROUP" \\'
            yield f"    --parameters {shlex.quote(parameters)}"
    if any(entry.static for entry in settings):
        yield comment("Then restart the server when it suits: aws rds reboot-db-instance.")


def _method(entry: ProviderSetting) -> str:
    return "pending-reboot" if entry.static else "immediate"


def _flags(settings: Sequence[ProviderSetting], *, undo: bool) -> Iterator[str]:
    """All in one: a patch replaces every flag that the instance has."""
    pairs = [f"{entry.path}={value}" for entry, value in _values(settings, undo=undo)]
    delimiter = _delimiter(pairs)
    yield _needed("INSTANCE", "the name of the instance")
    yield comment("A patch replaces all flags, and may restart the instance and its replicas at once.")
    yield comment(f"Set FLAGS to those that it has beside these: a=1{delimiter}b=2; empty if there are none.")
    yield ': "${FLAGS?set it to the other flags of the instance, or to nothing}"'
    if not pairs:
        yield comment("None of these was set. Without other flags, take all away in the console.")
        yield 'if [ -n "$FLAGS" ]; then'
        yield '    gcloud sql instances patch "$INSTANCE" \\'
        yield f'        --database-flags={shlex.quote(f"^{delimiter}^")}"$FLAGS"'
        yield "fi"
        return
    joined = shlex.quote(f"^{delimiter}^{delimiter.join(pairs)}")
    yield 'gcloud sql instances patch "$INSTANCE" \\'
    yield f'    --database-flags={joined}"${{FLAGS:+{delimiter}$FLAGS}}"'


def _delimiter(pairs: Iterable[str]) -> str:
    """One that is in none of the texts."""
    text = "".join(pairs)
    more = (f"|{number}|" for number in itertools.count())
    return next(mark for mark in itertools.chain(_DELIMITERS, more) if mark not in text)


def _parameters(settings: Sequence[ProviderSetting], *, undo: bool) -> Iterator[str]:
    yield _needed("GROUP", "the resource group")
    yield _needed("SERVER", "the name of the server")
    for entry, value in _values(settings, undo=undo):
        yield 'az postgres flexible-server parameter set --resource-group "$GROUP" --server-name "$SERVER" \\'
        yield f"    --name {shlex.quote(entry.path)} --value {shlex.quote(value)}"
    for entry in _without(settings, undo=undo):
        yield comment(f"{entry.path}: in the portal, Server parameters, Modified: Reset to default")
    if any(entry.static for entry in settings):
        yield comment("Then, when it suits: az postgres flexible-server restart.")


def _options(settings: Sequence[ProviderSetting], *, undo: bool) -> Iterator[str]:
    yield _needed("SERVICE", "the name of the service")
    if any(entry.static for entry in settings):
        yield comment("Aiven restarts the service at once for those that need it.")
    values = [f"-c {shlex.quote(f'{entry.path}={value}')}" for entry, value in _values(settings, undo=undo)]
    resets = [f"--remove-option {shlex.quote(entry.path)}" for entry in _without(settings, undo=undo)]
    yield 'avn service update "$SERVICE" \\'
    yield " \\\n".join(f"    {option}" for option in (*values, *resets))
