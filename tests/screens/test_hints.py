"""What a page advises stands in one line of 80 cells, whole."""

import ast
from collections.abc import Iterator
from pathlib import Path

import tunewiz.screens

ROOM = 79
"""Cells of the message line after its blank."""


def hints() -> Iterator[tuple[str, str]]:
    """Each sentence that a page returns as its hint, with the page's file."""
    for file in Path(tunewiz.screens.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name == "hint":
                yield from ((file.stem, text) for text in _returned(node))


def _returned(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def test_every_hint_fits() -> None:
    written = [*hints()]
    assert len(written) > 8
    assert [(page, text) for page, text in written if len(text) > ROOM] == []
