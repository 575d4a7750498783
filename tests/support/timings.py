"""A pytest plugin that tells what each folder and file of tests costs, and where tests wait: `make timings`.

Wall time is what a test took; processor time is its own and that of its programs that have ended, so
not a server's. The rest is waiting, for a server, a terminal, the disk, or another test's turn.
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass

import pytest
from _pytest.terminal import TerminalReporter

FILES_SHOWN = 30
HEADS = ("wall s", "cpu s", "waiting", "fixtures")
PROCESSOR = "processor_seconds"
_began = pytest.StashKey[float]()


@dataclass(kw_only=True, slots=True)
class Cost:
    """Seconds, summed over tests and their phases."""

    tests: int = 0
    wall: float = 0.0
    processor: float = 0.0
    fixtures: float = 0.0
    """Wall time of setting up and taking down."""

    def add(self, report: pytest.TestReport) -> None:
        """A phase of a test."""
        self.wall += report.duration
        self.processor += getattr(report, PROCESSOR, 0.0)
        if report.when == "call":
            self.tests += 1
        else:
            self.fixtures += report.duration


def processor_seconds() -> float:
    """Used so far by this process and by its children that have ended."""
    used = (resource.getrusage(kind) for kind in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    item.stash[_began] = processor_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    ended = processor_seconds()
    # An attribute of a report reaches the process that sums up, whichever worker ran the test.
    setattr(report, PROCESSOR, ended - item.stash[_began])
    item.stash[_began] = ended
    return report


class Timings:
    """What was reported so far."""

    def __init__(self) -> None:
        """Begins the clock."""
        self.began = time.monotonic()
        self.folders: dict[str, Cost] = defaultdict(Cost)
        self.files: dict[str, Cost] = defaultdict(Cost)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Sums up, by file and by folder."""
        file = report.nodeid.partition("::")[0]
        self.files[file].add(report)
        self.folders["/".join(file.split("/")[:2])].add(report)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Prints both tables."""
        terminalreporter.section(f"timings: {time.monotonic() - self.began:.0f} s by the clock")
        for line in (*table("folder", self.folders), "", *table("file", self.files, FILES_SHOWN)):
            terminalreporter.write_line(line)


def table(title: str, costs: Mapping[str, Cost], most: int | None = None) -> Iterable[str]:
    """The dearest first."""
    yield f"{title:60} {'tests':>6}" + "".join(f" {head:>9}" for head in HEADS)
    dearest = sorted(costs.items(), key=lambda pair: -pair[1].wall)
    for name, cost in dearest[:most]:
        waiting = max(0.0, cost.wall - cost.processor)
        seconds = (cost.wall, cost.processor, waiting, cost.fixtures)
        yield f"{name:60} {cost.tests:6}" + "".join(f" {figure:9.1f}" for figure in seconds)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Timings())
