"""Names say what a thing is: no filler stands for a variable, and one class has one name."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(file for top in ("tunewiz", "screens") for file in (ROOT / top).rglob("*.py"))
FILLERS = {"asked", "each", "found", "seen", "told"}
"""Words that say nothing of the thing."""


def variables(tree: ast.Module) -> Iterator[str]:
    """The names of variables and parameters; now is a moment, never what is known of a machine."""
    fields = [field for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for field in node.body]
    of_fields = {id(field.target) for field in fields if isinstance(field, ast.AnnAssign)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in of_fields:
                yield name
            case ast.arg(arg=name, annotation=annotation):
                yield name
                if name == "now" and annotation is not None and "Situation" in ast.unparse(annotation):
                    yield "now: Situation"
            case _:
                pass


def classes(tree: ast.Module) -> Iterator[str]:
    """The module's classes, without those inside another: a widget's messages are told apart by it."""
    yield from (node.name for node in tree.body if isinstance(node, ast.ClassDef))


@cache
def parsed(file: Path) -> ast.Module:
    """Once for all that is asked of it."""
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def names_of(file: Path) -> frozenset[str]:
    return frozenset(variables(parsed(file)))


def test_no_variable_is_named_by_a_filler() -> None:
    having = {str(file.relative_to(ROOT)): names_of(file) & FILLERS for file in FILES}
    assert {file: names for file, names in having.items() if names} == {}


def test_a_situation_is_never_called_now() -> None:
    assert [file for file in FILES if "now: Situation" in names_of(file)] == []


def test_no_two_classes_share_a_name() -> None:
    counts = Counter(name for file in FILES for name in classes(parsed(file)))
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    "source", ["for each in x: pass", "def f(told): ...", "[found for found in x]", "lambda seen: 1"]
)
def test_a_filler_is_noticed(source: str) -> None:
    assert set(variables(ast.parse(source))) & FILLERS


def test_a_moment_may_be_called_now() -> None:
    moment = set(variables(ast.parse("def f(now: datetime) -> None: ...")))
    assert moment == {"now"}
    assert "now: Situation" in set(variables(ast.parse("def f(now: Situation) -> None: ...")))
