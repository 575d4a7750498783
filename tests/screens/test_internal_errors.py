"""A fault of our own: one line, a private report without the values of variables, a true exit status."""

from pathlib import Path
from typing import NoReturn

import pytest
from textual.worker import WorkerFailed

from rehearsal import Stage, at, until
from tunewiz.console.crash_report import report_of, state_directory, write_report
from tunewiz.core.answers.machine_choice import ThisHost
from tunewiz.core.answers.steps import Step
from tunewiz.tui.app import Wizard

SECRET = "hunter2"  # noqa: S105 - for the test alone


def fault() -> ValueError:
    """What is caught on its way through a function with something to hide."""
    try:
        hiding(SECRET)
    except ValueError as error:
        return error
    raise AssertionError


def hiding(something: str) -> None:
    assert something
    raise ValueError("of our own")


async def test_a_fault_is_reported_and_the_exit_status_says_so() -> None:
    stage = Stage()
    wizard = stage.wizard()
    error = fault()
    with pytest.raises(ValueError, match="of our own"):
        await broken_run(wizard, error)
    assert stage.faults == [error]
    assert wizard.return_code == 1


async def broken_run(wizard: Wizard, error: ValueError) -> None:
    async with wizard.run_test(size=(80, 24)) as pilot:
        await at(pilot, Step.MACHINE)
        wizard.call_later(raising, error)
        await pilot.pause()


async def test_a_fault_in_a_thread_is_reported_as_what_it_is() -> None:
    error = fault()
    stage = Stage(machine=ThisHost(), host=lambda _progress: raising(error))
    wizard = stage.wizard()
    with pytest.raises(WorkerFailed):
        await reading_run(wizard)
    assert stage.faults == [error]


async def reading_run(wizard: Wizard) -> None:
    async with wizard.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: wizard.return_code is not None)


def raising(error: ValueError) -> NoReturn:
    raise error


def test_a_report_tells_the_way_but_no_variable() -> None:
    report = report_of(fault())
    assert "ValueError: of our own" in report
    assert SECRET not in report


def test_a_report_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    text = write_report(fault(), tmp_path / "state")
    (written,) = (tmp_path / "state").iterdir()
    assert text == f"report: {written}"
    assert written.stat().st_mode & 0o777 == 0o600


def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert write_report(fault(), tmp_path / "file" / "state").startswith("no report could be written")


def test_state_is_kept_where_the_desktop_rules_say() -> None:
    assert state_directory({"XDG_STATE_HOME": "/var/state", "HOME": "/root"}) == Path("/var/state/tunewiz")
    assert state_directory({"XDG_STATE_HOME": "relative", "HOME": "/root"}) == Path(
        "/root/.local/state/tunewiz"
    )
