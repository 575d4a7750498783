"""The one file on other architectures: Debian's own Python under emulation; s390x is big-endian.

The processor alone is emulated: /proc and /sys are this machine's, and no foreign process starts another.
"""

import hashlib
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from installed_program import Program, Walk, chosen
from terminal_session import TerminalSession
from tunewiz import __version__

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
PATIENCE = 240.0
"""Seconds for what takes one on a real processor: an emulated one is twenty times slower, and CI is busy."""
DEMO = "z13-lpar"
ARCHITECTURES = {"s390x": "s390x", "ppc64le": "ppc64el", "aarch64": "arm64"}
"""Debian's names by the kernel's, which are qemu's too."""
EVERY_PLAN = """
import contextlib, hashlib, io, json, sys
sys.path.insert(0, sys.argv[1])
from tunewiz.cli import main
def plan(name):
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as out:
        assert main(["plan", "--demo", name, "--json"]) == 0
        out.flush()
        return hashlib.sha256(out.buffer.getvalue()).hexdigest()
print(json.dumps({"order": sys.byteorder, **{name: plan(name) for name in sys.argv[2:]}}))
"""
"""All in one process: what takes long is to start."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Foreign:
    """A Python of another architecture, and the one file."""

    machine: str
    python: tuple[str, ...]
    one_file: Path

    def run(self, *arguments: str) -> str:
        """What a command of the one file prints."""
        return printed([*self.python, str(self.one_file), *arguments])

    @property
    def program(self) -> Program:
        """For a walk in a terminal."""
        return Program(command=(*self.python, str(self.one_file)), is_alone=False)


def printed(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


class SlowWalk(Walk):
    """A walk on an emulated processor."""

    def __init__(self, program: Program, *arguments: str | Path) -> None:
        TerminalSession.__init__(self, command=program.line(*arguments), patience=PATIENCE)


def folder_of_roots() -> Path:
    """Where .ci/foreign_pythons.sh puts them."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("TUNEWIZ_FOREIGN") or f"{cache}/tunewiz/foreign")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(architecture, marks=pytest.mark.xdist_group(architecture))
        for architecture in ARCHITECTURES
    ],
)
def cache_of_architecture(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """An architecture, and a cache that its tests share: unpacking and compiling are emulated, too."""
    machine: str = request.param
    return machine, tmp_path_factory.mktemp(machine)


ROOTS = folder_of_roots()


@pytest.fixture
def foreign(
    cache_of_architecture: tuple[str, Path], one_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Foreign:
    machine, cache = cache_of_architecture
    emulator = shutil.which(f"qemu-{machine}-static")
    root = ROOTS / ARCHITECTURES[machine]
    python = root / "usr" / "bin" / "python3"
    if emulator is None:
        pytest.skip(f"qemu-{machine}-static is missing (Debian: apt-get install qemu-user-static)")
    if not python.exists():
        pytest.skip(f"{python} is missing: .ci/foreign_pythons.sh fetches it, or says why it cannot")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return Foreign(machine=machine, python=(emulator, "-L", str(root), str(python)), one_file=one_file)


def test_it_starts_and_knows_its_version(foreign: Foreign) -> None:
    assert foreign.run("--version") == f"tunewiz {__version__}\n"


def test_the_facts_are_those_of_the_architecture(foreign: Foreign) -> None:
    facts = json.loads(foreign.run("facts"))
    assert facts["host"]["architecture"] == foreign.machine
    assert facts["cpu"]["online"] == os.cpu_count()


def test_a_plan_can_be_read(foreign: Foreign) -> None:
    assert foreign.run("plan", "--demo", DEMO) == printed_here(foreign, "plan", "--demo", DEMO)


def printed_here(foreign: Foreign, *arguments: str) -> str:
    """By this machine's own Python, out of the same file."""
    return printed([shutil.which("python3") or "python3", str(foreign.one_file), *arguments])


def test_every_example_machines_plan_is_the_same_to_the_byte(foreign: Foreign) -> None:
    names = [line.split()[0] for line in printed_here(foreign, "demo").splitlines()[::2]]
    assert DEMO in names
    here = {
        name: hashlib.sha256(printed_here(foreign, "plan", "--demo", name, "--json").encode()).hexdigest()
        for name in names
    }
    (library,) = Path(os.environ["XDG_CACHE_HOME"]).glob("tunewiz/onefile/*/lib")
    there = json.loads(printed([*foreign.python, "-c", EVERY_PLAN, str(library), *names]))
    assert there.pop("order") == ("big" if foreign.machine == "s390x" else "little")
    assert there == here


def test_the_wizard_is_walked_from_its_first_page_to_a_bundle(foreign: Foreign, tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    with SlowWalk(foreign.program, "--out", bundle) as walk:
        chosen(walk, "")
        assert f"· {foreign.machine} " in walk.text.splitlines()[0]
        assert "Processor" in walk.text
        walk.writes()
        walk.press(b"\r")
        walk.ends()
    assert json.loads((bundle / "facts.json").read_text())["host"]["architecture"] == foreign.machine
    sums = subprocess.run(
        ["sha256sum", "-c", "--strict", "--quiet", "SHA256SUMS"], cwd=bundle, capture_output=True, check=False
    )
    assert (sums.returncode, sums.stdout) == (0, b"")
