"""Servers of every major version for tests over generated plans, and the table of what they said."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from fixtures_postgres import (
    Initialized,
    configure,
    copy_into,
    crash,
    describe,
    directory_of,
    installed_programs,
    programs_in,
    reachable_by_all,
    unprivileged_user,
)
from real_postgres import Cluster, Programs
from tunewiz.core.values.versions import SUPPORTED

COLUMNS = ("plans accepted", "started", "values equal")
PROPERTY = "matrix"

Tally: TypeAlias = Counter[str]
"""How often each of COLUMNS was tried; what went well is counted under `COLUMN, well`."""


def matrix_folder() -> Path:
    """Where .ci/fetch_pg.sh puts the servers."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("TUNEWIZ_PG_MATRIX") or f"{cache}/tunewiz/postgres")


@pytest.fixture(scope="session")
def server_of_major() -> Iterator[Callable[[str], Programs | str]]:
    """Finds a major's programs, fetched or installed; says what is missing where there are none."""
    folder, installed = matrix_folder().absolute(), installed_programs()
    with directory_of(unprivileged_user()) as copies:

        def find(major: str) -> Programs | str:
            if (folder / major / "bin" / "postgres").exists():
                return programs_in(_runnable(folder / major, copies) / "bin")
            if isinstance(installed, Programs) and installed.major == major:
                return installed
            return f"PostgreSQL {major} is not in {folder}: .ci/fetch_pg.sh fetches it, or says why it cannot"

        yield find


def _runnable(server: Path, copies: Path) -> Path:
    """The server, or a copy where its user may not walk to it: under the home of root, say."""
    if reachable_by_all(server):
        return server
    copy = copies / server.name
    if not copy.exists():
        shutil.copytree(server, copy, symlinks=True)
    return copy


@pytest.fixture(params=[str(entry) for entry in SUPPORTED])
def major(request: pytest.FixtureRequest) -> str:
    """Each major version in turn."""
    return str(request.param)


@pytest.fixture
def tally(major: str, record_property: Callable[[str, object], None]) -> Iterator[Tally]:
    """What the test counts for the table."""
    counted = Tally()
    yield counted
    for name, count in counted.items():
        record_property(f"{PROPERTY}|{major}|{name}", count)


@pytest.fixture
def matrix_cluster(
    major: str,
    tally: Tally,
    server_of_major: Callable[[str], Programs | str],
    next_port: Callable[[], int],
    initialized: Initialized,
) -> Iterator[Cluster]:
    """A stopped cluster of the major; it includes conf.d at the end of its configuration."""
    programs = server_of_major(major)
    if isinstance(programs, str):
        tally["not here"] += 1
        pytest.skip(programs)
    user = unprivileged_user()
    with directory_of(user) as directory:
        cluster = describe("plain", programs, user, directory, next_port())
        copy_into(cluster, initialized(programs))
        cluster.run("mkdir", cluster.socket_directory, cluster.data_directory / "conf.d")
        configure(cluster, {"include_dir": "conf.d"})
        yield cluster
        crash(cluster)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The matrix as a table, where it was run."""
    counted = _counted(terminalreporter)
    if not counted:
        return
    terminalreporter.write_sep("=", "generated plans on real servers")
    terminalreporter.write_line(_row("PostgreSQL", COLUMNS))
    for major in filter(counted.__contains__, map(str, SUPPORTED)):
        tally = counted[major]
        missing = tally["not here"] and "not here: .ci/fetch_pg.sh says why"
        cells = [f"{tally[f'{name}, well']} of {tally[name]}" for name in COLUMNS]
        terminalreporter.write_line(_row(major, (str(missing),) if missing else cells))


def _row(first: str, cells: tuple[str, ...] | list[str]) -> str:
    return f"{first:<12}" + "".join(f"{cell:>16}" for cell in cells)


def _counted(reporter: pytest.TerminalReporter) -> dict[str, Tally]:
    """All that tests counted, by major; the report of a test's end carries its whole tally."""
    sums = dict[str, Tally]()
    reports = [value for stat in reporter.stats.values() for value in stat]
    for report in reports:
        if not isinstance(report, pytest.TestReport) or report.when != "teardown":
            continue
        for name, value in report.user_properties:
            kind, _, rest = name.partition("|")
            major, _, counted = rest.partition("|")
            if kind == PROPERTY and isinstance(value, int):
                sums.setdefault(major, Tally())[counted] += value
    return sums
