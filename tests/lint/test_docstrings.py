"""The examples in docstrings say what the code does."""

import doctest
import importlib
from pathlib import Path

import pytest

import tunewiz

PACKAGE = Path(tunewiz.__file__).parent
MODULES = [
    ".".join(("tunewiz", *file.relative_to(PACKAGE).with_suffix("").parts))
    for file in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in file.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_an_example_says_what_the_code_does(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0
