"""The folder of a run: the server's owner reads scripts and writes logs there, nobody else anything."""

import os
import pwd
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixtures_attacks import ONLY_ROOT_HAS_RIGHTS_TO_LOSE
from fixtures_postgres import unprivileged_user
from tunewiz.bench.beginning import ROOTS_TEMPORARY, work_folder
from tunewiz.bench.owner import Ended, run_as

SCRIPT = "SELECT 'a secret of the administrator';\n"
MakeFolder = Callable[[], Path]


@pytest.fixture
def make() -> Iterator[MakeFolder]:
    made = list[Path]()

    def folder() -> Path:
        made.append(work_folder(unprivileged_user(), {"script-1.sql": SCRIPT.encode()}))
        return made[-1]

    yield folder
    for path in made:
        shutil.rmtree(path)


def said_by(user: str, *command: str | Path) -> Ended:
    return run_as(user, [str(entry) for entry in command], directory=Path("/"))


def test_the_owner_reads_the_scripts_and_writes_its_logs(make: MakeFolder) -> None:
    work = make()
    assert said_by(unprivileged_user(), "cat", work / "script-1.sql").out == SCRIPT
    assert said_by(unprivileged_user(), "touch", work / "logs" / "pgbench_log.1").status == 0


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_nobody_else_sees_the_scripts_and_the_owner_changes_none(make: MakeFolder) -> None:
    work = make()
    assert said_by("nobody", "cat", work / "script-1.sql").status != 0
    assert said_by("nobody", "ls", work).status != 0
    for command in (("rm", "-f"), ("touch",)):
        assert said_by(unprivileged_user(), *command, work / "script-1.sql").status != 0
    assert said_by(unprivileged_user(), "rmdir", work / "logs").status != 0


@ONLY_ROOT_HAS_RIGHTS_TO_LOSE
def test_root_makes_it_where_nobody_could_put_another_in_its_place(
    make: MakeFolder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    os.chown(tmp_path, pwd.getpwnam(unprivileged_user()).pw_uid, -1)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    above = make().parent
    assert above == Path(ROOTS_TEMPORARY)
    assert above.stat().st_uid == 0
    assert not above.stat().st_mode & stat.S_IWOTH or above.stat().st_mode & stat.S_ISVTX
