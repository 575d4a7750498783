"""Machines for tests: recorded ones from files, and small ones made up on the spot.

A capture is one JSON file: `files` (path -> text), `binary` (path -> base64), `links`, `dirs`, and
`expected` with what the machine's own tools said. Ours stand in tests/machines; those of other projects
are read from the folder that TUNEWIZ_CAPTURES names.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.machine import read_machine
from tunewiz.core.facts.facts import Facts
from tunewiz.core.values.known import Absent, Known, Unknown

OURS = Path(__file__).parents[1] / "machines"
Leaf = Known[Any] | Absent | Unknown


@cache
def load(path: Path) -> dict[str, Any]:
    """One capture as it stands in its file."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def our_captures() -> list[Path]:
    """The captures that belong to this project."""
    return sorted(OURS.glob("*.json"))


def foreign_captures() -> list[Path]:
    """The captures of other projects, where there is a folder of them."""
    folder = os.environ.get("TUNEWIZ_CAPTURES")
    return sorted(path for path in Path(folder).glob("*.json") if path.stem[:5] != "qemu-") if folder else []


def contents(capture: Mapping[str, Any]) -> dict[str, bytes]:
    """All files of a capture by path."""
    texts = {path: text.encode() for path, text in capture["files"].items()}
    return texts | {path: base64.b64decode(coded) for path, coded in capture["binary"].items()}


def recorded(path: Path) -> RecordedSystem:
    """A capture as a machine."""
    capture = load(path)
    return RecordedSystem(contents(capture), capture["links"], tuple(capture["dirs"]))


def recorded_with(path: Path, files: Mapping[str, bytes]) -> RecordedSystem:
    """A capture with some files added or replaced."""
    capture = load(path)
    return RecordedSystem({**contents(capture), **files}, capture["links"], tuple(capture["dirs"]))


def with_file_system(path: Path, disk: str, point: str) -> dict[str, bytes]:
    """The mount table of a capture with one of its disks mounted, as files to add."""
    capture, files = load(path), contents(load(path))
    folder = capture["links"][f"sys/block/{disk}"].replace("../", "sys/")
    number = files[f"{folder}/dev"].decode().strip()
    line = f"99 1 {number} / {point} rw,relatime - xfs /dev/{disk} rw\n"
    return {"proc/self/mountinfo": files["proc/self/mountinfo"] + line.encode()}


def machine(files: Mapping[str, str], links: Mapping[str, str] | None = None) -> RecordedSystem:
    """A machine of a few files: what is not among them is not on it."""
    return RecordedSystem({path: text.encode() for path, text in files.items()}, links, complete=True)


def unpack(path: Path, root: Path) -> None:
    """A capture as files under a folder."""
    capture = load(path)
    for folder in capture["dirs"]:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name, content in contents(capture).items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    for name, target in capture["links"].items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(target)


def leaves(facts: Facts) -> dict[str, Leaf]:
    """Every single fact by its dotted name, `cpu.cores` or `kernel.settings.vm.swappiness`."""
    return dict(_leaves("", facts))


def _leaves(name: str, value: object) -> Iterator[tuple[str, Leaf]]:
    match value:
        case Known() | Absent() | Unknown():
            yield name, value
        case Mapping():
            for key in value:  # pyright: ignore[reportUnknownVariableType] - keys are names
                yield from _leaves(f"{name}.{key}", value[key])  # pyright: ignore[reportUnknownArgumentType]
        case tuple():
            for place, item in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
                yield from _leaves(f"{name}.{place}", item)  # pyright: ignore[reportUnknownArgumentType]
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _leaves(f"{name}.{field.name}".strip("."), getattr(value, field.name))
        case _:
            return


def facts(files: dict[str, str], links: dict[str, str] | None = None) -> Facts:
    """What is read of a machine with these files."""
    return read_machine(machine(files, links))
