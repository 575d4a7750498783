"""Names say what a thing is: no filler stands for one, and one class has one name."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(file for top in ("tunewiz", "screens", "benchmarks") for file in (ROOT / top).rglob("*.py"))
FILLERS = frozenset({"asked", "each", "found", "now", "seen", "told"})
"""Words that say nothing of the thing."""
RECORDED = {
    "tunewiz/bench/blocks.py": {"now"},
    "tunewiz/bench/preparing.py": {"now"},
    "tunewiz/bench/seen.py": {"now"},
    "tunewiz/core/answers/bounds.py": {"found"},
    "tunewiz/core/comparison/peer_differences.py": {"asked"},
    "tunewiz/core/comparison/planned.py": {"now"},
    "tunewiz/core/fleet/groups.py": {"found"},
    "tunewiz/core/fleet/hosts.py": {"now"},
    "tunewiz/core/planning/weighing.py": {"seen"},
    "tunewiz/core/words/finding.py": {"now"},
    "tunewiz/formats/mismatch.py": {"found"},
    "tunewiz/text/findings.py": {"now"},
}
"""Left as they are: long tests are recorded on these files, on what uses them, or on tests that do."""


def names(tree: ast.Module) -> Iterator[str]:
    """What is named: variables, parameters, fields, attributes, functions, classes, captures, imports."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
                | ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
                | ast.MatchMapping(rest=str(name))
                | ast.alias(asname=str(name))
            ):
                yield name
            case _:
                pass


def classes(tree: ast.Module) -> Iterator[str]:
    """The module's classes, without those inside another: a widget's messages are told apart by it."""
    yield from (node.name for node in tree.body if isinstance(node, ast.ClassDef))


@cache
def parsed(file: Path) -> ast.Module:
    """Once for all that is looked for in it."""
    return ast.parse(file.read_text(encoding="utf-8"))


def fillers(source: str) -> frozenset[str]:
    return FILLERS.intersection(names(ast.parse(source)))


def test_nothing_is_named_by_a_filler() -> None:
    having = {str(file.relative_to(ROOT)): FILLERS.intersection(names(parsed(file))) for file in FILES}
    assert {file: words for file, words in having.items() if words} == RECORDED


def test_no_two_classes_share_a_name() -> None:
    program = (file for file in FILES if not file.is_relative_to(ROOT / "benchmarks"))
    counts = Counter(name for file in program for name in classes(parsed(file)))
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    "source",
    [
        "NAME = 1",
        "NAME: int = 1",
        "other, NAME = 1, 2",
        "if (NAME := 1): pass",
        "for NAME in x: pass",
        "with x as NAME: pass",
        "[NAME for NAME in x]",
        "self.NAME = 1",
        "lambda NAME: 1",
        "def f(NAME): ...",
        "def f(*, NAME=1): ...",
        "def f(*NAME): ...",
        "def f(**NAME): ...",
        "def NAME(): ...",
        "async def NAME(): ...",
        "class NAME: ...",
        "class Thing:\n    NAME: int",
        "class Thing:\n    def NAME(self): ...",
        "import x as NAME",
        "from x import y as NAME",
        "try: pass\nexcept x as NAME: pass",
        "match x:\n    case NAME: pass",
        "match x:\n    case [*NAME]: pass",
        "match x:\n    case {**NAME}: pass",
    ],
)
@pytest.mark.parametrize("filler", sorted(FILLERS))
def test_a_filler_is_noticed(source: str, filler: str) -> None:
    assert fillers(source.replace("NAME", filler)) == {filler}


@pytest.mark.parametrize(
    "source",
    [
        "datetime.now()",
        "print(now)",
        'f("now", found="told")',
        "Thing(now=1)",
        "now_of = found_in = is_told = 1",
        "# each\n'seen'",
        "from x import now",
        "match x:\n    case Thing(now=value): pass",
    ],
)
def test_what_others_named_and_longer_names_are_left_alone(source: str) -> None:
    assert fillers(source) == frozenset()
