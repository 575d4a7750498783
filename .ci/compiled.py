"""Keeps the TOML files that every plan needs as JSON, each with the checksum of what it was made from.

.venv/bin/python .ci/compiled.py profiles/compiled.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from tunewiz.formats import toml
from tunewiz.knowledge.compiled import PARTS, checksum
from tunewiz.knowledge.profiles import package_data


def files() -> Iterator[Path]:
    """In a fixed order."""
    for part in PARTS:
        path = package_data(part)
        yield from sorted(path.glob("*.toml")) if path.is_dir() else (path,)


def main() -> None:
    """Write the file."""
    entries = dict[str, dict[str, object]]()
    for path in files():
        name, text = path.relative_to(package_data()).as_posix(), path.read_text(encoding="utf-8")
        entries[name] = {"checksum": checksum(text), "data": toml.loads(text, f"profiles/{name}")}
    text = json.dumps(entries, ensure_ascii=False, indent=1) + "\n"
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
