"""A pytest plugin: of slow tests about what has not changed since all of them passed, a tenth is drawn.

`tests/sweeps.toml` says which tests are about what; `tests/passed.toml`, which only a run of everything
writes, says what they passed on. Nothing is left out but where TUNEWIZ_TEST_DRAW gives a date to draw by.
"""

from __future__ import annotations

import ast
import hashlib
import os
import tomllib  # noqa: TID251 - the tests' own files, which no part of the program reads
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

from tunewiz.formats import toml

CHECKOUT = Path(__file__).resolve().parent.parent.parent
TABLE = CHECKOUT / "tests" / "sweeps.toml"
PASSED = CHECKOUT / "tests" / "passed.toml"
DRAW = "TUNEWIZ_TEST_DRAW"
"""A date: which tenth is drawn."""
ONE_OF = 10
SUPPORT = "tests/support"


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """Slow tests with one subject."""

    name: str
    tests: tuple[str, ...]
    """How their paths begin."""
    about: tuple[str, ...]
    """Files and folders, from the checkout's root."""

    def has(self, nodeid: str) -> bool:
        """Whether the test belongs to it, if it is slow."""
        return nodeid.startswith(self.tests)


@dataclass(frozen=True, kw_only=True, slots=True)
class WholePass:
    """That all tests of a sweep passed."""

    content: str
    """The hash of what they passed on."""
    date: str
    outcomes: Mapping[str, int]
    """How many tests, by how they ended: those that were skipped too."""


def sweeps_of(table: Path = TABLE) -> tuple[Sweep, ...]:
    """As the table has them."""
    return tuple(
        Sweep(name=name, tests=tuple(entry["tests"]), about=tuple(entry["about"]))
        for name, entry in tomllib.loads(table.read_text(encoding="utf-8")).items()
    )


def passes_of(file: Path = PASSED) -> Mapping[str, WholePass]:
    """By the name of the sweep; none where nothing was written yet."""
    if not file.exists():
        return {}
    return {
        name: WholePass(**entry) for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


def content_of(sweep: Sweep, root: Path = CHECKOUT) -> str:
    """A hash of names and content: of what the sweep is about, of its tests and of their support."""
    tests = [*_files(root, _tests_of(sweep, root))]
    files = {*tests, *_files(root, sweep.about), *_imported(root, tests)}
    digest = hashlib.sha256()
    for file in sorted(files):
        content = hashlib.sha256((root / file).read_bytes()).hexdigest()
        digest.update(f"{content} {file}\n".encode())
    return digest.hexdigest()


def _tests_of(sweep: Sweep, root: Path) -> Iterator[str]:
    for beginning in sweep.tests:
        if beginning.endswith("/"):
            yield beginning
        else:
            folder, _, name = beginning.rpartition("/")
            yield from (f"{folder}/{path.name}" for path in (root / folder).glob(f"{name}*.py"))


def _files(root: Path, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        whole = root / path
        inside = whole.rglob("*") if whole.is_dir() else (whole,)
        for file in inside:
            if file.is_file() and "__pycache__" not in file.parts:
                yield str(file.relative_to(root))


def _imported(root: Path, files: Iterable[str]) -> set[str]:
    """What is imported of the tests' support, by them and by each other."""
    result = set[str]()
    left = [*files, *(["tests/conftest.py"] if (root / "tests/conftest.py").exists() else [])]
    while left:
        file = left.pop()
        if not file.endswith(".py"):
            continue
        for name in _imports(root / file):
            support = f"{SUPPORT}/{name}.py"
            if name.isidentifier() and support not in result and (root / support).exists():
                result.add(support)
                left.append(support)
    return result


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module)):
                yield module
            case ast.Constant(value=str(name)):  # plugins are named
                yield name
            case _:
                pass


def is_drawn(nodeid: str, date: str) -> bool:
    """Whether the test is in this date's tenth."""
    digest = hashlib.sha256(f"{date} {nodeid}".encode()).digest()
    return int.from_bytes(digest[:4]) % ONE_OF == 0


