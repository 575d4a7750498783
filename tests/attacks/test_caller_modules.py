"""Modules that a caller names in its environment are loaded by no process of a packaged program."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tunewiz.bench.locks import is_under_way
from tunewiz.bench.run import RunDirectory
from tunewiz.package_files import package_file

LIBRARY = package_file("tunewiz").parent
BEGIN = """
import sys
sys.path.insert(0, {library!r})
from pathlib import Path
from tunewiz.bench.beginning import begin
from tunewiz.bench.run import RunDirectory
begin(RunDirectory(Path({place!r})))
"""
ASK = """
import sys
sys.path.insert(0, {library!r})
import subprocess
from tunewiz.collect.postgres.client import CHILD, environment_of
from tunewiz.collect.system import LiveSystem
sys.exit(subprocess.run(CHILD, env=environment_of(LiveSystem()), input=b"").returncode)
"""
REPLACED = ("json", "tempfile", "subprocess", "pwd", "sitecustomize", "usercustomize", "tunewiz")
SECONDS = 60


@pytest.fixture
def hostile(tmp_path: Path) -> dict[str, str]:
    """Variables that name modules, each of which leaves its name behind when it is loaded."""
    home = tmp_path / "home"
    site = home / ".local" / "lib" / f"python3.{sys.version_info.minor}" / "site-packages"
    for folder in (tmp_path / "modules", site):
        folder.mkdir(parents=True)
        for name in REPLACED:
            (folder / f"{name}.py").write_text(f"open({str(tmp_path / name)!r}, 'w')\n")
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "PYTHONPATH": str(tmp_path / "modules"),
        "PYTHONUSERBASE": str(home / ".local"),
        "PYTHONHOME": str(home),
        "PYTHONSAFEPATH": "",
    }


def isolated(code: str, environment: dict[str, str], directory: Path) -> subprocess.CompletedProcess[str]:
    """By the interpreter itself: a virtual environment would find our modules without being told where."""
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    return subprocess.run(
        [python, "-I", "-c", code],
        cwd=directory,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def test_the_processes_of_a_measurement_load_our_modules_alone(
    tmp_path: Path, hostile: dict[str, str]
) -> None:
    place = tmp_path / "prove"
    place.mkdir()
    done = isolated(BEGIN.format(library=str(LIBRARY), place=str(place)), hostile, tmp_path / "modules")
    assert done.returncode == 0, done.stderr
    until = time.monotonic() + SECONDS
    while is_under_way(RunDirectory(place)):
        assert time.monotonic() < until
        time.sleep(0.05)
    said = (place / "log").read_text()
    assert "tunewiz/bench/guard.py" in said, "it had no run to read, and was ours"
    assert "tunewiz/bench/runner.py" in said
    assert not [name for name in REPLACED if (tmp_path / name).exists()]


def test_the_process_that_asks_a_server_loads_our_modules_alone(
    tmp_path: Path, hostile: dict[str, str]
) -> None:
    done = isolated(ASK.format(library=str(LIBRARY)), hostile, tmp_path / "modules")
    assert "client_process.py" in done.stderr, "it had no request to read, and was ours"
    assert not [name for name in REPLACED if (tmp_path / name).exists()]
