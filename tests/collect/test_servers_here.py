"""The first page's look at this host asks no server, and says the size only where it was counted."""

from pathlib import Path

import pytest

from tunewiz.collect.postgres.here import databases_size
from tunewiz.collect.system import LiveSystem
from tunewiz.core.values.units import Bytes


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Two databases, and a tablespace that another major uses too."""
    (tmp_path / "data" / "pg_tblspc").mkdir(parents=True)
    (tmp_path / "data" / "PG_VERSION").write_text("15\n")
    files = {
        "data/base/1/112": 300,
        "data/base/5/112": 400,
        "space/PG_15_2/5/9": 50,
        "space/PG_16_3/5/9": 9000,
    }
    for name, size in files.items():
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_bytes(b"x" * size)
    (tmp_path / "data" / "pg_tblspc" / "16400").symlink_to(tmp_path / "space")
    return tmp_path / "data"


def test_the_size_is_that_of_all_files_of_the_databases(directory: Path) -> None:
    assert databases_size(LiveSystem(), str(directory)) == Bytes(750)


def test_too_many_files_have_no_size(directory: Path) -> None:
    assert databases_size(LiveSystem(), str(directory), most=2) is None
    assert databases_size(LiveSystem(), str(directory), most=3) == Bytes(750)


def test_a_directory_that_cannot_be_read_has_no_size(tmp_path: Path) -> None:
    assert databases_size(LiveSystem(), str(tmp_path / "nowhere")) is None
