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


@cache
def scripts() -> Mapping[str, Path]:
    """The scripts by name."""
    return {name: package_file("tunewiz.bundle.scripts", name) for name in SCRIPTS}


@cache
def parts() -> Mapping[str, Path]:
    """What the scripts share, and what each kind of action brings along, by name in the order of the names.

    Raises:
        ValueError: Two parts have one name: a bundle has one folder for all.
    """
    shared = (
        path for path in package_file("tunewiz.bundle.scripts").glob("*.sh") if path.name not in SCRIPTS
    )
    result = sorted((*shared, *package_file("tunewiz.kinds").glob("*/*.sh")), key=lambda path: path.name)
    by_name = {path.name: path for path in result}
    if len(by_name) < len(result):
        twice = next(one for one, other in pairwise(result) if one.name == other.name)
        raise ValueError(f"two parts of the scripts have the name {twice.name}")
    return by_name
