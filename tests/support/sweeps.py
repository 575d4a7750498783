"""A pytest plugin: of slow tests about what has not changed since all of their file passed, a tenth is drawn.

`tests/sweeps.toml` says which tests are about what; `tests/passed.toml`, which only a run of whole files
writes, says what each file passed on. Nothing is left out but where TUNEWIZ_TEST_DRAW gives a date.
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
CONFTEST = "tests/conftest.py"
THIS = "sweeps"
"""Which tests run is decided here, not what they find."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sweep:
    """Slow tests with one subject."""

    name: str
    tests: tuple[str, ...]
    """How their paths begin."""
    about: tuple[str, ...]
    """Files and folders, from the checkout's root."""
    but: tuple[str, ...] = ()
    """What of those decides nothing."""

    def excepts(self, file: str) -> bool:
        """Whether a file of its subject decides nothing."""
        endings = tuple(entry[1:] for entry in self.but if entry.startswith("*"))
        return file.startswith(self.but) or file.endswith(endings)

    def naming(self, nodeid: str) -> int:
        """How much of the test's path it names, at most; 0 if it does not name the test."""
        return max((len(entry) for entry in self.tests if nodeid.startswith(entry)), default=0)


@dataclass(frozen=True, kw_only=True, slots=True)
class WholePass:
    """That all slow tests of a file passed."""

    content: str
    """The hash of what they passed on."""
    date: str
    outcomes: Mapping[str, int]
    """How many tests, by how they ended: those that were skipped too."""


def sweeps_of(table: Path = TABLE) -> tuple[Sweep, ...]:
    """As the table has them."""
    return tuple(
        Sweep(name=name, **{key: tuple(paths) for key, paths in entry.items()})
        for name, entry in tomllib.loads(table.read_text(encoding="utf-8")).items()
    )


def passes_of(file: Path = PASSED) -> Mapping[str, WholePass]:
    """By the file of the tests; none where nothing was written yet."""
    if not file.exists():
        return {}
    return {
        name: WholePass(**entry) for name, entry in tomllib.loads(file.read_text(encoding="utf-8")).items()
    }


class Checkout:
    """The files as they are now, each read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.support = {file.stem for file in (root / SUPPORT).glob("*.py")} - {THIS}
        self._digests = dict[str, str]()
        self._imports = dict[str, frozenset[str]]()

    def hash_of(self, files: Iterable[str]) -> str:
        """Of their names and content."""
        digest = hashlib.sha256()
        for file in sorted(files):
            digest.update(f"{self._digest(file)} {file}\n".encode())
        return digest.hexdigest()

    def _digest(self, file: str) -> str:
        if file not in self._digests:
            self._digests[file] = hashlib.sha256((self.root / file).read_bytes()).hexdigest()
        return self._digests[file]

    def support_of(self, tests: str) -> frozenset[str]:
        """What tests rest on: `conftest.py`, and what is imported of their support; not what draws them."""
        result = {CONFTEST} if (self.root / CONFTEST).exists() else set[str]()
        left = [tests, *result]
        while left:
            new = self._imported_by(left.pop()) - result
            result |= new
            left += new
        return frozenset(result)

    def _imported_by(self, file: str) -> frozenset[str]:
        if file not in self._imports:
            tree = ast.parse((self.root / file).read_text(encoding="utf-8"))
            names = {name for node in ast.walk(tree) for name in _imported_by(node)}
            self._imports[file] = frozenset(f"{SUPPORT}/{name}.py" for name in names & self.support)
        return self._imports[file]


def content_of(sweep: Sweep, tests: str, root: Path = CHECKOUT) -> str:
    """A hash of names and content: of what the sweep is about, of a file of its tests, of their support."""
    checkout = Checkout(root)
    return checkout.hash_of({*_subject_of(sweep, root), tests, *checkout.support_of(tests)})


def contents(root: Path = CHECKOUT) -> Mapping[str, str]:
    """What the tests of each file would pass on now."""
    checkout = Checkout(root)
    return {
        tests: checkout.hash_of(subject | {tests} | checkout.support_of(tests))
        for sweep in _sweeps()
        for subject in [frozenset(_subject_of(sweep, root))]
        for tests in files_with_tests(sweep, root)
        if sweep_of(tests) is sweep
    }


def _subject_of(sweep: Sweep, root: Path) -> Iterator[str]:
    return (file for file in _files(root, sweep.about) if not sweep.excepts(file))


def files_with_tests(sweep: Sweep, root: Path = CHECKOUT) -> Iterator[str]:
    """The files of its tests."""
    for beginning in sweep.tests:
        folder, _, name = beginning.rpartition("/")
        inside = f"{name}*.py" if name else "**/test_*.py"
        yield from sorted(str(path.relative_to(root)) for path in (root / folder).glob(inside))


def _files(root: Path, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        whole = root / path
        inside = whole.rglob("*") if whole.is_dir() else (whole,)
        for file in inside:
            if file.is_file() and "__pycache__" not in file.parts:
                yield str(file.relative_to(root))


def _imported_by(node: ast.AST) -> Iterable[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case ast.Constant(value=str(name)):  # plugins are named
            return [name]
        case _:
            return []


def is_drawn(nodeid: str, date: str) -> bool:
    """Whether the test is in this date's tenth."""
    digest = hashlib.sha256(f"{date} {nodeid}".encode()).digest()
    return int.from_bytes(digest[:4]) % ONE_OF == 0


