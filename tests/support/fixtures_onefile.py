"""What is built for release, once in a run of the tests: the one file and the packages."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tunewiz.pyz, with SHA256SUMS beside it."""
    return built(tmp_path_factory, "onefile") / "tunewiz.pyz"


@pytest.fixture(scope="session")
def package_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the .deb and the .rpm."""
    return built(tmp_path_factory, "packages")


def built(factory: pytest.TempPathFactory, what: str) -> Path:
    """By the first of the workers that asks; the others wait for it."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / f"built-{what}"
    # One at a time: both builds write tunewiz.egg-info in the checkout.
    with (shared / "building").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not folder.exists():
            build(what, folder)
    return folder


def build(what: str, folder: Path, checkout: Path = CHECKOUT, **environment: str) -> None:
    output = folder / "tunewiz.pyz" if what == "onefile" else folder
    done = subprocess.run(
        [sys.executable, checkout / ".ci" / "distribution" / f"{what}.py", "-o", output],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
