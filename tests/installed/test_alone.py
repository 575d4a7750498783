"""The program that is walked through is the installed one: nothing of the checkout is there."""

import subprocess
from pathlib import Path

import pytest

from installed_program import CHECKOUT, VARIABLE, Program, elsewhere, named_program


def listed(*command: str) -> str:
    return subprocess.run(
        [*command, "ls", "-A", str(CHECKOUT)], capture_output=True, text=True, check=True
    ).stdout


def test_no_file_of_the_checkout_can_be_reached(program: Program) -> None:
    if not program.is_alone:
        pytest.skip("the checkout cannot be hidden here: that takes root, unshare and mount namespaces")
    assert listed(*program.elsewhere()) == ""
    assert "pyproject.toml" in listed(*elsewhere(is_alone=False))
    where = subprocess.check_output([*program.elsewhere(), "/bin/pwd", "-P"], text=True)
    assert where == "/\n"


def test_it_is_the_version_of_this_checkout(program: Program) -> None:
    from tunewiz import __version__  # noqa: PLC0415 - what the pages say is compared with, not what runs

    assert program.run("--version").out == f"tunewiz {__version__}\n"


def test_without_a_name_there_is_no_program_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    result = named_program()
    assert isinstance(result, str)
    assert VARIABLE in result


@pytest.mark.parametrize(
    "named",
    ["/nowhere/tunewiz", str(CHECKOUT / ".ci" / "run"), f"/bin/sh {CHECKOUT / 'dist' / 'tunewiz.pyz'}"],
)
def test_a_program_that_is_missing_or_would_be_hidden_is_refused(
    named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, named)
    with pytest.raises(ValueError, match=VARIABLE):
        named_program()


def test_a_program_with_arguments_is_taken_as_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "one file"
    monkeypatch.setenv(VARIABLE, f"/bin/echo '{file}'")
    result = named_program()
    assert isinstance(result, Program)
    assert result.run("--version").out == f"{file} --version\n"
