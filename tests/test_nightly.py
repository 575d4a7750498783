"""A run that was stopped goes on with what has not passed; after one that came to its end all runs again."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PLUGIN = CHECKOUT / "tests" / "support" / "nightly.py"
TESTS = """
import os
from pathlib import Path
import pytest

@pytest.mark.parametrize("name", "abcdef")
def test_it(name):
    if name == "d" and "STOP" in os.environ:
        os._exit(9) if os.environ["STOP"] == "killed" else pytest.fail()
    with Path(name).open("a") as file:
        file.write("ran ")
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    shutil.copy(PLUGIN, tmp_path)
    (tmp_path / "test_it.py").write_text(TESTS)
    return tmp_path


def run(suite: Path, *arguments: str, stop: str = "") -> int:
    """One run, and how it ended."""
    environment = {"PATH": os.environ["PATH"], "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment |= {"STOP": stop} if stop else {}
    program = (
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-W",
        "error",
        "-p",
        "no:cacheprovider",
        "-p",
        "nightly",
        *arguments,
    )
    return subprocess.run(program, cwd=suite, env=environment, check=False, capture_output=True).returncode


def times(suite: Path) -> list[int]:
    """How often each of the tests has come to its end."""
    files = [suite / name for name in "abcdef"]
    return [file.read_text().count("ran") if file.exists() else 0 for file in files]


IN_PARALLEL = ("-p", "xdist", "-n", "2")


@pytest.mark.parametrize("arguments", [(), IN_PARALLEL], ids=["alone", "in parallel"])
def test_a_failed_test_runs_again_and_those_that_passed_do_not(
    suite: Path, arguments: tuple[str, ...]
) -> None:
    assert run(suite, *arguments, stop="failed") == 1
    assert times(suite) == [1, 1, 1, 0, 1, 1]
    assert run(suite, *arguments) == 0
    assert times(suite) == [1, 1, 1, 1, 1, 1]


def test_a_run_that_was_killed_goes_on_where_it_was(suite: Path) -> None:
    assert run(suite, stop="killed") == 9
    assert times(suite) == [1, 1, 1, 0, 0, 0]
    with (suite / ".nightly/passed").open("a") as noted:
        noted.write("test_it.py::test_it[d]")  # without its end: nobody knows whether it is whole
    assert run(suite) == 0
    assert times(suite) == [1, 1, 1, 1, 1, 1]


def test_what_has_passed_whole_begins_anew(suite: Path) -> None:
    assert (run(suite), run(suite)) == (0, 0)
    assert times(suite) == [2, 2, 2, 2, 2, 2]
