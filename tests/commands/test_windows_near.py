"""Facts with watched windows are found in a bundle and in the working directory, among whatever is there."""

import os
from pathlib import Path

import pytest

from tunewiz.commands.windows_near import MOST_FILES, windows_near
from tunewiz.formats.records import facts_to_json
from watched_windows import TUESDAY, WEEK, watched


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a bundle, of which only the facts are there."""
    (tmp_path / "bundle").mkdir()
    (tmp_path / "bundle/facts.json").write_text(facts_to_json(watched("").facts))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files() -> list[str]:
    return [window.file for window in windows_near("bundle").windows]


def test_both_places_are_looked_at(here: Path) -> None:
    (here / "after.json").write_text(facts_to_json(watched("", TUESDAY + WEEK).facts))
    assert files() == ["bundle/facts.json", "after.json"]
    assert windows_near("bundle").after == "after.json"


def test_whatever_else_lies_there_is_left_alone(here: Path) -> None:
    (here / "a.json").write_text("{}")
    (here / "b.json").write_bytes(b"\xff")
    (here / "c.json").write_text(facts_to_json(watched("").facts).replace("2026-11-03T14", "yesterday"))
    (here / "d.json").mkdir()
    (here / "e.json").symlink_to("nowhere")
    os.mkfifo(here / "f.json")
    (here / "g.toml").write_text(facts_to_json(watched("").facts))
    assert files() == ["bundle/facts.json"]


def test_from_within_the_bundle_its_facts_are_found_once(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(here / "bundle")
    assert [window.file for window in windows_near(str(here / "bundle")).windows] == [
        str(here / "bundle/facts.json")
    ]


def test_of_many_files_the_newest_are_looked_at(here: Path) -> None:
    old = here / "old.json"
    old.write_text(facts_to_json(watched("", TUESDAY + WEEK).facts))
    os.utime(old, (1, 1))
    for number in range(MOST_FILES):
        (here / f"{number}.json").write_text("{}")
    assert files() == ["bundle/facts.json"]


def test_a_place_that_is_no_bundle_has_no_windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert windows_near("small-vm").windows == ()
