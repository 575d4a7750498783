"""How many files a file system can hold: live and by the collector; absent where it makes them itself."""

import os
import subprocess
from pathlib import Path

import pytest

from collected import DASH, shells
from tools_here import need
from tunewiz.collect.collected import CollectedSystem, read_collection
from tunewiz.collect.script import collector
from tunewiz.collect.storage.file_systems import inodes_of
from tunewiz.collect.system import FileSystemSpace, LiveSystem
from tunewiz.core.values.known import Absent, Known, Unknown

HOW = "statvfs /"


def test_the_kernel_counts_them_live() -> None:
    counted = LiveSystem().space("/").inodes
    assert counted is not None
    assert counted[0] == os.statvfs("/").f_files


@pytest.mark.parametrize(
    ("counted", "fact"),
    [
        ((65_536, 12), Known(12, HOW)),
        ((0, 0), Absent(f"{HOW}: it has no fixed number of inodes")),
        (None, Unknown(f"{HOW}: inodes were not counted")),
    ],
)
def test_none_and_not_counted_are_told_apart(counted: tuple[int, int] | None, fact: object) -> None:
    space = Known(FileSystemSpace(total=1, free=1, inodes=counted), HOW)
    assert inodes_of(space, "free") == fact


def collected_space(shell: tuple[str, ...], folder: Path, script: str = collector()) -> CollectedSystem:
    """What the collector's own function tells of a directory of this host."""
    need(shell[0])
    functions, _, _main = script.rstrip().rpartition("\n")
    asked = f"{functions}\nsay 'tunewiz-collection 1'\nspace '{folder}'\nsay end\n"
    lines = subprocess.run(
        [*shell, "-s"],
        input=asked.encode(),
        capture_output=True,
        check=True,
    ).stdout
    return read_collection(lines + b"%d\n" % lines.count(b"\n"), "collection")


@pytest.mark.parametrize("shell", shells())
def test_the_collector_counts_the_same(shell: tuple[str, ...], tmp_path: Path) -> None:
    counted = collected_space(shell, tmp_path).space(str(tmp_path)).inodes
    assert counted is not None
    assert counted[0] == os.statvfs(tmp_path).f_files


@pytest.mark.parametrize("said", ["", "Filesystem Inodes IUsed IFree\\n/dev/x - - - - /", "x 1 y z"])
def test_a_df_that_does_not_count_them_leaves_them_unknown(said: str, tmp_path: Path) -> None:
    fake = f"#!/bin/sh\ncase $1 in -Pk) echo '/dev/x 100 60 40 60% /';; *) printf '{said}\\n';; esac\n"
    (tmp_path / "df").write_text(fake)
    (tmp_path / "df").chmod(0o755)
    functions = collector().replace("PATH=/usr/sbin", f"PATH={tmp_path}:/usr/sbin", 1)
    assert functions != collector()
    space = collected_space(DASH, tmp_path, functions).space(str(tmp_path))
    assert space == FileSystemSpace(total=102_400, free=40_960, inodes=None)
