"""What every form of the installed program holds: its own wheel's files and those of its locked dependencies.

Only pure Python goes along, so one build serves every architecture: what is compiled comes from the host.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
LOCK = CHECKOUT / "requirements.lock"
FROM_THE_HOST = frozenset({"psutil", "psycopg-binary"})
"""Compiled parts: the program does without them or finds the distribution's."""
TO_BUILD = frozenset({"setuptools"})
"""Locked for building alone."""
FALLBACK = "fallback"
"""Folder behind the host's own packages: psycopg's Python part is used where the host has no psycopg."""
FALLBACK_PACKAGES = frozenset({"psycopg"})
OLDEST_PYTHON = "3.11"


@dataclass(frozen=True, kw_only=True, slots=True)
class Contents:
    """Files by their path."""

    version: str
    library: Mapping[str, bytes]
    """What is imported, relative to one folder of its own."""
    share: Mapping[str, bytes]
    """Man page and completions, relative to a `share` folder."""


def gathered() -> Contents:
    """Builds the program's wheel, fetches the others, and takes all of them apart."""
    with tempfile.TemporaryDirectory() as scratch:
        own = _own_wheel(Path(scratch) / "own")
        library, share = dict[str, bytes](), dict[str, bytes]()
        for wheel in (own, *_locked_wheels(Path(scratch))):
            for name, data in _files(wheel):
                shared = re.fullmatch(r"[^/]+\.data/data/share/(.+)", name)
                if shared:
                    share[shared[1]] = data
                elif not _is_left_out(name):
                    library[_place(wheel, name)] = data
        return Contents(version=own.name.split("-")[1], library=library, share=share)


def _own_wheel(folder: Path) -> Path:
    """By way of the sdist: what an earlier build left in the checkout cannot come along."""
    _quietly("-m", "build", "--no-isolation", "--outdir", str(folder), str(CHECKOUT))
    (wheel,) = folder.glob("*.whl")
    return wheel


def _locked_wheels(scratch: Path) -> list[Path]:
    """Wheels for any platform; pip refuses those that are compiled and those with another hash."""
    wanted, folder = scratch / "wanted.lock", scratch / "wheels"
    wanted.write_text("".join(_requirements(LOCK.read_text(encoding="utf-8"))), encoding="utf-8")
    platform = ("--platform", "any", "--implementation", "py", "--abi", "none")
    _quietly(
        *("-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-input", "--no-deps"),
        *("--require-hashes", "--only-binary", ":all:", "--python-version", OLDEST_PYTHON, *platform),
        *("-d", str(folder), "-r", str(wanted)),
    )
    return sorted(folder.iterdir())


def _requirements(lock: str) -> Iterator[str]:
    """The lock's own, without markers: they would be judged by the Python that builds."""
    for requirement in re.findall(r"^[a-z].*(?:\n .*)*\n", lock, re.MULTILINE):
        if requirement.partition("==")[0] not in FROM_THE_HOST | TO_BUILD:
            yield re.sub(r" ;[^\\\n]*", " ", requirement, count=1)


def _files(wheel: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(wheel) as opened:
        for name in sorted(opened.namelist()):
            if not name.endswith("/"):
                yield name, opened.read(name)


def _is_left_out(name: str) -> bool:
    """Commands of the dependencies, and what only an installer reads."""
    return bool(re.match(r"[^/]+\.data/", name)) or name.endswith((".dist-info/RECORD", ".pyi"))


def _place(wheel: Path, name: str) -> str:
    distribution = wheel.name.partition("-")[0].replace("_", "-").lower()
    return f"{FALLBACK}/{name}" if distribution in FALLBACK_PACKAGES else name


def _quietly(*arguments: str) -> None:
    """Its words are worth reading only when it fails."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nbuilding failed: {' '.join(arguments[:3])} exited with {done.returncode}")
