"""The TOML files that every plan needs, kept as JSON beside them, which Python parses in C.

`make docs` writes profiles/compiled.json. What it says of a file counts while the file is the one that it was
made from: a file that was changed is read itself.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from zlib import crc32

from tunewiz.formats import toml
from tunewiz.package_files import package_file

FILE = "compiled.json"
PARTS = ("dangers.toml", "risk", "seen.toml", "sources", "workloads")
"""Files and folders under profiles that are compiled; the others are read by few commands each."""


def toml_data(name: str, text: str) -> object:
    """The data of a file under profiles; raises InputError where it is not valid TOML."""
    entry = _compiled().get(name) if name.partition("/")[0] in PARTS else None
    if entry is not None and entry["checksum"] == checksum(text):
        return entry["data"]
    return toml.loads(text, f"profiles/{name}")


def checksum(text: str) -> int:
    """Tells whether a file was changed, not by whom."""
    return crc32(text.encode())


@cache
def _compiled() -> dict[str, dict[str, Any]]:
    """By the file's name under profiles: its checksum and data."""
    entries: dict[str, dict[str, Any]] = json.loads(package_file("tunewiz.profiles", FILE).read_bytes())
    return entries
