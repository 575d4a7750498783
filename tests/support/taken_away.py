"""Recorded machines with one file or folder taken away, and which facts that makes wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from recorded_machines import Leaf, contents, leaves, load
from tunewiz.collect.captured import RecordedSystem
from tunewiz.collect.everything import read_facts
from tunewiz.core.facts.machine import Cache, Disk
from tunewiz.core.values.known import Absent, Known, Unknown


class WatchedSystem(RecordedSystem):
    """Remembers every path that was asked for."""

    def __init__(self, capture: Mapping[str, Any]) -> None:
        super().__init__(contents(capture), capture["links"], tuple(capture["dirs"]))
        self.asked: set[str] = set()

    def _content(self, real: str, path: str) -> bytes:
        self.asked.add(real.strip("/"))
        return super()._content(real, path)

    def _names(self, real: str, path: str) -> tuple[str, ...]:
        names = super()._names(real, path)
        self.asked |= {f"{real}/{name}".strip("/") for name in names}
        return names

    def _there(self, real: str) -> bool:
        self.asked.add(real.strip("/"))
        return super()._there(real)


def facts_of(path: Path) -> dict[str, Leaf]:
    """Every single fact of a capture."""
    return leaves(read_facts(_machine(load(path))))


def _machine(capture: Mapping[str, Any]) -> WatchedSystem:
    return WatchedSystem(capture)


def what_is_asked_for(path: Path) -> tuple[str, ...]:
    """The files, links and folders of a capture that reading it comes across, and the folders above them."""
    capture = load(path)
    system = _machine(capture)
    read_facts(system)
    held = {*contents(capture), *capture["links"], *capture["dirs"]}
    result = {above for name in held for above in _above(name)} & _with_those_above(system.asked)
    return tuple(sorted(result))


def _with_those_above(names: set[str]) -> set[str]:
    return {above for name in names for above in _above(name)}


def _above(name: str) -> Iterator[str]:
    parts = name.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))


@cache
def _files(path: Path) -> Mapping[str, bytes]:
    return contents(load(path))


def without(path: Path, *taken: str) -> RecordedSystem:
    """A capture without some paths and everything under them."""
    capture = load(path)

    def stays(name: str) -> bool:
        return not any(name == one or name.startswith(f"{one}/") for one in taken)

    return RecordedSystem(
        {name: content for name, content in _files(path).items() if stays(name)},
        {name: target for name, target in capture["links"].items() if stays(name)},
        tuple(name for name in capture["dirs"] if stays(name)),
    )


def wrong_without(path: Path, whole: Mapping[str, Leaf], *taken: str) -> dict[str, tuple[Leaf, Leaf | None]]:
    """The facts that say something else than the whole capture, by name: before and after."""
    after = leaves(read_facts(without(path, *taken)))
    return {
        name: (before, after.get(name))
        for name, before in whole.items()
        if not is_right(before, after.get(name, Unknown("it is not among the facts")))
    }


def is_right(before: Leaf, after: Leaf) -> bool:
    """The same value, or unknown with the reason."""
    match before, after:
        case _, Unknown(why):
            return bool(why)
        case Known(was), Known(now):
            return was == now or _says_less(was, now)
        case Absent(), Absent():
            return True
        case _:
            return False


def _says_less(was: object, now: object) -> bool:
    """The same list of caches or disks, of which some no longer say everything."""
    match was, now:
        case tuple(), tuple():
            return len(was) == len(now) and all(map(_tells_less, was, now))  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return False


def _tells_less(was: object, now: object) -> bool:
    match was, now:
        case (Disk(), Disk()) | (Cache(), Cache()):
            names = [field.name for field in fields(Disk if isinstance(was, Disk) else Cache)]
            values = [(getattr(was, name), getattr(now, name)) for name in names]
            return all(one == other or other is None or isinstance(other, Unknown) for one, other in values)
        case _:
            return was == now
