"""One run begins at a time, in a directory that is ours alone."""

import os
import stat
import threading
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from tunewiz.bench import locks
from tunewiz.bench.errors import RefusedError
from tunewiz.bench.locks import beginning
from tunewiz.bench.run import RunDirectory


@pytest.fixture
def place(tmp_path: Path) -> RunDirectory:
    return RunDirectory(tmp_path / "state" / "prove")


def begin(place: RunDirectory) -> None:
    with beginning(place):
        pass


def test_another_waits_until_one_has_begun(place: RunDirectory) -> None:
    begun = threading.Event()

    def other() -> None:
        with beginning(place):
            begun.set()

    thread = threading.Thread(target=other)
    with beginning(place):
        thread.start()
        assert not begun.wait(0.3)
    assert begun.wait(10)
    thread.join()
    assert list(place.directory.parent.iterdir()) == []


def test_who_waits_for_too_long_is_refused(place: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "SECONDS_TO_LOCK", 0)
    with beginning(place), pytest.raises(RefusedError, match="another run begins"):
        begin(place)


def test_the_directory_of_the_records_is_closed_to_others(place: RunDirectory) -> None:
    records = place.directory.parent
    records.mkdir()
    records.chmod(0o777)
    begin(place)
    assert stat.S_IMODE(records.stat().st_mode) == 0o700


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_records_of_someone_else_are_not_believed(place: RunDirectory) -> None:
    for directory, why in ((place.directory, "somebody else's"), (place.directory.parent, "someone else")):
        directory.mkdir(parents=True, exist_ok=True)
        os.chown(directory, 65_534, 65_534)
        with pytest.raises(RefusedError, match=why):
            begin(place)


def test_a_link_in_the_place_of_a_run_is_not_followed(place: RunDirectory, tmp_path: Path) -> None:
    place.directory.parent.mkdir()
    place.directory.symlink_to(tmp_path)
    with pytest.raises(RefusedError, match="somebody else's"):
        begin(place)
