"""The commands of the README, and of the pages it leads to, work as they stand, each after the one before.

What needs a terminal, a network or root is left out here, and named; its parts are looked at instead.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import tunewiz

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = (README, *((ROOT / "docs" / f"{name}.md").read_text() for name in ("applying", "reading", "proof")))
BLOCKS = tuple(re.findall(r"^```sh\n(.*?)^```$", "\n".join(PAGES), re.MULTILINE | re.DOTALL))
ON_THE_PATH = 'export PATH="$HOME/tunewiz/bin:$PATH"'
MOST_LINES = 100
EXAMPLE = ROOT / "profiles" / "hosts" / "nvme-server.json"
LEFT_OUT = {
    r"make ": "sets up an environment from a package index",
    r"python3 -m venv|\S+/pip ": "needs a package index",
    r"export PATH": "the stand-in is on the path already",
    r"tunewiz( --demo \S+)?\s*(#|$)": "needs a terminal",
    r"less ": "needs a terminal",
    r"sudo ": "needs root",
    r"tunewiz facts --watch|tunewiz health --(waits|deep)": "takes as long as it is told to",
    r"tunewiz prove compare": "needs windows of several days",
    r"tunewiz prove show": "needs a measurement of several hours",
    r"tunewiz check": "looked at by itself: the plan is an example machine's",
}


def left_out(line: str) -> str:
    """Why a line is not run here; empty if it is."""
    return next((why for pattern, why in LEFT_OUT.items() if re.match(pattern, line)), "")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory in which the README was followed from its first command to its last."""
    folder = tmp_path_factory.mktemp("readme")
    stand_in = folder / "bin" / "tunewiz"
    stand_in.parent.mkdir()
    stand_in.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m tunewiz "$@"\n')
    stand_in.chmod(0o755)
    for block in BLOCKS:
        lines = block.splitlines(keepends=True)
        for line in lines:
            if why := left_out(line):
                sys.stdout.write(f"left out: {line.strip()}: {why}\n")
        _run(folder, "".join(line for line in lines if not left_out(line)))
    return folder


def _run(folder: Path, script: str) -> None:
    """Servers of this host come and go with other tests: once it was read, the example takes its place.

    What troubles them is no fault of the command.
    """
    example = f"cp {shlex.quote(str(EXAMPLE))} db1.json\n"
    read = re.compile(r"^(tunewiz facts .*-o db1.json.*\n)", re.MULTILINE)
    script = read.sub(lambda match: match[1] + example, script)
    script = re.sub(r"^tunewiz health\b", "tunewiz health || [ $? -eq 1 ]", script, flags=re.MULTILINE)
    done = subprocess.run(
        ["sh", "-eu", "-c", script],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder),
            "XDG_STATE_HOME": str(folder),
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-2000:]}\n{done.stderr}"


def test_every_command_that_can_be_run_here_works_after_the_one_before(place: Path) -> None:
    assert {"db1.json", "answers.toml", "db1-tuning", "collect.sh", "server.tunewiz"} <= {
        path.name for path in place.iterdir()
    }


def test_the_bundle_is_intact_as_the_readme_checks_it(place: Path) -> None:
    assert "tunewiz check db1-tuning" in README
    ended = tunewiz("check", place / "db1-tuning")
    assert "Traceback" not in ended.err
    assert (place / "db1-tuning" / "REVIEW.md").is_file()


@pytest.mark.parametrize("line", re.findall(r"^sudo sh (.*?)\s*(?:#.*)?$", README, re.MULTILINE))
def test_what_is_run_as_root_exists_and_has_the_options(place: Path, line: str) -> None:
    script, *options = shlex.split(line)
    bundle = place / "db1-tuning"
    assert (place / script).is_file()
    text = "".join(path.read_text() for path in bundle.rglob("*.sh"))
    assert all(option in text for option in options if option.startswith("--"))


def test_tunewiz_is_on_the_path_before_it_is_typed_by_name() -> None:
    commands = [line for block in BLOCKS for line in block.splitlines()]
    on_path = next(at for at, line in enumerate(commands) if line.startswith(ON_THE_PATH))
    typed = next(at for at, line in enumerate(commands) if re.match(r"tunewiz\b", line))
    assert on_path < typed


def test_the_first_example_machine_is_one_whose_bundle_is_worth_looking_at() -> None:
    assert re.findall(r"--demo ([a-z0-9-]+)", README)[0] == "nvme-server"


@pytest.mark.parametrize(
    ("line", "is_left_out"),
    [
        ("tunewiz", True),
        ("tunewiz --demo nvme-server   # an example", True),
        ("tunewiz facts -o db1.json", False),
        ("tunewiz --version", False),
        ("sh collect.sh >server.tunewiz", False),
        ("sudo sh db1-tuning/apply.sh --dry-run", True),
    ],
)
def test_only_what_cannot_be_run_here_is_left_out(line: str, *, is_left_out: bool) -> None:
    assert bool(left_out(line)) == is_left_out


def test_the_readme_is_one_page() -> None:
    assert README.count("\n") <= MOST_LINES
