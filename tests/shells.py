"""Every shell that a bundle's scripts have to run in, as a system may have it for its sh."""

import shutil

import pytest

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


def _is_here(shell: tuple[str, ...]) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell[0]) is None, reason=f"{shell[0]} is not installed here")


EVERY_SHELL = [
    pytest.param(
        shell,
        id=" ".join(shell),
        marks=[_is_here(shell), *(() if shell[0] in _AT_ONCE else (pytest.mark.slow,))],
    )
    for shell in _ALL
]
