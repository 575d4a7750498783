"""Deletes each line of the scripts in turn: a line that no test misses is not needed, or not tested.

    .venv/bin/python benchmarks/mutation.py apply.sh rollback.sh

Without names: every script of a bundle, which takes hours. Works on a copy of the checkout. A line is told
whose deletion made no test fail, and the score at the end. Exit status 1 where a line was not missed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPTS = Path("tunewiz/bundle")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis", "build", "dist")

# Most mutants fall to the first: the others are asked only of those that live on. Left out is what compares
# bytes of bundles, for it misses every line.
ROUNDS = (
    ("tests/bundle/test_pretend_root.py", "-m", "not slow", "-k", "not busybox and not mksh and not yash"),
    ("tests/bundle", "-m", "not slow", "--ignore=tests/bundle/test_review.py"),
    (
        "tests/postgres/test_bundle_real_server.py",
        "tests/postgres/test_bundle_whole_machine.py",
        "-m",
        "not slow",
    ),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """A script without one of its lines."""

    script: str
    number: int
    line: str

    def __str__(self) -> str:
        return f"{self.script}:{self.number}: {self.line.strip()}"


def mutants(script: str) -> Iterator[Mutant]:
    """Of every line but comments and empty ones."""
    for number, line in enumerate((CHECKOUT / SCRIPTS / script).read_text().splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield Mutant(script=script, number=number, line=line)


def is_missed(mutant: Mutant, copy: Path) -> bool:
    """Whether something notices that the line is gone: the shell, or a test."""
    file = copy / SCRIPTS / mutant.script
    whole = file.read_text()
    lines = whole.splitlines(keepends=True)
    file.write_text("".join(lines[: mutant.number - 1] + lines[mutant.number :]))
    try:
        return not is_syntax(file) or any(fails(tests, copy) for tests in ROUNDS)
    finally:
        file.write_text(whole)


def is_syntax(file: Path) -> bool:
    """Whether a shell can read it."""
    return subprocess.run(("sh", "-n", file), capture_output=True, check=False).returncode == 0


def fails(tests: tuple[str, ...], copy: Path) -> bool:
    """Whether one of the tests does."""
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        *tests,
    )
    return (
        subprocess.run(command, cwd=copy, capture_output=True, check=False, env=environment()).returncode != 0
    )


def environment() -> dict[str, str]:
    """With the server that the tests use."""
    server = subprocess.run(
        (CHECKOUT / ".ci" / "postgres.sh", "--find"), capture_output=True, text=True, check=True
    )
    return {**os.environ, "TUNEWIZ_PG_BIN": server.stdout.strip()}


def main() -> int:
    """Tells each line that is not missed, then the score."""
    scripts = sys.argv[1:] or sorted(each.name for each in (CHECKOUT / SCRIPTS).glob("*.sh"))
    tried, missed = 0, 0
    with tempfile.TemporaryDirectory(prefix="tunewiz-mutants-") as directory:
        copy = Path(directory) / "checkout"
        shutil.copytree(CHECKOUT, copy, ignore=LEFT_OUT)
        if any(fails(tests, copy) for tests in ROUNDS):
            sys.exit("The tests fail without a deletion: nothing can be learned.")
        for mutant in (each for script in scripts for each in mutants(script)):
            tried += 1
            if is_missed(mutant, copy):
                missed += 1
            else:
                print(f"not missed  {mutant}", flush=True)
    print(
        f"{missed} of {tried} lines are missed when they are deleted ({100 * missed / max(tried, 1):.1f} %)"
    )
    return 0 if missed == tried else 1


if __name__ == "__main__":
    sys.exit(main())
