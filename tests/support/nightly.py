"""A pytest plugin for a run that may be stopped: it goes on with the tests that have not passed yet.

Which have is noted while they do, and forgotten when all of them have: `make nightly`.
"""

from pathlib import Path

import pytest

NOTED = Path(".nightly/passed")


def passed_before(noted: Path = NOTED) -> set[str]:
    """The tests that need not run again; of a line that a stopped run did not finish, nothing."""
    if not noted.exists():
        return set()
    return {*noted.read_text(encoding="utf-8").split("\n")[:-1]}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what has passed."""
    passed = passed_before()
    left_out = [item for item in items if item.nodeid in passed]
    items[:] = [item for item in items if item.nodeid not in passed]
    config.hook.pytest_deselected(items=left_out)


class Notes:
    """Kept by the process that hears of every test."""

    def __init__(self) -> None:
        """Goes on where an earlier run was stopped."""
        passed = passed_before()
        NOTED.parent.mkdir(exist_ok=True)
        NOTED.write_text("".join(f"{nodeid}\n" for nodeid in sorted(passed)), encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that ran and passed."""
        if report.when == "call" and report.passed:
            with NOTED.open("a", encoding="utf-8") as noted:
                noted.write(f"{report.nodeid}\n")

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """The next run is a new one where nothing is left to do."""
        if exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
            NOTED.unlink()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Notes())
