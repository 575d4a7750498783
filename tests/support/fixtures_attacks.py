"""A hostile owner of the server: a program of its own that races what root does in its directories."""

import os
import pwd
import shutil
import stat
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from fixtures_postgres import directory_of, unprivileged_user
from pretend_root import Entry, entry

SOURCE = Path(__file__).resolve().parents[1] / "attacks" / "attacker.c"
ONLY_ROOT_HAS_RIGHTS_TO_LOSE = pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to lose")

Attack = Callable[..., AbstractContextManager[None]]
"""Has the attacker work at something, by the words of attacker.c, until the block ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Treasure:
    """A file of root's that the server's owner must neither read nor get, where it may not even enter."""

    file: Path
    was: Entry

    def is_untouched(self) -> bool:
        """To the byte, with its owner and mode, and alone in its directory."""
        return entry(self.file) == self.was and list(self.file.parent.iterdir()) == [self.file]


@pytest.fixture
def treasure(tmp_path: Path) -> Treasure:
    """A setting that a server takes from anyone, so that the file could pass for a drop-in."""
    directory = tmp_path / "treasure"
    directory.mkdir(mode=0o700)
    file = directory / "secret"
    file.write_text("treasure.word = 'for root alone'\n")
    file.chmod(stat.S_IRUSR | stat.S_IWUSR)
    return Treasure(file=file, was=entry(file))


@pytest.fixture(scope="session")
def attacker_program() -> Iterator[Path]:
    """Compiled once a worker; without a compiler a test is skipped at a desk and fails in CI."""
    compiler = shutil.which("cc")
    if compiler is None:
        missing = "the attacker is written in C: no cc was found"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with directory_of(unprivileged_user()) as directory:
        program = directory / "attacker"
        subprocess.run((compiler, "-O2", "-Wall", "-Werror", "-o", program, SOURCE), check=True)
        yield program


@pytest.fixture
def attack(attacker_program: Path) -> Attack:
    """As the server's owner."""

    @contextmanager
    def start(*words: str | Path) -> Generator[None]:
        account = pwd.getpwnam(unprivileged_user())
        working = subprocess.Popen(
            (attacker_program, *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
        )
        try:
            yield
            assert working.poll() is None, "the attacker gave up"
        finally:
            working.kill()
            working.wait()

    return start
