"""Commands for scripts start fast: they load neither the terminal toolkit nor the database driver."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import tunewiz

HEAVY = {"textual", "psycopg", "psycopg_binary"}

# Only a process of its own can say which modules a command has loaded.
PROBE = """
import atexit, sys
report = sys.argv.pop(1)
def tell():
    with open(report, "w") as file:
        print(*sorted(sys.modules), sep="\\n", file=file)
atexit.register(tell)
from tunewiz.cli import run
raise SystemExit(run())
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """A command that has ended well."""

    output: str
    loaded: frozenset[str]
    """The modules that it had loaded at its end."""


def finished(tmp_path: Path, *arguments: str) -> Finished:
    report = tmp_path / "loaded"
    done = subprocess.run(
        [sys.executable, "-c", PROBE, report, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Finished(output=done.stdout, loaded=frozenset(report.read_text().split()))


def example_machine(tmp_path: Path) -> str:
    return finished(tmp_path, "demo").output.split()[0]


@pytest.mark.parametrize("command", ["--help", "--version", "explain", "demo"])
def test_a_headless_command_loads_neither_textual_nor_psycopg(tmp_path: Path, command: str) -> None:
    done = finished(tmp_path, command)
    assert done.output
    assert done.loaded & HEAVY == set()


# This host is left out: where a server runs on it, the driver is needed to ask that server.
def test_the_facts_of_a_captured_machine_are_read_without_either(tmp_path: Path) -> None:
    for folder in ("proc", "sys"):
        (tmp_path / "captured" / folder).mkdir(parents=True)
    done = finished(tmp_path, "facts", "--root", str(tmp_path / "captured"))
    assert done.output.startswith("{")
    assert done.loaded & HEAVY == set()


def test_the_plan_for_an_example_machine_is_made_without_either(tmp_path: Path) -> None:
    done = finished(tmp_path, "plan", "--demo", example_machine(tmp_path), "--json")
    assert done.output.startswith("{")
    assert done.loaded & HEAVY == set()


BESIDE_A_PLAN = {
    *HEAVY,
    *("psutil", "toml"),
    *("tunewiz.bench", "tunewiz.bundle", "tunewiz.collect", "tunewiz.fleet", "tunewiz.managed"),
    *("tunewiz.plain", "tunewiz.screens", "tunewiz.session", "tunewiz.tui", "tunewiz.wizard"),
    *("tunewiz.core.comparison", "tunewiz.core.fleet", "tunewiz.core.keepers", "tunewiz.core.tables"),
    *("tunewiz.core.upgrade", "tunewiz.knowledge.studies", "tunewiz.knowledge.help"),
}
"""Packages and modules that a plan for facts at hand does without."""
MAXIMUM_OF_A_PLAN = 226
"""Modules of the project that it takes, beside the catalogue's: one for each recommendation."""


@pytest.mark.parametrize("form", [(), ("--all",), ("--json",)])
def test_a_plan_loads_what_it_needs_alone(tmp_path: Path, form: tuple[str, ...]) -> None:
    loaded = finished(tmp_path, "plan", "--demo", example_machine(tmp_path), *form).loaded
    assert loaded & BESIDE_A_PLAN == set()
    assert ("rich" in loaded) == ("--json" not in form)
    ours = {name for name in loaded if name.partition(".")[0] == "tunewiz"}
    few = {name for name in ours if not name.startswith("tunewiz.catalogue.")}
    assert len(few) <= MAXIMUM_OF_A_PLAN, sorted(few)


def test_help_loads_none_of_what_a_plan_needs(tmp_path: Path) -> None:
    for arguments in (("--help",), ("plan", "--help"), ("--version",)):
        loaded = finished(tmp_path, *arguments).loaded
        assert loaded & {*BESIDE_A_PLAN, "rich", "json", "tomllib", "tunewiz.catalogue"} == set()
        assert not {name for name in loaded if name.startswith(("tunewiz.core.facts", "tunewiz.knowledge"))}


def test_the_probe_sees_a_module_that_is_loaded(tmp_path: Path) -> None:
    assert {"argparse", "tunewiz"} <= finished(tmp_path, "--version").loaded


def test_the_command_prints_its_name_and_version(tmp_path: Path) -> None:
    assert finished(tmp_path, "--version").output == f"tunewiz {tunewiz.__version__}\n"


FEW = 18
"""Modules of the project that `--version` may load: it answers within a tenth of a second."""


@pytest.mark.parametrize("arguments", [("--version",), ("--help",)])
def test_what_needs_no_machine_loads_hardly_anything(arguments: tuple[str, ...]) -> None:
    code = (
        "import sys\n"
        "from tunewiz.commands.options import parse\n"
        "import atexit\n"
        "loaded = lambda: [each for each in sys.modules if 'tunewiz' in each]\n"
        "atexit.register(lambda: print(*loaded(), file=sys.stderr))\n"
        "parse(sys.argv[1:])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert len(done.stderr.split()) <= FEW, done.stderr


@pytest.mark.parametrize(
    ("before", "is_loaded"), [("", False), ("import ssl", True), ("import asyncio", True)]
)
def test_the_wizard_loads_no_openssl_and_leaves_alone_what_is_loaded(before: str, *, is_loaded: bool) -> None:
    code = (
        f"{before}\n"
        "import sys\n"
        "from tunewiz.console.terminal import import_asyncio\n"
        "import_asyncio()\n"
        "import tunewiz.commands.on_screen\n"
        "print('ssl' in sys.modules, '_ssl' in sys.modules)\n"
        "import ssl\n"
        "ssl.create_default_context()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(is_loaded)] * 2
