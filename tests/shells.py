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

EVERY_SHELL = [
    pytest.param(
        shell,
        id=" ".join(shell),
        marks=pytest.mark.skipif(shutil.which(shell[0]) is None, reason=f"{shell[0]} is not installed here"),
    )
    for shell in _ALL
]
