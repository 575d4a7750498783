"""The data that come with the program: files under profiles, read strictly into records."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeVar

from tunewiz import tomlio
from tunewiz.strict import structure

T = TypeVar("T")


def shelf(*path: str) -> Traversable:
    """A folder or file of the package's data."""
    return files("tunewiz.profiles").joinpath(*path)


def text_of(*path: str) -> str:
    """A file as it stands."""
    return shelf(*path).read_text(encoding="utf-8")


def read_record(into: type[T], *path: str) -> T:
    """A TOML file as a record; raises InputError naming file and key where it is not what it should be."""
    where = "/".join(("profiles", *path))
    return structure(tomlio.loads(text_of(*path), where), into, where)
