"""Completes the path that a person is typing, as a shell does."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from posixpath import commonprefix

MOST_NAMES = 5_000
"""Names that are looked at in one directory: a key is answered at once in a larger one, too."""


def completed_path(typed: str) -> str:
    """What was typed, as far as only one path can be meant; unchanged if none or several begin so.

    A directory ends with a slash; names that begin with a dot are completed only after a dot.
    """
    directory, name = os.path.split(typed)
    try:
        with os.scandir(Path(directory).expanduser()) as entries:
            names = (entry for entry in islice(entries, MOST_NAMES) if _begins(entry.name, name))
            result = {name.name: name.is_dir() for name in names}
    except (OSError, ValueError, RuntimeError):  # a zero byte; a home that is not known
        return typed
    if not result:
        return typed
    common = commonprefix(list(result))
    slash = "/" if len(result) == 1 and result[common] else ""
    return f"{typed[: len(typed) - len(name)]}{common}{slash}"


def _begins(text: str, name: str) -> bool:
    return text.startswith(name) and (name.startswith(".") or not text.startswith("."))
