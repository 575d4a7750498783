"""Builds dist/tunewiz.pyz: the program and its dependencies in one file that any Python 3.11 or newer runs.

    .venv/bin/python .ci/distribution/onefile.py [-o FILE]

The same sources give the same bytes, wherever and whenever they are built with the same Python and zlib.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from contents import CHECKOUT, gathered

START = CHECKOUT / ".ci" / "distribution" / "start"
SHEBANG = b"#!/usr/bin/env python3\n"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can hold: no build's own."""
SECONDS_LONG_AGO = 315_532_800
"""The same since 1970."""


def archive(files: Mapping[str, bytes]) -> bytes:
    """A compressed tar file that knows no time, no owner and no order but the names'."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in sorted(files):
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(files[name]), SECONDS_LONG_AGO, 0o644
            tar.addfile(member, io.BytesIO(files[name]))
    return gzip.compress(packed.getvalue(), compresslevel=9, mtime=0)


def one_file(version: str, library: Mapping[str, bytes]) -> bytes:
    """A zip file behind a line that names its interpreter; few entries, for they are read at every start."""
    packed = archive(library)
    built = io.BytesIO()
    built.write(SHEBANG)
    with zipfile.ZipFile(built, "a") as outer:
        for name, data in _entries(version, packed):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            outer.writestr(entry, data)
    return built.getvalue()


def _entries(version: str, packed: bytes) -> Iterator[tuple[str, bytes]]:
    for module in sorted(START.glob("*.py")):
        yield module.name, module.read_bytes()
    digest = hashlib.sha256(packed).hexdigest()
    yield "built.py", f'VERSION = "{version}"\nDIGEST = "{digest}"\n'.encode()
    yield "LICENSE", (CHECKOUT / "LICENSE").read_bytes()
    yield "contents.tar.gz", packed


def main() -> None:
    """Write it, and its checksum beside it."""
    parser = argparse.ArgumentParser(description="Builds tunewiz as one file.")
    parser.add_argument("-o", "--output", type=Path, default=CHECKOUT / "dist" / "tunewiz.pyz")
    output: Path = parser.parse_args().output
    contents = gathered()
    data = one_file(contents.version, contents.library)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_bytes(data)
    output.chmod(0o755)
    write_checksums(output.parent)
    print(f"{output}: {len(data) / 1e6:.1f} MB, SHA-256 {hashlib.sha256(data).hexdigest()}")


def write_checksums(folder: Path) -> None:
    """`sha256sum -c SHA256SUMS` in the folder checks what was built there."""
    built = sorted(path for path in folder.iterdir() if path.suffix in {".pyz", ".deb", ".rpm"})
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in built]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main()
