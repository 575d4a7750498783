"""A path is completed as far as only one can be meant."""

from pathlib import Path

import pytest

from tunewiz.console.paths import completed_path


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory that is worked in, and the user's own."""
    for name in ("facts-db1.json", "facts-db2.json", "bundle"):
        (tmp_path / name).touch()
    (tmp_path / "machines").mkdir()
    (tmp_path / "machines" / "only.json").touch()
    (tmp_path / ".hidden").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("f", "facts-db"),
        ("facts-db1", "facts-db1.json"),
        ("m", "machines/"),
        ("machines/", "machines/only.json"),
        ("./machines/o", "./machines/only.json"),
        ("~/b", "~/bundle"),
        (".h", ".hidden"),
    ],
)
def test_what_only_one_path_can_mean_is_completed(typed: str, completed: str) -> None:
    assert completed_path(typed) == completed


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "typed",
    ["", "x", "facts-db", "facts-db1.json", "nowhere/f", "bundle/f", "a\0b", "machines/only.json"],
)
def test_what_no_path_or_several_can_mean_is_left_alone(typed: str) -> None:
    assert completed_path(typed) == typed


def test_an_absolute_path_is_completed(home: Path) -> None:
    assert completed_path(f"{home}/machines/") == f"{home}/machines/only.json"


def test_a_directory_that_cannot_be_read_completes_nothing() -> None:
    assert completed_path("/proc/1/no/such/") == "/proc/1/no/such/"
