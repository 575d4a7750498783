"""Scripts that were made for a run stay with it, for an interrupted run to continue with the same ones."""

import stat
from pathlib import Path

import pytest

from tunewiz.bench.errors import RefusedError
from tunewiz.bench.kept import keep_scripts, kept_scripts
from tunewiz.bench.restoring import forget
from tunewiz.bench.run import RunDirectory
from tunewiz.bundle.manifest import digest_of
from tunewiz.core.proof.proof import ProofScript

CONTENTS = {"script-1.sql": b"SELECT 'secret';\n", "script-2.sql": "SELECT 'größer';\n".encode()}
SCRIPTS = tuple(
    ProofScript(name=name, weight=1, writes=False, digest=digest_of(content))
    for name, content in CONTENTS.items()
)


@pytest.fixture
def place(tmp_path: Path) -> RunDirectory:
    run_directory = RunDirectory(tmp_path / "prove")
    run_directory.directory.mkdir()
    keep_scripts(run_directory, CONTENTS)
    return run_directory


def test_they_come_back_as_they_were_and_nobody_else_reads_them(place: RunDirectory) -> None:
    assert kept_scripts(place, SCRIPTS) == CONTENTS
    for path in (place.scripts, *place.scripts.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_others_are_refused(place: RunDirectory) -> None:
    file = place.scripts / "script-1.sql"
    file.write_bytes(b"SELECT 2;")
    with pytest.raises(RefusedError, match="were changed"):
        kept_scripts(place, SCRIPTS)
    file.unlink()
    file.symlink_to(place.scripts / "script-2.sql")
    with pytest.raises(RefusedError, match="cannot be read"):
        kept_scripts(place, SCRIPTS)


def test_they_go_with_the_run(place: RunDirectory) -> None:
    forget(place)
    assert not place.directory.exists()
