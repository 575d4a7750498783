"""What a bundle changes, as far as a measurement needs it: read from its own files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.trusted import check_trusted
from tunewiz.bundle.check import ServerPart, damage_of, read_manifest
from tunewiz.bundle.manifest import MANIFEST, SUMS, digest_of
from tunewiz.collect.system import regular_content
from tunewiz.core.proof.proof import MeasuredChange
from tunewiz.core.values.errors import BundleError, InputError
from tunewiz.core.values.units import Bytes, Duration, UnitError
from tunewiz.formats import json as strict_json
from tunewiz.formats.structure import is_list, is_table

Quantity = TypeVar("Quantity", Bytes, Duration)
LATER = ("reboot", "manual")
"""When a change takes effect too late to be measured."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleChange:
    """One change of the plan."""

    measured: MeasuredChange
    group: str
    takes_effect: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BundleRead:
    """A bundle that is whole, for a server."""

    directory: Path
    digest: str
    server: ServerPart
    changes: tuple[BundleChange, ...]
    values: Mapping[str, str]
    """Planned values of PostgreSQL settings by name."""

    def planned_seconds(self, name: str) -> int:
        """A planned time; 0 where it is not changed."""
        text = self.values.get(name, "0")
        return int(text) if text.isdigit() else _parsed(Duration, text, name).seconds

    def planned_size(self, name: str, unit: Bytes) -> Bytes:
        """A planned size, plain numbers in that unit; 0 where it is not changed."""
        text = self.values.get(name, "0")
        return unit * int(text) if text.isdigit() else _parsed(Bytes, text, name)


def read_bundle(directory: Path) -> BundleRead:
    """What it changes.

    Raises:
        BundleError: It is not a bundle, or was changed since it was written.
        InputError: One of its files cannot be read.
        RefusedError: Someone else could change it, it changes no server, or nothing that could be measured.
    """
    directory = _checked(directory)
    if broken := damage_of(directory):
        raise BundleError(f"{directory}: {broken[0]}", "Write the bundle again.")
    manifest = read_manifest(directory / MANIFEST)
    if manifest.server is None:
        raise RefusedError(f"{directory}: changes no PostgreSQL server, so there is nothing to measure")
    changes = _changes(directory / "plan.json")
    if all(change.takes_effect in LATER for change in changes):
        raise RefusedError(f"{directory}: nothing to measure: all changes need a reboot or work by hand")
    return BundleRead(
        directory=directory,
        digest=digest_of((directory / SUMS).read_bytes()),
        server=manifest.server,
        changes=changes,
        values={change.name: change.value for change in manifest.changes if change.kind == "setting"},
    )


def _checked(directory: Path) -> Path:
    """The path without links, which nobody else can lead elsewhere from here on."""
    try:
        path = directory.resolve()
        check_trusted(path, os.environ)
    except OSError as error:
        raise InputError(f"{directory}: cannot be read: {error.strerror or error}") from error
    return path


def _changes(file: Path) -> tuple[BundleChange, ...]:
    data = strict_json.loads(regular_content(str(file)).decode(errors="replace"), str(file))
    value = data.get("recommendations") if is_table(data) else None
    if not is_list(value):
        raise InputError(f"{file}: expected recommendations, found none")
    tables = [entry for entry in value if is_table(entry) and entry.get("state") == "change"]
    return tuple(
        BundleChange(
            measured=MeasuredChange(
                id=str(table["id"]),
                before=str(table.get("current") or ""),
                value=str(table.get("proposed") or ""),
            ),
            group=str(table["group"]),
            takes_effect=str(table["takes_effect"]),
        )
        for table in tables
    )


def _parsed(kind: type[Quantity], text: str, name: str) -> Quantity:
    try:
        return kind.parse(text)
    except UnitError as error:
        raise InputError(f"{MANIFEST}: {name}: {error}") from error
