"""The files that come with the program, found through the package that holds them, wherever it is installed.

Never relative to the calling module: a checkout is laid out differently from an installed package.
Not by importlib.resources: it loads the whole of zipfile, and the packages are installed as files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path


def package_file(package: str, *path: str) -> Path:
    """The absolute path of a file or folder of a package (`tunewiz.screens`), or of the package itself."""
    return Path(import_module(package).__path__[0]).absolute().joinpath(*path)


def import_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment in which another interpreter (`python -P -m`) finds the program's own modules.

    One that was started without regard to its caller's (`python -I`, as packages do for root) hands none of
    the caller's modules on.
    """
    own = str(package_file("tunewiz").parent)
    if sys.flags.isolated:
        kept = {name: value for name, value in environ.items() if not name.startswith("PYTHON")}
        return {**kept, "PYTHONPATH": own, "PYTHONNOUSERSITE": "1"}
    path = os.pathsep.join(part for part in (own, environ.get("PYTHONPATH", "")) if part)
    return {**environ, "PYTHONPATH": path}