@cache
def unchanged() -> Mapping[str, WholePass]:
    """The files whose tests passed whole on what is there now."""
    passes = passes_of()
    return {
        tests: passes[tests]
        for tests, content in contents().items()
        if tests in passes and content == passes[tests].content
    }


@cache
def _sweeps() -> tuple[Sweep, ...]:
    return sweeps_of()


def sweep_of(nodeid: str) -> Sweep | None:
    """Where a slow test belongs: to what names most of its path; None where it runs every time."""
    sweep = max(_sweeps(), key=lambda entry: entry.naming(nodeid))
    return sweep if sweep.naming(nodeid) else None


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
    return sweep is not None and file_of(item.nodeid) in unchanged() and not is_drawn(item.nodeid, date)


def file_of(nodeid: str) -> str:
    """Where a test stands."""
    return nodeid.partition("::")[0]


class WholeRun:
    """Sums up a run of whole files, file by file, and writes down which of them passed whole."""

    def __init__(self, date: str, *, is_whole: bool) -> None:
        """A run that was asked for parts of files writes nothing."""
        self.date = date
        self.is_whole = is_whole
        self.contents = contents()
        self.outcomes: Mapping[str, Counter[str]] = {tests: Counter() for tests in self.contents}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Counts a slow test by how it ended: what was set up and taken down only if that failed."""
        sweep = sweep_of(report.nodeid) if "slow" in report.keywords else None
        if sweep is not None and (report.when == "call" or not report.passed):
            self.outcomes[file_of(report.nodeid)][report.outcome] += 1

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Writes, where the run came to its end."""
        came_to_its_end = exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}
        if self.is_whole and came_to_its_end and (passed := self.passed()):
            before = {tests: entry for tests, entry in passes_of().items() if tests in self.contents}
            write_passes({**before, **passed})

    def passed(self) -> Mapping[str, WholePass]:
        """The files of which everything ran, and nothing failed."""
        after = contents()
        return {
            tests: WholePass(content=content, date=self.date, outcomes=dict(outcomes))
            for tests, content in self.contents.items()
            if (outcomes := self.outcomes[tests])
            and not outcomes["failed"]
            and tests not in unchanged()
            and after.get(tests) == content
        }

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """One line for each sweep."""
        terminalreporter.section("sweeps")
        for sweep in _sweeps():
            terminalreporter.write_line(self.line(sweep))

    def line(self, sweep: Sweep) -> str:
        """What was drawn of it and what was not."""
        files = [tests for tests in self.contents if sweep_of(tests) is sweep]
        before = {tests: unchanged()[tests] for tests in files if tests in unchanged()}
        whole = [tests for tests in files if tests not in before and self.outcomes[tests]]
        parts = (
            [f"whole: {_files_in_words(len(whole))} ({self._ended(whole)})"] if whole or not before else []
        )
        if before:
            ran = sum(self.outcomes[tests].total() for tests in before)
            left_out = sum(sum(entry.outcomes.values()) for entry in before.values())
            since = min(entry.date for entry in before.values())
            parts += [
                f"unchanged since all of it passed, {since} or later: {_files_in_words(len(before))}",
                f"drawn by {self.date} ({self._ended(before)})",
                f"left out: {left_out - ran}",
            ]
        return f"{sweep.name}: {'; '.join(parts)}"

    def _ended(self, files: Iterable[str]) -> str:
        ran = sum((self.outcomes[tests] for tests in files), Counter[str]())
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(ran.items())) or "none ran"


def _files_in_words(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def write_passes(passes: Mapping[str, WholePass], file: Path = PASSED) -> None:
    """The file that only a run of whole files writes."""
    entries = {
        name: {"content": entry.content, "date": entry.date, "outcomes": dict(sorted(entry.outcomes.items()))}
        for name, entry in sorted(passes.items())
    }
    head = "# Slow tests that passed whole, and on what: written by a run of whole files, by nobody else.\n\n"
    file.write_text(head + toml.dumps(entries), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Sums up in the process that sees all results."""
    date = os.environ.get(DRAW)
    if date and not hasattr(config, "workerinput"):
        config.pluginmanager.register(WholeRun(date, is_whole=_asks_for_whole_files(config)))


def _asks_for_whole_files(config: pytest.Config) -> bool:
    """Tests of the kernel run apart, every time: they belong to no sweep."""
    selected = any(config.getoption(name, default=None) for name in ("keyword", "deselect", "lf", "maxfail"))
    of_all_kinds = config.getoption("markexpr") in {"", "not kernel"}
    return of_all_kinds and not selected and not any("::" in argument for argument in config.args)
