"""Every shell that a bundle's scripts have to run in, as a system may have it for its sh."""

import shutil
from pathlib import Path

import pytest

from tools_here import needs

_ALL = (
    ("dash",),
    ("bash",),
    ("busybox", "sh"),
    ("ksh93",),
    ("mksh",),
    ("yash",),
    ("posh",),
    ("zsh", "--emulate", "sh"),
)

_AT_ONCE = ("dash", "busybox")
"""The sh of Debian and of small systems; the others are left to the slow tests."""


EVERY_SHELL = [
    pytest.param(
        shell,
        id=" ".join(shell),
        marks=[needs(shell[0]), *(() if shell[0] in _AT_ONCE else (pytest.mark.slow,))],
    )
    for shell in _ALL
]


def as_sh(shell: tuple[str, ...], directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a shell before the machine's own sh."""
    program = shutil.which(shell[0])
    assert program
    directory.mkdir()
    (directory / "sh").write_text(f'#!/bin/dash\nexec {program} {" ".join(shell[1:])} "$@"\n')
    (directory / "sh").chmod(0o755)
    monkeypatch.setenv("PATH", str(directory), prepend=":")
