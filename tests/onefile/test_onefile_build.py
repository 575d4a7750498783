"""The one file is the same wherever and whenever it is built, and holds all that the program needs."""

import ast
import io
import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from fixtures_onefile import CHECKOUT, build
from tools_here import need

pytestmark = pytest.mark.slow
READ_BY_ANY_PYTHON = (
    "start/__main__.py",
    "start/newer_python.py",
    "system/launcher.py",
    "system/byte_compile.py",
)


def copy_of_the_checkout(folder: Path) -> Path:
    """What git knows, elsewhere, with other times and modes."""
    need("git")
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
    ).stdout
    if not names:
        pytest.skip("this is no git checkout: it cannot be copied without its builds")
    subprocess.run(
        [
            "cp",
            "-P",
            "--parents",
            "--no-preserve=timestamps",
            *filter(None, names.decode().split("\0")),
            folder,
        ],
        cwd=CHECKOUT,
        check=True,
    )
    return folder


@pytest.mark.parametrize("what", ["onefile", "packages"])
def test_another_place_time_and_environment_give_the_same_bytes(
    what: str, one_file: Path, package_folder: Path, tmp_path: Path
) -> None:
    checkout = tmp_path / "another place"
    checkout.mkdir()
    copy_of_the_checkout(checkout)
    before = os.umask(0o077)
    try:
        build(what, tmp_path / "dist", checkout, PYTHONHASHSEED="7", TZ="Asia/Tokyo", LC_ALL="C")
    finally:
        os.umask(before)
    first = one_file.parent if what == "onefile" else package_folder
    sums = (tmp_path / "dist" / "SHA256SUMS").read_text()
    assert sums == (first / "SHA256SUMS").read_text()
    assert len(sums.splitlines()) == {"onefile": 1, "packages": 2}[what]


def test_the_sums_are_those_of_the_files(one_file: Path, package_folder: Path) -> None:
    for folder in (one_file.parent, package_folder):
        subprocess.run(["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=folder, check=True)


def library(one_file: Path) -> set[str]:
    with (
        zipfile.ZipFile(one_file) as outer,
        tarfile.open(fileobj=io.BytesIO(outer.read("contents.tar.gz"))) as inner,
    ):
        return set(inner.getnames())


def test_it_holds_every_file_of_the_package(one_file: Path) -> None:
    files = subprocess.run(
        ["find", "-L", "tunewiz", "-type", "f", "!", "-name", "*.py[co]"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert files
    assert set(files) - library(one_file) == set()


def test_it_holds_nothing_that_was_compiled_for_one_machine(one_file: Path) -> None:
    held = library(one_file)
    assert [name for name in held if name.endswith((".so", ".pyc", ".pyd"))] == []
    assert not any(name.startswith(("psutil", "psycopg", "setuptools")) for name in held)
    assert "fallback/psycopg/__init__.py" in held


@pytest.mark.parametrize("name", READ_BY_ANY_PYTHON)
def test_what_runs_first_can_be_read_by_an_old_python(name: str) -> None:
    ast.parse((CHECKOUT / ".ci" / "distribution" / name).read_text(), feature_version=(3, 6))
