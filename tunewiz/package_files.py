"""The files that come with the program, found through the package that holds them, wherever it is installed.

Never relative to the calling module: a checkout is laid out differently from an installed package.
Not by importlib.resources: it loads the whole of zipfile, and the packages are installed as files.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path


def package_file(package: str, *path: str) -> Path:
    """The absolute path of a file or folder of a package (`tunewiz.screens`), or of the package itself."""
    return Path(import_module(package).__path__[0]).absolute().joinpath(*path)
