"""A test whose tool is missing says so and is left out: it neither fails nor passes unseen."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools_here import PACKAGES, missing, need, needs, path_of

TESTS = Path(__file__).resolve().parents[1]
EVERYWHERE = {
    *("/bin/sh", "cat", "chmod", "chroot", "cp", "diff", "du", "find", "ls", "mkdir", "mv", "sed", "sh"),
    *("sha256sum", "sleep", "sync", "tar", "test", "true"),
}
"""What a Linux has that can run the tests at all."""
OF_THE_SERVER = {"pg_ctlcluster", "pg_dump", "pgbench"}
"""Come with pg_createcluster and psql, which the fixtures ask for."""
DECLARING = {"missing", "need", "needs", "path_of"}


def literal(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def started(tree: ast.Module) -> Iterator[str]:
    """The programs that a module starts by a name that is written there."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="subprocess")), args=[command, *_]):
                yield from first_word(command)
            case ast.Assign(targets=[ast.Name(id="shell" | "command")], value=command):
                yield from first_word(command)
            case ast.keyword(arg="shell" | "command", value=command):
                yield from first_word(command)
            case _:
                pass


def first_word(command: ast.expr) -> Iterator[str]:
    if isinstance(command, ast.List | ast.Tuple) and command.elts and (word := literal(command.elts[0])):
        if word.startswith("./"):  # of the test's own making
            return
        yield word


def declared(tree: ast.Module) -> set[str]:
    """The programs without which a module leaves tests out."""
    return {
        literal(argument)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DECLARING
        for argument in node.args
    }


def undeclared(source: str) -> set[str]:
    tree = ast.parse(source)
    return set(started(tree)) - EVERYWHERE - OF_THE_SERVER - declared(tree)


def test_every_tool_that_is_started_is_declared() -> None:
    by_file = {
        str(file.relative_to(TESTS)): undeclared(file.read_text(encoding="utf-8"))
        for file in TESTS.rglob("*.py")
    }
    assert "support/tools_here.py" in by_file
    assert {file: names for file, names in by_file.items() if names} == {}


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run(['setfacl', '-m'])",
        "subprocess.check_output(('setfacl', file))",
        "shell = ('setfacl', 'x')",
        "Session(command=['setfacl'])",
    ],
)
def test_a_tool_that_is_not_declared_is_noticed(source: str) -> None:
    assert undeclared(source) == {"setfacl"}
    assert undeclared(f"{source}\nneed('setfacl')") == set()
    assert undeclared(source.replace("setfacl", "sleep")) == set()


def test_what_is_missing_is_named_with_the_packages_that_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = "not installed here: setfacl, mkfs.xfs (Debian: apt-get install acl xfsprogs)"
    assert missing("setfacl", "mkfs.xfs") == said
    assert needs("setfacl", "mkfs.xfs").mark.args == (True,)
    with pytest.raises(pytest.skip.Exception, match="apt-get install acl xfsprogs"):
        need("setfacl", "mkfs.xfs")
    with pytest.raises(pytest.skip.Exception, match="setfacl"):
        path_of("setfacl")


def test_what_is_there_leaves_no_test_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PACKAGES:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert missing(*PACKAGES) == ""
    assert needs(*PACKAGES).mark.args == (False,)
    need(*PACKAGES)
    assert path_of("setfacl") == str(tmp_path / "setfacl")


def test_a_tool_without_a_package_fails_where_it_is_installed_too() -> None:
    with pytest.raises(KeyError, match="ls"):
        needs("ls")
