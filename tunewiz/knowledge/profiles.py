"""The data that comes with the program: files under profiles, read strictly into records.

Names and texts need no record readers: the first page lists the example machines.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from tunewiz.core.values.errors import UsageError
from tunewiz.core.values.names import expected_name
from tunewiz.package_files import package_file

T = TypeVar("T")


def package_data(*path: str) -> Path:
    """A folder or file of the package's data."""
    return package_file("tunewiz.profiles", *path)


def package_text(*path: str) -> str:
    """A file as it stands."""
    return package_data(*path).read_text(encoding="utf-8")


def demo_names() -> tuple[str, ...]:
    """The example machines."""
    names = (path.name for path in package_data("hosts").iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


def demos() -> Mapping[str, str]:
    """The example machines, each with what is interesting about it."""
    lines = (line.partition(": ") for line in package_text("hosts", "about.txt").splitlines())
    about = {name: words for name, _, words in lines}
    return MappingProxyType({name: about.get(name, "") for name in demo_names()})


def check_demo_name(name: str) -> None:
    """Raises UsageError if no example has that name."""
    if name not in demo_names():
        raise UsageError(f"--demo: found {name!r}, expected {expected_name(name, demo_names())}")


def read_record(into: type[T], *path: str) -> T:
    """A TOML file as a record; raises InputError naming file and key where it is not what it should be."""
    from tunewiz.formats.structure import structure  # noqa: PLC0415 - see above
    from tunewiz.knowledge.compiled import toml_data  # noqa: PLC0415 - see above

    name = "/".join(path)
    return structure(toml_data(name, package_text(*path)), into, f"profiles/{name}")
