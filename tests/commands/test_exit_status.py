"""Whatever ends a command ends in a message and a status."""

from pathlib import Path

import pytest

from tunewiz.console import output
from tunewiz.console.exit_status import (
    FAULT,
    INTERRUPTED,
    NOT_WRITTEN,
    PIPE_CLOSED,
    UNUSABLE,
    OutputError,
    ReportErrors,
)
from tunewiz.core.values.errors import InputError


def ended_by(error: BaseException) -> int:
    with ReportErrors() as errors:
        raise error
    return errors.status


def test_a_command_that_ends_well_has_nothing_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    with ReportErrors() as errors:
        output.write("results\n")
    assert errors.status == 0
    assert capsys.readouterr() == ("results\n", "")


def test_unusable_input_is_told_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended_by(InputError("a.toml: broken", "Mend it.")) == UNUSABLE
    assert capsys.readouterr() == ("", "tunewiz: a.toml: broken\nMend it.\n")


@pytest.mark.parametrize("text", ["\x1b]0;root\x07", "\x1b[2J", "a\rb", "\x9b31m", "\u202eevil"])
def test_no_terminal_obeys_what_a_server_or_a_file_says(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert ended_by(InputError(f"Zürich: {text}", "Mend it.")) == UNUSABLE
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("tunewiz: Zürich: ")
    assert first.isprintable()
    assert second == "Mend it."


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), INTERRUPTED), (BrokenPipeError(), PIPE_CLOSED)]
)
def test_who_interrupts_or_hangs_up_is_told_nothing(
    capsys: pytest.CaptureFixture[str], error: BaseException, status: int
) -> None:
    assert ended_by(error) == status
    assert capsys.readouterr() == ("", "")


def test_output_that_is_not_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended_by(OutputError("No space left on device")) == NOT_WRITTEN
    assert capsys.readouterr().err == "tunewiz: standard output: No space left on device\n"


def test_a_fault_of_the_program_leaves_one_line_and_a_private_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert ended_by(ZeroDivisionError("by zero")) == FAULT
    said = capsys.readouterr().err
    assert said.startswith("tunewiz: this is a bug in tunewiz ")
    assert said.count("\n") == 1
    report = Path(said.rsplit(" ", 1)[1].strip())
    assert report.stat().st_mode & 0o777 == 0o600
    assert "ZeroDivisionError: by zero" in report.read_text()


def test_the_end_that_argparse_asks_for_is_left_alone() -> None:
    with pytest.raises(SystemExit) as raises:
        ended_by(SystemExit(2))
    assert raises.value.code == 2
