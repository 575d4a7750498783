"""The set-up says in one line what it lacks, and makes nothing half."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures_golden import compare
from tools_here import needs, path_of

CHECKOUT = Path(__file__).resolve().parent.parent
SERVER_PROGRAMS = ("postgres", "initdb", "pg_ctl")


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )


def programs(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        program = folder / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return folder


def test_a_named_directory_of_server_programs_wins(tmp_path: Path) -> None:
    named = programs(tmp_path / "bin", *SERVER_PROGRAMS)
    done = run(CHECKOUT / ".ci" / "postgres.sh", "--find", TUNEWIZ_PG_BIN=str(named))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{named}\n", "")


@pytest.mark.parametrize("missing", SERVER_PROGRAMS)
def test_a_named_directory_without_a_server_is_refused_in_one_line(tmp_path: Path, missing: str) -> None:
    named = programs(tmp_path / "bin", *(name for name in SERVER_PROGRAMS if name != missing))
    done = run(CHECKOUT / ".ci" / "postgres.sh", "--find", TUNEWIZ_PG_BIN=str(named))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.count("\n") == 1
    assert f"TUNEWIZ_PG_BIN is {named}" in done.stderr


def test_python_that_is_too_old_is_named_in_one_line(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = run(CHECKOUT / ".ci" / "venv.sh", tmp_path / "venv", "requirements.lock", PYTHON=str(old))
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "Python 3.11 or newer is needed" in done.stderr
    assert not (tmp_path / "venv").exists()


NEEDED_BY_THE_SCRIPTS = ("dirname", "id", "readlink", "sort", "tail")


def test_everything_that_the_tests_need_and_cannot_bring_is_asked_for_in_one_line(tmp_path: Path) -> None:
    here = programs(tmp_path / "bin")  # neither apt-get nor PostgreSQL nor a Python that makes environments
    for name in NEEDED_BY_THE_SCRIPTS:
        (here / name).symlink_to(path_of(name))
    copied = tmp_path / "checkout" / ".ci"
    shutil.copytree(CHECKOUT / ".ci", copied)
    nothing = {"PATH": str(here), "PYTHON": "/nowhere/python3", "TUNEWIZ_PG_BIN": "/nowhere"}
    result = run("/bin/sh", copied / "asked.sh", **nothing)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (3, "", 1)
    assert "apt-get install python3-venv postgresql" in result.stderr
    server = programs(tmp_path / "server", *SERVER_PROGRAMS)
    less = run("/bin/sh", copied / "asked.sh", **{**nothing, "TUNEWIZ_PG_BIN": str(server)})
    assert (less.returncode, less.stderr.count("\n")) == (3, 1)
    assert "postgresql" not in less.stderr
    enough = {**nothing, "TUNEWIZ_PG_BIN": str(server), "PYTHON": sys.executable}
    done = run("/bin/sh", copied / "asked.sh", **enough)
    assert (done.returncode, done.stderr) == (0, "")


@needs("make")
def test_make_alone_lists_what_it_can_do() -> None:
    done = run("make", "-C", CHECKOUT, "--no-print-directory", MAKEFLAGS="", MAKELEVEL="")
    assert done.returncode == 0
    assert "make wizard " in done.stdout
    assert "make test " in done.stdout


def test_a_golden_file_that_differs_by_a_byte_fails_with_a_diff(tmp_path: Path) -> None:
    reviewed = tmp_path / "reviewed.txt"
    reviewed.write_bytes(b"one\ntwo\n")
    compare(reviewed, b"one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)reviewed\.txt is another.*-two\n\+two "):
        compare(reviewed, b"one\ntwo \n")


def test_a_golden_file_that_is_missing_fails(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"\+made"):
        compare(tmp_path / "missing", b"made\n")
