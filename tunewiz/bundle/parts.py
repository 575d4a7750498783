"""The shell that bundles carry: the scripts, and the parts that they read, found because they exist."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

from tunewiz.package_files import package_file

APPLY = "apply.sh"
SCRIPTS = (APPLY, "rollback.sh", "verify.sh")
"""What people run; everything else is a part of theirs."""
PREAMBLE = "preamble.sh"
READS_PREAMBLE = "# shellcheck source=preamble.sh\n. ./preamble.sh\n"
"""What gives way to the preamble's text."""


@cache
def scripts() -> Mapping[str, bytes]:
    """The text of each script by its name, with the preamble in its place."""
    _, _, preamble = _script(PREAMBLE).partition("\n\n")
    return {name: _script(name).replace(READS_PREAMBLE, preamble).encode() for name in SCRIPTS}


def _script(name: str) -> str:
    return package_file("tunewiz.bundle.scripts", name).read_text()


@cache
def parts() -> Mapping[str, Path]:
    """What the scripts share, and what each kind of action brings along, by name in the order of the names.

    Raises:
        ValueError: Two parts have one name: a bundle has one folder for all.
    """
    folder = package_file("tunewiz.bundle.scripts")
    shared = (path for path in folder.glob("*.sh") if path.name not in (*SCRIPTS, PREAMBLE))
    result = sorted((*shared, *package_file("tunewiz.kinds").glob("*/*.sh")), key=lambda path: path.name)
    by_name = {path.name: path for path in result}
    if len(by_name) < len(result):
        twice = next(one for one, other in pairwise(result) if one.name == other.name)
        raise ValueError(f"two parts of the scripts have the name {twice.name}")
    return by_name
