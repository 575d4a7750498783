"""The first page is there before what reads, plans and converts is imported."""

import signal
import sys
from pathlib import Path

import pytest

from terminal_session import TerminalSession

# Only a process of its own can say which modules it has loaded.
PROBE = """
import atexit, sys
report = sys.argv.pop(1)
def tell():
    with open(report, "w") as file:
        print(*sorted(sys.modules), sep="\\n", file=file)
atexit.register(tell)
from tunewiz.cli import run
run()
"""
LATER = (
    *("attr", "cattrs", "psycopg", "toml", "tomllib", "zipfile"),
    *("tunewiz.bundle", "tunewiz.catalogue", "tunewiz.facts", "tunewiz.pgconf"),
    *("tunewiz.core.answers", "tunewiz.core.facts", "tunewiz.core.flow", "tunewiz.core.plan"),
    *("tunewiz.handbook", "tunewiz.knowledge", "tunewiz.planning", "tunewiz.records", "tunewiz.session"),
    *("tunewiz.screens.ask", "tunewiz.screens.glossary", "tunewiz.screens.help", "tunewiz.screens.palette"),
    *("tunewiz.screens.machine", "tunewiz.screens.recommendations", "tunewiz.screens.step_page"),
)
MOST = 50
"""Modules of the project that the first page may take."""


@pytest.fixture
def loaded(tmp_path: Path) -> frozenset[str]:
    report = tmp_path / "loaded"
    with TerminalSession(command=[sys.executable, "-c", PROBE, str(report)]) as session:
        session.see("Which machine")
        session.settle()
        session.signal(signal.SIGTERM)
        session.end()
    return frozenset(report.read_text().split())


def test_the_first_page_needs_nothing_that_a_later_one_needs(loaded: frozenset[str]) -> None:
    assert {"textual", "tunewiz.screens.welcome"} <= loaded
    assert {
        name for name in loaded if any(name == each or name.startswith(f"{each}.") for each in LATER)
    } == set()


def test_the_first_page_needs_few_modules(loaded: frozenset[str]) -> None:
    ours = {name for name in loaded if name.partition(".")[0] == "tunewiz"}
    assert len(ours) <= MOST, sorted(ours)
