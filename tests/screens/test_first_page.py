"""The first page is there before what reads, plans and converts is imported."""

import signal
import sys
from pathlib import Path

import tunewiz
from terminal_session import TerminalSession

# Only a process of its own can say which modules it has loaded, and which of them a thread aside did: the
# servers of this host are looked for while a person reads the first page.
PROBE = """
import atexit, sys, threading
report = sys.argv.pop(1)
aside = set()
class Aside:
    def find_spec(name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            aside.add(name)
sys.meta_path.insert(0, Aside)
def tell():
    with open(report, "w") as file:
        names = (f"aside:{name}" if name in aside else name for name in sorted(sys.modules))
        print(*names, sep="\\n", file=file)
atexit.register(tell)
from tunewiz.cli import run
run()
"""
LATER = (
    *("_ssl", "attr", "cattrs", "psycopg", "ssl", "toml", "tomllib", "zipfile"),
    *("tunewiz.bundle", "tunewiz.catalogue", "tunewiz.collect", "tunewiz.collect.postgres.conf"),
    *(
        "tunewiz.core.answers.answers",
        "tunewiz.core.facts.facts",
        "tunewiz.core.answers.step_order",
        "tunewiz.core.planning.plan",
    ),
    *(
        "tunewiz.knowledge.help",
        "tunewiz.knowledge.loading",
        "tunewiz.planning",
        "tunewiz.formats.records",
        "tunewiz.session.record",
    ),
    *("tunewiz.screens.ask", "tunewiz.screens.glossary", "tunewiz.screens.help", "tunewiz.screens.palette"),
    *("tunewiz.screens.machine", "tunewiz.screens.recommendations", "tunewiz.screens.step_page"),
)
MAXIMUM = 62
"""Modules of the project that the first page may take, beside the packages that hold them.

Seven of them only tell what may be typed after commands that it needs nothing of, one holds the ports alone,
one makes records cheap.
"""
PACKAGE = Path(tunewiz.__file__).parent


def loaded(report: Path, observation: str, *arguments: str) -> frozenset[str]:
    """The modules that are there once something has been seen, and nothing more happens."""
    with TerminalSession(command=[sys.executable, "-c", PROBE, str(report), *arguments]) as session:
        session.see(observation)
        session.settle(1.0)
        session.signal(signal.SIGTERM)
        session.end()
    return frozenset(report.read_text().split())


def test_the_first_page_needs_few_modules_and_none_that_a_later_one_needs(tmp_path: Path) -> None:
    result = loaded(tmp_path / "loaded", "Which machine")
    assert "aside:tunewiz.collect.postgres.here" in result
    ours = {name for name in result if name.partition(".")[0] == "tunewiz"}
    assert "tunewiz.screens.welcome" in ours
    assert {
        name for name in result if any(name == text or name.startswith(f"{text}.") for text in LATER)
    } == set()
    modules = {name for name in ours if (PACKAGE.parent / f"{name.replace('.', '/')}.py").is_file()}
    assert len(modules) <= MAXIMUM, sorted(modules)


def test_what_later_pages_need_is_there_before_their_turn(tmp_path: Path) -> None:
    result = loaded(tmp_path / "loaded", "saved", "--demo", "small-vm")
    names = {name.removeprefix("aside:") for name in result}
    assert {"tunewiz.screens.recommendations", "tunewiz.screens.review", "tunewiz.bundle.preview"} <= names
