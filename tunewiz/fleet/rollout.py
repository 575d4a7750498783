"""Reads the progress of a rollout from the files that the playbooks write into the project."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from tunewiz.collect.system import regular_content
from tunewiz.core.fleet.hosts import why_no_name
from tunewiz.core.fleet.rollout import DriftReport, HostProgress, NoDriftReport, Recorded, Rollout
from tunewiz.core.values.errors import InputError
from tunewiz.core.words.harmless import harmless
from tunewiz.fleet.ansible import FLEET
from tunewiz.formats.mismatch import shown
from tunewiz.formats.structure import is_list, is_table

GROUPS = "groups.json"
_RECORDS, _FAILURES, _DRIFT = "rollout", "failed", "drift"
_MINUTES = re.compile(r"^tunewiz_minutes:\s*([0-9]{1,6})\s*(?:#.*)?$", re.MULTILINE)
_LINE = re.compile(r"([0-9]{1,12}) ([a-z-]+)")
MOST_OUTPUT = 200
"""Lines of a step's output that are kept: the last ones say why it failed."""


def is_project(directory: Path) -> bool:
    """Whether this directory was written by `tunewiz fleet write`."""
    return (directory / GROUPS).is_file() and (directory / "ansible").is_dir()


def read_rollout(directory: Path) -> Rollout:
    """The progress of every host; raises InputError if the directory is not a project.

    An unreadable record counts as missing: a playbook may be writing it.
    """
    ansible = directory / "ansible"
    variables = _text(ansible / "group_vars" / f"{FLEET}.yml")
    minutes = _MINUTES.search(variables)
    return Rollout(
        place=str(directory),
        waves=tuple(tuple(_host(ansible, name) for name in wave) for wave in _waves(directory / GROUPS)),
        minutes=int(minutes[1]) if minutes else 0,
    )


def _waves(file: Path) -> tuple[tuple[str, ...], ...]:
    try:
        document: object = json.loads(regular_content(str(file)))
    except OSError as error:
        raise InputError(
            f"{file}: cannot be read: {error.strerror or error}",
            "Expected a directory written by `tunewiz fleet write`.",
        ) from error
    except (RecursionError, ValueError) as error:
        raise InputError(f"{file}: not valid JSON: {error}") from error
    waves = document.get("waves") if is_table(document) else None
    if not is_list(waves):
        raise InputError(f"{file}: waves: found {shown(waves)}, expected lists of hosts")
    return tuple(tuple(_names(wave, file)) for wave in waves)


def _names(wave: object, file: Path) -> Iterator[str]:
    for name in wave if is_list(wave) else [wave]:
        if not isinstance(name, str) or why_no_name(name):
            raise InputError(f"{file}: waves: found {shown(name)}, expected the name of a host")
        yield name


def _host(ansible: Path, name: str) -> HostProgress:
    steps = tuple(_steps(_text(ansible / _RECORDS / name)))
    failed = bool(steps) and steps[-1].step.startswith("not-")
    output = _text(ansible / _FAILURES / name).splitlines() if failed else []
    return HostProgress(
        host=name,
        steps=steps,
        output=tuple(harmless(text.expandtabs()) for text in output[-MOST_OUTPUT:]),
        compared=_compared(_text(ansible / _DRIFT / f"{name}.json")),
    )


def _steps(text: str) -> Iterator[Recorded]:
    for match in map(_LINE.fullmatch, text.splitlines()):
        if match:
            yield Recorded(at=int(match[1]), step=match[2])


def _compared(text: str) -> DriftReport | NoDriftReport:
    try:
        document: object = json.loads(text)
    except (RecursionError, ValueError):
        return NoDriftReport()
    as_planned = document.get("as_planned") if is_table(document) else None
    if not is_table(document) or not isinstance(as_planned, bool):
        return NoDriftReport()
    items = document.get("items")
    return DriftReport(
        as_planned=as_planned, differences=tuple(_differences(items if is_list(items) else []))
    )


def _differences(items: list[object]) -> Iterator[str]:
    for item in items:
        if is_table(item) and False in (item.get("as_planned"), item.get("survives_reboot")):
            values = (f"{what} {item.get(what)}" for what in ("planned", "running", "configured"))
            yield harmless(f"{item.get('name')}: {', '.join(values)}")


def _text(file: Path) -> str:
    """The file's text; empty if it is missing or unreadable."""
    try:
        return regular_content(str(file)).decode("utf-8", "replace")
    except OSError:
        return ""