@cache
def unchanged() -> Mapping[str, WholePass]:
    """The sweeps that passed whole on what is there now."""
    passes = passes_of()
    return {
        sweep.name: passes[sweep.name]
        for sweep in sweeps_of()
        if sweep.name in passes and content_of(sweep) == passes[sweep.name].content
    }


@cache
def _sweeps() -> tuple[Sweep, ...]:
    return sweeps_of()


def sweep_of(nodeid: str) -> Sweep | None:
    """Where a slow test belongs; None where it runs every time."""
    return next((sweep for sweep in _sweeps() if sweep.has(nodeid)), None)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what was not drawn."""
    date = os.environ.get(DRAW)
    if not date:
        return
    left_out = [item for item in items if _is_left_out(item, date)]
    without = {*left_out}
    items[:] = [item for item in items if item not in without]
    config.hook.pytest_deselected(items=left_out)


def _is_left_out(item: pytest.Item, date: str) -> bool:
    sweep = sweep_of(item.nodeid) if item.get_closest_marker("slow") else None
    return sweep is not None and sweep.name in unchanged() and not is_drawn(item.nodeid, date)


class WholeRun:
    """Sums up a run of the whole suite, sweep by sweep, and writes down which of them passed whole."""

    def __init__(self, date: str, *, is_whole: bool) -> None:
        """A run that was asked for a part of the suite writes nothing."""
        self.date = date
        self.is_whole = is_whole
        self.contents = {sweep.name: content_of(sweep) for sweep in _sweeps()}
        self.outcomes: Mapping[str, Counter[str]] = {sweep.name: Counter() for sweep in _sweeps()}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Counts a slow test by how it ended: what was set up and taken down only if that failed."""
        sweep = sweep_of(report.nodeid) if "slow" in report.keywords else None
        if sweep is not None and (report.when == "call" or not report.passed):
            self.outcomes[sweep.name][report.outcome] += 1

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Writes, where the run came to its end."""
        came_to_its_end = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        if self.is_whole and came_to_its_end and (passed := self.passed()):
            write_passes({**passes_of(), **passed})

    def passed(self) -> Mapping[str, WholePass]:
        """The sweeps of which everything ran, and nothing failed."""
        return {
            sweep.name: WholePass(content=self.contents[sweep.name], date=self.date, outcomes=dict(outcomes))
            for sweep in _sweeps()
            if (outcomes := self.outcomes[sweep.name])
            and not outcomes["failed"]
            and sweep.name not in unchanged()
            and content_of(sweep) == self.contents[sweep.name]
        }

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """One line for each sweep."""
        terminalreporter.section("sweeps")
        for sweep in _sweeps():
            terminalreporter.write_line(self.line(sweep))

    def line(self, sweep: Sweep) -> str:
        """What was drawn of it and what was not."""
        ran = self.outcomes[sweep.name]
        ended = ", ".join(f"{count} {outcome}" for outcome, count in sorted(ran.items())) or "none ran"
        before = unchanged().get(sweep.name)
        if before is None:
            return f"{sweep.name}: whole ({ended})"
        left_out = sum(before.outcomes.values()) - ran.total()
        return (
            f"{sweep.name}: unchanged since all of it passed on {before.date}; "
            f"drawn by {self.date} ({ended}); left out: {left_out}"
        )


def write_passes(passes: Mapping[str, WholePass], file: Path = PASSED) -> None:
    """The file that only a run of everything writes."""
    entries = {
        name: {"content": entry.content, "date": entry.date, "outcomes": dict(sorted(entry.outcomes.items()))}
        for name, entry in sorted(passes.items())
    }
    head = "# Sweeps that passed whole, and on what: written by a run of everything, by nobody else.\n\n"
    file.write_text(head + toml.dumps(entries), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Sums up in the process that sees all results."""
    date = os.environ.get(DRAW)
    if date and not hasattr(config, "workerinput"):
        config.pluginmanager.register(WholeRun(date, is_whole=_asks_for_everything(config)))


def _asks_for_everything(config: pytest.Config) -> bool:
    """Tests of the kernel run apart, every time: they belong to no sweep."""
    selected = any(config.getoption(name, default=None) for name in ("keyword", "deselect", "lf"))
    of_all_kinds = config.getoption("markexpr") in {"", "not kernel"}
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS and of_all_kinds and not selected
