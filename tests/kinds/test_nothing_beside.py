"""What belongs to one kind of action stands in its folder, and no other module or script names the kind."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

from tunewiz.core.recommendation.actions import HostAction

CHECKOUT = Path(__file__).resolve().parents[2]
PACKAGE = CHECKOUT / "tunewiz"
KINDS = PACKAGE / "kinds"


def folders() -> list[Path]:
    return sorted(path.parent for path in KINDS.glob("*/__init__.py"))


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_kind_is_python_beside_shell(folder: Path) -> None:
    assert list(folder.glob("*.sh"))
    assert {path.suffix for path in folder.iterdir() if path.is_file()} == {".py", ".sh"}


VALUES = {"patroni", "setting", "sysctl", "sysfs"}
"""Kinds of values: each has a target of its own, whose values people set, compare and see in tables.

Patroni's are those of settings again, in a bundle for its cluster.
"""


def actions(folder: Path) -> list[str]:
    """The actions that a folder holds."""
    module = importlib.import_module(f"tunewiz.kinds.{folder.name}")
    own = (
        actual for _, actual in inspect.getmembers(module, inspect.isclass) if issubclass(actual, HostAction)
    )
    return [entry.__name__ for entry in own if entry.__module__ == module.__name__]


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_kind_is_one_action_or_one_of_the_values(folder: Path) -> None:
    assert len(actions(folder)) == (0 if folder.name in VALUES else 1)


def test_no_module_but_its_own_and_the_catalogue_names_a_kind() -> None:
    kinds = [folder for folder in folders() if folder.name not in VALUES]
    names = [name for kind in kinds for name in actions(kind)]
    words = re.compile(
        rf"\b({'|'.join(names)})\b|tunewiz\.kinds\.({'|'.join(kind.name for kind in kinds)})\b"
    )
    beside = [
        file.relative_to(CHECKOUT)
        for top in (PACKAGE, CHECKOUT / "screens")
        for file in top.rglob("*.py")
        if not {"kinds", "catalogue"} & set(file.parts) and words.search(file.read_text())
    ]
    assert beside == []


def kinds_of_steps() -> set[str]:
    """By the functions that put them in force, those of the values aside."""
    parts = (part for folder in folders() if folder.name not in VALUES for part in folder.glob("*.sh"))
    return {name for part in parts for name in re.findall(r"^do_(\w+)\(\)", part.read_text(), re.MULTILINE)}


def hooks() -> set[str]:
    """What a kind may have besides, as base.sh lists it."""
    text = (PACKAGE / "bundle" / "scripts" / "base.sh").read_text()
    lines = re.findall(r"^#   ([a-z_]+_ .*)$", text, re.MULTILINE)
    return {name for line in lines for name in re.findall(r"\b([a-z_]+)_(?= )", line)}


def test_every_function_that_scripts_look_for_is_listed() -> None:
    texts = [path.read_text() for path in (PACKAGE / "bundle" / "scripts").glob("*.sh")]
    results = {name for text in texts for name in re.findall(r'has "([a-z_]+)_\$(?:KIND|key_kind)"', text)}
    results |= {name for text in texts for name in re.findall(r"each_step ([a-z_]+)", text)}
    assert results == hooks() | {"verify"}


def test_no_script_but_its_own_part_has_a_case_for_a_kind() -> None:
    kinds = kinds_of_steps()
    assert kinds >= {"swap", "mount", "queue", "boot", "timer", "wal"}
    words = "|".join(sorted(kinds))
    function = rf"\b(name|keep|state|check|do|undo|verify|{'|'.join(sorted(hooks()))})_({words})\b"
    named = re.compile(rf"{function}|^\s*(\w+ \| )*({words})( \| \w+)*\)", re.MULTILINE)
    beside = {
        part.name: match[0]
        for part in (PACKAGE / "bundle" / "scripts").glob("*.sh")
        for match in named.finditer(part.read_text())
    }
    # How far a move of the log has come is in the journal, as a restart is: one file has one reader.
    assert {name: text.strip() for name, text in beside.items()} == {"state.sh": "wal)"}


def test_no_two_parts_define_the_same_function() -> None:
    what_scripts_have_of_their_own = {"apply.sh", "rollback.sh", "verify.sh", "arguments.sh"}
    result = [
        name
        for part in (*KINDS.glob("*/*.sh"), *(PACKAGE / "bundle" / "scripts").glob("*.sh"))
        if part.name not in what_scripts_have_of_their_own
        for name in re.findall(r"^(\w+)\(\) \{", part.read_text(), re.MULTILINE)
    ]
    assert sorted(result) == sorted(set(result))
