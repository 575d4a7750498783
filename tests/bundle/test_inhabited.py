"""Whether a server's process works in a data directory: only then is it waited for."""

import shutil
import subprocess
from pathlib import Path

import pytest

PARTS = Path(__file__).resolve().parents[2] / "tunewiz" / "bundle" / "scripts"
ASK = """
. "$1/base.sh"
for part in apart writer server stop; do . "$1/$part.sh"; done
ROOT='' DATA=$2 ME=$(id -u) WRITERS=$NL
find_apart
if is_inhabited; then echo yes; else echo no; fi
"""


def is_inhabited(directory: Path) -> bool:
    """As the scripts see it."""
    done = subprocess.run(
        ["sh", "-uc", ASK, "sh", PARTS, directory], capture_output=True, text=True, check=True
    )
    return {"yes": True, "no": False}[done.stdout.strip()]


CASES = {
    "a server that wrote down its number": ("postgres", "{pid}\n", True),
    "what a server left behind": ("postgres", "", True),
    "a server whose program has another name": ("edb-postgres", "{pid}\n", True),
    "someone who looks around there": ("sh", "", False),
}


@pytest.mark.parametrize("case", CASES)
def test_who_works_there_is_known_by_its_number_or_by_its_program(case: str, tmp_path: Path) -> None:
    name, number, expected = CASES[case]
    data, program = tmp_path / "data", tmp_path / name
    data.mkdir()
    shutil.copy("/bin/sleep", program)
    assert not is_inhabited(data)
    with subprocess.Popen([program, "100"], cwd=data) as process:
        (data / "postmaster.pid").write_text(number.format(pid=process.pid))
        result = is_inhabited(data)
        process.kill()
    assert result == expected
    assert not is_inhabited(data)


def test_a_program_that_was_replaced_while_it_ran_is_the_same_program(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "postgres"
    data.mkdir()
    shutil.copy("/bin/sleep", copy)
    with subprocess.Popen([copy, "100"], cwd=data) as process:
        copy.unlink()
        result = is_inhabited(data)
        process.kill()
    assert result
