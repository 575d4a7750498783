"""What initdb makes, once in a run of the tests for each server: clusters are copies of it."""

import fcntl
import hashlib
import os
import pwd
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from fixtures_postgres import Initialized, initialize, reachable_directory, unprivileged_user
from real_postgres import Programs

FOLDER = "folder_of_data_directories"
"""What a worker is given its name by."""
_folder = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """One folder a run, whichever process makes something in it first."""
    given = getattr(config, "workerinput", {}).get(FOLDER)
    folder = given or tempfile.mkdtemp(prefix="tunewiz-pg-run-", dir=reachable_directory())
    config.stash[_folder] = Path(folder)
    config.stash[_folder].chmod(0o755)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:  # noqa: ANN401 - a worker of xdist's, which has no public type
    """Called where there are workers, for each of them."""
    node.workerinput[FOLDER] = str(node.config.stash[_folder])


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        shutil.rmtree(config.stash[_folder])


@pytest.fixture(scope="session")
def initialized(pytestconfig: pytest.Config) -> Initialized:
    """By the first of the workers that asks for a server's; the others wait for it."""

    def find(programs: Programs) -> Path:
        return made_once(programs, pytestconfig.stash[_folder])

    return find


def made_once(programs: Programs, folder: Path) -> Path:
    """Servers of one version may be built differently: their bytes tell one from the other."""
    digest = hashlib.sha256((programs.bin_directory / "postgres").read_bytes()).hexdigest()
    directory = folder / f"{programs.version}-{digest[:16]}"
    with (folder / f"{directory.name}.turn").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not (directory / "data").exists():
            _make(programs, directory)
    return directory / "data"


def _make(programs: Programs, directory: Path) -> None:
    """Under another name at first: what was not finished is never copied."""
    user = unprivileged_user()
    account = pwd.getpwnam(user)
    directory.mkdir(exist_ok=True)
    os.chown(directory, account.pw_uid, account.pw_gid)
    unfinished = directory / f"by-{os.getpid()}"
    initialize(programs, user, unfinished)
    for counted in (unfinished / "pg_stat").glob("*.stat"):
        counted.unlink()  # a copy counts from its own first start, not from this one's making
    unfinished.rename(directory / "data")
