"""A probe reads only regular table files of the owner's, whatever lies in the data directory."""

import os
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tunewiz.collect.probe.reads import PAGE, NoReadsError, opened_source
from tunewiz.collect.probe.table_files import TableFile, data_directory, largest_files, opened_file

MEBIBYTE = 1 << 20


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one table of a mebibyte."""
    table(tmp_path / "data", "16384", MEBIBYTE)
    return tmp_path / "data"


def table(data: Path, name: str, size: int) -> Path:
    (data / "base/5").mkdir(parents=True, exist_ok=True)
    file = data / "base/5" / name
    file.write_bytes(os.urandom(PAGE) * (size // PAGE))
    os.sync()
    return file


def names_of(data: Path, least: int = PAGE) -> list[str]:
    with data_directory(str(data), os.geteuid()) as directory:
        return [largest_file.name for largest_file in largest_files(directory, least)]


def test_tables_are_found_the_largest_first(data: Path) -> None:
    table(data, "16385", 3 * MEBIBYTE)
    table(data, "16385.1", 2 * MEBIBYTE)
    assert names_of(data) == ["16385", "16385.1", "16384"]
    assert names_of(data, least=2 * MEBIBYTE) == ["16385", "16385.1"]


def test_nothing_but_tables_is_found(data: Path, tmp_path: Path) -> None:
    here = data / "base/5"
    table(data, "16386_fsm", MEBIBYTE)
    table(data, "pg_filenode.map", MEBIBYTE)
    outside = tmp_path / "outside"
    outside.write_bytes(b"x" * MEBIBYTE)
    (here / "20001").symlink_to(outside)
    os.mkfifo(here / "20002")
    (here / "20003").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(here / "20004"))
    with (here / "20005").open("wb") as hole:
        hole.truncate(MEBIBYTE)
    (data / "base/6").symlink_to(tmp_path)
    (data / "pg_tblspc").mkdir()
    (data / "pg_tblspc/7").symlink_to(tmp_path)
    assert names_of(data) == ["16384"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices and gives files away")
def test_devices_and_files_of_others_are_left_alone(data: Path) -> None:
    os.mknod(data / "base/5/20006", 0o020666, os.makedev(1, 5))
    os.chown(table(data, "20007", MEBIBYTE), 65534, 65534)
    assert names_of(data) == ["16384"]


def test_a_file_that_was_exchanged_after_it_was_listed_is_not_read(data: Path, tmp_path: Path) -> None:
    listed = TableFile(size=MEBIBYTE, database="5", name="16384")
    outside = tmp_path / "outside"
    outside.write_bytes(b"secret")
    (data / "base/5/16384").unlink()
    (data / "base/5/16384").symlink_to(outside)
    with data_directory(str(data), os.geteuid()) as directory:
        with pytest.raises(OSError, match="symbolic links"), opened_file(directory, listed, 0):
            pytest.fail("the link was followed")
        (data / "base/5/16384").unlink()
        os.mkfifo(data / "base/5/16384")
        with pytest.raises(PermissionError, match="no table file"), opened_file(directory, listed, 0):
            pytest.fail("the pipe was opened")
        with ExitStack() as stack, pytest.raises(NoReadsError):
            opened_source(stack, directory, [listed])


def test_a_data_directory_that_is_a_link_or_anothers_is_refused(data: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(data)
    with (
        pytest.raises(OSError, match="Not a directory"),
        data_directory(str(tmp_path / "link"), os.geteuid()),
    ):
        pytest.fail("the link was followed")
    with pytest.raises(PermissionError), data_directory(str(data), os.geteuid() + 1):
        pytest.fail("it was taken")
